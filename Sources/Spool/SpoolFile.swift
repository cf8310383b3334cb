/// The spool's tables in one SQLite file.
///
/// A batch is one row with its entries as one blob: 660,000 entries a second in batches of 200.
final class SpoolFile {
    /// What a file that is whole holds.
    struct Contents {
        var id: String
        /// The oldest position that was not trimmed away.
        var start: Int64
        /// Positions before this one may have been given out, whatever was lost.
        var reserved: Int64
        var end: Int64
        var index: TrimIndex
        var marks: MarkRows
    }

    /// Positions are set aside this many at a time, so that none is ever given out twice.
    static let reserve: Int64 = 1_000_000
    static let pageSize: Int64 = 4096
    /// The version of the file and of what lies in it.
    ///
    /// 2: the same tables, with kinds of entries that the first build did not know.
    private static let version: Int64 = 2
    private static let schema = """
        CREATE TABLE spool (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            id TEXT NOT NULL,
            start INTEGER NOT NULL, reserved INTEGER NOT NULL, skipped INTEGER NOT NULL);
        CREATE TABLE batches (
            first INTEGER PRIMARY KEY, count INTEGER NOT NULL, time INTEGER NOT NULL,
            checksum INTEGER NOT NULL, blob BLOB NOT NULL);
        CREATE TABLE marks (first INTEGER PRIMARY KEY, marks BLOB NOT NULL);
        CREATE TABLE details (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
        PRAGMA user_version = \(version);
        """

    let database: Database
    private let insertBatch: Statement
    private let insertIfAbsent: Statement
    private let insertMarks: Statement
    private let deleteMarks: Statement
    private let updateReserved: Statement

    /// Opens a file, and makes the tables of an empty spool where there are none.
    ///
    /// - Parameters:
    ///   - newID: The identity of a spool that has to be made.
    ///   - isExpected: Whether a file without tables can only be a damaged one.
    init(path: String, newID: String, isExpected: Bool) throws(SpoolError) {
        let database = try Database(path: path)
        self.database = database
        try database.execute(
            """
            PRAGMA page_size = \(Self.pageSize);
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = FULL;
            PRAGMA secure_delete = OFF;
            """)
        let found = try database.number("PRAGMA user_version")
        if found == 0 {
            guard !isExpected else {
                throw SpoolError(.damaged, "\(path): the spool's tables are gone")
            }
            try database.transaction { () throws(SpoolError) in
                try database.execute(Self.schema)
                let insert = try database.prepare("INSERT INTO spool VALUES (1, ?, 0, 0, 0)")
                insert.bind(1, newID)
                try insert.run()
            }
        } else if found > Self.version {
            throw SpoolError(
                .unusable,
                "\(path): a later release of Waygate has used this spool (version \(found), and this "
                    + "one reads up to \(Self.version)): run that one, or move the folder away")
        } else if found < Self.version {
            // From here on only releases that know its entries may read it.
            try database.execute("PRAGMA user_version = \(Self.version)")
        }
        insertBatch = try database.prepare("INSERT INTO batches VALUES (?, ?, ?, ?, ?)")
        insertIfAbsent = try database.prepare(
            "INSERT OR IGNORE INTO batches VALUES (?, ?, ?, ?, ?)")
        insertMarks = try database.prepare("INSERT INTO marks VALUES (?, ?)")
        deleteMarks = try database.prepare("DELETE FROM marks WHERE first <= ?")
        updateReserved = try database.prepare("UPDATE spool SET reserved = ?")
    }

    /// The file's path in a spool's folder.
    static func path(in folder: String) -> String {
        folder + "/spool.db"
    }

    /// Returns a new random identity, a UUID's text.
    static func makeIdentity() -> String {
        var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Array("0123456789abcdef")
        return bytes.enumerated().reduce(into: "") { text, item in
            if [4, 6, 8, 10].contains(item.offset) { text.append("-") }
            text.append(digits[Int(item.element >> 4)])
            text.append(digits[Int(item.element & 15)])
        }
    }

    /// Opens the spool of a folder whose lock is held, and repairs it where that is needed.
    static func openOrRecover(
        folder: String, grain: Int64
    ) throws(SpoolError) -> (SpoolFile, Contents, RecoveryReport?) {
        let recovery = Recovery(folder: folder)
        try recovery.install()
        var report: RecoveryReport?
        do {
            let file = try SpoolFile(
                path: path(in: folder), newID: makeIdentity(),
                isExpected: recovery.identity != nil)
            let contents = try file.check(grain: grain)
            try recovery.remember(identity: contents.id)
            file.database.trust()
            return (file, contents, nil)
        } catch  where error.reason == .damaged {
            report = try recovery.run(cause: error)
        }
        let file = try SpoolFile(
            path: path(in: folder), newID: makeIdentity(), isExpected: true)
        let contents = try file.check(grain: grain)
        try recovery.remember(identity: contents.id)
        file.database.trust()
        return (file, contents, report)
    }

    /// Reads everything there is and returns what to remember of it.
    ///
    /// - Throws: `SpoolError.Reason.damaged` when anything is not as it was written.
    func check(grain: Int64) throws(SpoolError) -> Contents {
        let quick = try database.prepare("PRAGMA quick_check(1)")
        guard try quick.step(), quick.text(0) == "ok" else {
            throw SpoolError(.damaged, "\(database.path): \(quick.text(0))")
        }
        quick.reset()
        let state = try database.prepare("SELECT id, start, reserved, skipped FROM spool")
        guard try state.step() else {
            throw SpoolError(.damaged, "\(database.path): the spool has no identity")
        }
        let start = state.integer(1)
        var contents = Contents(
            id: state.text(0), start: start, reserved: state.integer(2), end: start,
            index: TrimIndex(grain: grain), marks: MarkRows())
        let skipped = state.integer(3)
        state.reset()
        try checkBatches(&contents)
        contents.end = max(contents.end, skipped)
        guard contents.reserved >= contents.end else {
            throw SpoolError(.damaged, "\(database.path): more positions than were set aside")
        }
        let marks = try database.prepare("SELECT first, length(marks) FROM marks ORDER BY first")
        while try marks.step() {
            contents.marks.append(
                first: marks.integer(0), count: Int(marks.integer(1)) / MarkRows.markSize)
        }
        return contents
    }

    private func checkBatches(_ contents: inout Contents) throws(SpoolError) {
        let query = try BatchQuery(database)
        try query.begin(at: .min)
        defer { query.end() }
        while let (batch, bytes) = try query.next({ $0.count }) {
            guard batch.first >= contents.end, batch.count > 0 else {
                throw SpoolError(.damaged, "\(database.path): batches overlap at \(batch.first)")
            }
            contents.index.append(first: batch.first, end: batch.end, bytes: Int64(bytes))
            contents.end = batch.end
        }
    }

    /// Writes one batch; to be called in a transaction.
    func insert(
        first: Int64, count: Int, time: Int64, blob: UnsafeRawBufferPointer, ifAbsent: Bool = false
    ) throws(SpoolError) {
        let statement = ifAbsent ? insertIfAbsent : insertBatch
        statement.bind(1, first)
        statement.bind(2, Int64(count))
        statement.bind(3, time)
        let checksum = Digest.of((first, Int64(count), time), blob)
        statement.bind(4, Int64(bitPattern: checksum))
        statement.bind(5, blob)
        try statement.run()
    }

    /// Writes the marks of one batch, and deletes those up to `obsolete`.
    func insert(
        _ marks: [Mark], first: Int64, obsolete: Int64?
    ) throws(SpoolError) {
        insertMarks.bind(1, first)
        let bytes = MarkRows.encode(marks)
        let result = bytes.withUnsafeBytes { buffer in
            insertMarks.bind(2, buffer)
            return Result { () throws(SpoolError) in try insertMarks.run() }
        }
        try result.get()
        guard let obsolete else { return }
        deleteMarks.bind(1, obsolete)
        try deleteMarks.run()
    }

    /// Gives out no position before this one, nor sets any aside.
    func skip(to position: Int64) throws(SpoolError) {
        try database.execute("UPDATE spool SET skipped = \(position), reserved = \(position)")
    }

    /// Sets positions before this one aside.
    func setReserved(_ position: Int64) throws(SpoolError) {
        updateReserved.bind(1, position)
        try updateReserved.run()
    }
}
