import CSQLite
import Glibc

/// One SQLite connection, used by one thread, closed with its last reference.
final class Database {
    let path: String
    private let handle: OpaquePointer

    /// Opens a file; makes it where it is missing, unless it is only to be read.
    init(path: String, isReadOnly: Bool = false) throws(SpoolError) {
        self.path = path
        var opened: OpaquePointer?
        let mode = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let result = sqlite3_open_v2(path, &opened, mode | SQLITE_OPEN_NOMUTEX, nil)
        guard result == SQLITE_OK, let handle = opened else {
            defer { sqlite3_close_v2(opened) }
            throw Self.error(result, opened, path)
        }
        self.handle = handle
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, 5000)
        // What a damaged file's log holds must not go with the first look at it.
        waygate_sqlite_keep_log(handle, 1)
    }

    deinit { sqlite3_close_v2(handle) }

    /// Has the log moved into the file on closing, from now on.
    func trust() {
        waygate_sqlite_keep_log(handle, 0)
    }

    /// Moves the log into the file, so that the next write begins it anew.
    ///
    /// It keeps its room: on a full disk another program could take that.
    func checkpoint() throws(SpoolError) {
        try execute("PRAGMA wal_checkpoint(RESTART)")
    }

    /// Has the log moved into the file once it holds so many bytes.
    func setLogSize(_ bytes: Int64) throws(SpoolError) {
        try execute("PRAGMA wal_autocheckpoint = \(bytes / SpoolFile.pageSize)")
        // Readers may make it longer; what is beyond this is given back.
        try execute("PRAGMA journal_size_limit = \(4 * bytes)")
    }

    /// Runs statements that give no rows.
    func execute(_ sql: String) throws(SpoolError) {
        let result = sqlite3_exec(handle, sql, nil, nil, nil)
        guard result == SQLITE_OK else { throw error(result) }
    }

    /// Prepares a statement to be run many times.
    func prepare(_ sql: String) throws(SpoolError) -> Statement {
        var statement: OpaquePointer?
        let result = sqlite3_prepare_v3(
            handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard result == SQLITE_OK, let statement else { throw error(result) }
        return Statement(handle: statement, database: self)
    }

    /// Returns the one number that a query gives.
    func number(_ sql: String) throws(SpoolError) -> Int64 {
        let statement = try prepare(sql)
        defer { statement.reset() }
        return try statement.step() ? statement.integer(0) : 0
    }

    /// Runs `body` in a transaction, which is rolled back when it throws.
    func transaction<T>(_ body: () throws(SpoolError) -> T) throws(SpoolError) -> T {
        try execute("BEGIN IMMEDIATE")
        do {
            let value = try body()
            try execute("COMMIT")
            return value
        } catch {
            // SQLite may have rolled back by itself already.
            if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }

    /// Returns what a result code of this connection means.
    func error(_ code: Int32) -> SpoolError {
        Self.error(code, handle, path)
    }

    private static func error(_ code: Int32, _ handle: OpaquePointer?, _ path: String) -> SpoolError
    {
        let words = String(cString: handle.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code))
        let message = "\(path): \(words)"
        switch code & 0xFF {
        case SQLITE_FULL: return SpoolError(.diskFull, message)
        case SQLITE_CORRUPT, SQLITE_NOTADB: return SpoolError(.damaged, message)
        case SQLITE_CANTOPEN, SQLITE_IOERR:
            let system = handle.map { sqlite3_system_errno($0) } ?? 0
            let cause = system == 0 ? "" : " (\(String(cString: strerror(system))))"
            guard system != ENOSPC, system != EDQUOT else { return SpoolError(.diskFull, message) }
            return SpoolError(code & 0xFF == SQLITE_IOERR ? .io : .unusable, message + cause)
        case SQLITE_PERM, SQLITE_READONLY, SQLITE_AUTH: return SpoolError(.unusable, message)
        default: return SpoolError(.io, message)
        }
    }
}

/// One prepared statement of a connection.
final class Statement {
    private let handle: OpaquePointer
    private let database: Database

    fileprivate init(handle: OpaquePointer, database: Database) {
        self.handle = handle
        self.database = database
    }

    deinit { sqlite3_finalize(handle) }

    func bind(_ index: Int32, _ value: Int64) {
        sqlite3_bind_int64(handle, index, value)
    }

    /// Binds bytes that must stay where they are until the statement was run.
    func bind(_ index: Int32, _ bytes: UnsafeRawBufferPointer) {
        // Without an address SQLite would bind NULL.
        guard let address = bytes.baseAddress else {
            sqlite3_bind_zeroblob(handle, index, 0)
            return
        }
        sqlite3_bind_blob64(handle, index, address, UInt64(bytes.count), nil)
    }

    func bind(_ index: Int32, _ text: String) {
        // SQLITE_TRANSIENT: SQLite copies the text.
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        sqlite3_bind_text(handle, index, text, -1, transient)
    }

    /// Binds what a column of another statement's row holds.
    func bind(_ index: Int32, _ row: Statement, _ column: Int32) {
        sqlite3_bind_value(handle, index, sqlite3_column_value(row.handle, column))
    }

    /// Goes to the next row; returns whether there is one.
    func step() throws(SpoolError) -> Bool {
        let result = sqlite3_step(handle)
        if result == SQLITE_ROW { return true }
        guard result == SQLITE_DONE else {
            let error = database.error(result)
            sqlite3_reset(handle)
            throw error
        }
        return false
    }

    /// Runs a statement that gives no rows.
    func run() throws(SpoolError) {
        _ = try step()
        reset()
    }

    /// Makes the statement ready to be run again, and ends the reading.
    func reset() {
        sqlite3_reset(handle)
    }

    func integer(_ column: Int32) -> Int64 {
        sqlite3_column_int64(handle, column)
    }

    func text(_ column: Int32) -> String {
        sqlite3_column_text(handle, column).map { String(cString: $0) } ?? ""
    }

    /// The bytes of a column, valid until the next step.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        let address = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(
            start: address, count: Int(sqlite3_column_bytes(handle, column)))
    }
}
