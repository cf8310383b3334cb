import Store

/// Finds the rows that the database will not take, by writing ever smaller parts of a batch.
///
/// Only rows that may be written twice are tried: a position's copy changes nothing, an event is known by
/// its id, a trip's row is its newest state. The checkpoint does not move meanwhile.
struct PoisonSieve {
    let session: any DatabaseSession
    let checkpoint: Int64
    /// How many rows were left out.
    private(set) var culprits = 0

    init(session: any DatabaseSession, checkpoint: Int64) {
        self.session = session
        self.checkpoint = checkpoint
    }

    /// The batch without the rows that are refused, and with a `store_refused` for each.
    ///
    /// - Throws: What else goes wrong, above all a lost connection.
    mutating func cleaned(
        _ batch: StoreBatch, receivedAt: Microseconds
    ) throws(StoreError) -> StoreBatch {
        var clean = batch
        var refused: [String] = []
        clean.vehicles = try sift(batch, \.vehicles, into: &refused)
        clean.trips = try sift(batch, \.trips, into: &refused)
        clean.waypoints = try sift(batch, \.waypoints, into: &refused)
        clean.progress = try sift(batch, \.progress, into: &refused)
        clean.positions = try sift(batch, \.positions, into: &refused)
        clean.events = try sift(batch, \.events, into: &refused)
        culprits = refused.count
        clean.rejected += refused.map { text in
            let payload = Array(text.utf8)
            return RejectedRow(
                receivedAt: receivedAt, topic: "", payload: Array(payload.prefix(4096)),
                payloadBytes: payload.count, reason: "store_refused")
        }
        return clean
    }

    private func sift<Row>(
        _ batch: StoreBatch, _ rows: WritableKeyPath<StoreBatch, [Row]>,
        into refused: inout [String]
    ) throws(StoreError) -> [Row] {
        try sift(batch, rows, batch[keyPath: rows][...], into: &refused)
    }

    private func sift<Row>(
        _ batch: StoreBatch, _ path: WritableKeyPath<StoreBatch, [Row]>, _ rows: ArraySlice<Row>,
        into refused: inout [String]
    ) throws(StoreError) -> [Row] {
        guard !rows.isEmpty else { return [] }
        var part = StoreBatch(
            spoolID: batch.spoolID, from: checkpoint, to: checkpoint, published: 0)
        part[keyPath: path] = Array(rows)
        do throws(StoreError) {
            try session.commit(part)
            return Array(rows)
        } catch  where error.reason == .dataRefused {
            guard rows.count > 1 else {
                refused += rows.map { "\(error.message): \($0)" }
                return []
            }
            let middle = rows.startIndex + rows.count / 2
            return try sift(batch, path, rows[..<middle], into: &refused)
                + sift(batch, path, rows[middle...], into: &refused)
        }
    }
}
