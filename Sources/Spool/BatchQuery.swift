/// Reads batches in order on one connection, checking each against its checksum.
final class BatchQuery {
    /// A batch without its bytes.
    struct Row {
        var first: Int64
        var count: Int
        var time: Int64
        var end: Int64 { first + Int64(count) }
    }

    private let database: Database
    private let select: Statement
    private let selectTime: Statement
    private let selectStart: Statement

    init(_ database: Database) throws(SpoolError) {
        self.database = database
        select = try database.prepare(
            """
            SELECT first, count, time, checksum, blob FROM batches
            WHERE first >= coalesce((SELECT max(first) FROM batches WHERE first <= ?1), ?1)
            ORDER BY first
            """)
        selectTime = try database.prepare(
            "SELECT time FROM batches WHERE first + count > ?1 AND first >= coalesce(("
                + "SELECT max(first) FROM batches WHERE first <= ?1), ?1) ORDER BY first LIMIT 1")
        selectStart = try database.prepare("SELECT start FROM spool")
    }

    /// Starts with the batch that holds `position`, or else the next one.
    func begin(at position: Int64) throws(SpoolError) {
        select.reset()
        select.bind(1, position)
    }

    /// Returns the next batch and what `use` makes of its bytes; `nil` at the end.
    func next<T>(_ use: (UnsafeRawBufferPointer) -> T) throws(SpoolError) -> (Row, T)? {
        guard try select.step() else { return nil }
        let row = Row(
            first: select.integer(0), count: Int(select.integer(1)), time: select.integer(2))
        let blob = select.bytes(4)
        let checksum = Digest.of((row.first, Int64(row.count), row.time), blob)
        guard checksum == UInt64(bitPattern: select.integer(3)) else {
            throw SpoolError(.damaged, "\(database.path): the batch at \(row.first) has changed")
        }
        return (row, use(blob))
    }

    /// Ends the reading, so that the space of trimmed batches can be used again.
    func end() {
        select.reset()
    }

    /// Returns the batches from the one that holds `position` on, at least one if there is any.
    func read(from position: Int64, maxBytes: Int) throws(SpoolError) -> [SpoolBatch] {
        try begin(at: position)
        defer { end() }
        var batches: [SpoolBatch] = []
        var total = 0
        while total < maxBytes || batches.isEmpty, let (row, blob) = try next({ Array($0) }) {
            guard row.end > position else { continue }
            if batches.isEmpty, row.first > position { try checkStart(position) }
            batches.append(
                SpoolBatch(first: row.first, count: row.count, time: row.time, blob: blob))
            total += blob.count
        }
        if batches.isEmpty { try checkStart(position) }
        return batches
    }

    /// Returns when the batch was appended that holds `position` or, failing that, comes next.
    func time(at position: Int64) throws(SpoolError) -> Int64? {
        selectTime.bind(1, position)
        defer { selectTime.reset() }
        return try selectTime.step() ? selectTime.integer(0) : nil
    }

    private func checkStart(_ position: Int64) throws(SpoolError) {
        defer { selectStart.reset() }
        guard try selectStart.step(), position < selectStart.integer(0) else { return }
        throw SpoolError(
            .trimmed,
            "\(database.path): position \(position) is gone, the oldest is \(selectStart.integer(0))"
        )
    }
}
