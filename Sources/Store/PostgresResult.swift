internal import CPostgres

/// One libpq result in binary format, cleared when the last reference to it goes.
final class PostgresResult {
    private let handle: OpaquePointer

    /// Takes a result over from libpq.
    init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    deinit { PQclear(handle) }

    /// What libpq says of it.
    var status: ExecStatusType { PQresultStatus(handle) }

    /// How many rows it carries.
    var rows: Int { Int(PQntuples(handle)) }

    /// How many rows the statement changed; 0 where it changes none.
    var changed: Int { Int(String(cString: PQcmdTuples(handle))) ?? 0 }

    /// The server's error, or `nil` when libpq itself failed.
    var error: StoreError? {
        guard let sqlState = field(waygate_diag_sqlstate()) else { return nil }
        var message = field(waygate_diag_message()) ?? "error \(sqlState)"
        if let detail = field(waygate_diag_detail()) {
            message += " (" + detail + ")"
        }
        var error = StoreError(sqlState: sqlState, message: message.onOneLine)
        error.constraint = field(waygate_diag_constraint())
        error.table = field(waygate_diag_table())
        return error
    }

    private func field(_ code: CInt) -> String? {
        PQresultErrorField(handle, code).map { String(cString: $0) }
    }

    /// Returns the bytes of a value, valid while the result is; `nil` for null.
    private func raw(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
        let (row, column) = (CInt(row), CInt(column))
        guard PQgetisnull(handle, row, column) == 0 else { return nil }
        return UnsafeRawBufferPointer(
            start: PQgetvalue(handle, row, column), count: Int(PQgetlength(handle, row, column)))
    }

    private func integer<I: FixedWidthInteger>(_ row: Int, _ column: Int, _: I.Type) -> I? {
        guard let raw = raw(row, column), raw.count == MemoryLayout<I>.size else { return nil }
        return I(bigEndian: raw.loadUnaligned(as: I.self))
    }

    /// Returns a `bigint`, or `nil` for null.
    func int64(_ row: Int, _ column: Int) -> Int64? { integer(row, column, Int64.self) }

    /// Returns an `integer`, or `nil` for null.
    func int(_ row: Int, _ column: Int) -> Int? { integer(row, column, Int32.self).map(Int.init) }

    /// Returns a `double precision`, or `nil` for null.
    func double(_ row: Int, _ column: Int) -> Double? {
        integer(row, column, UInt64.self).map { Double(bitPattern: $0) }
    }

    /// Returns a `boolean`; false for null.
    func bool(_ row: Int, _ column: Int) -> Bool { integer(row, column, UInt8.self) == 1 }

    /// Returns a `timestamptz`, or `nil` for null.
    func time(_ row: Int, _ column: Int) -> Microseconds? {
        int64(row, column).map { $0 &+ BinaryFormat.epoch }
    }

    /// Returns a `text`, or `nil` for null.
    func text(_ row: Int, _ column: Int) -> String? {
        raw(row, column).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns a `bytea`, or `nil` for null.
    func bytes(_ row: Int, _ column: Int) -> [UInt8]? {
        raw(row, column).map { Array($0) }
    }
}

extension String {
    /// The same with each run of white space as one space.
    var onOneLine: String {
        split { $0.isWhitespace }.joined(separator: " ")
    }
}
