import Store

/// Finds the rows that the database will not take, by rehearsing ever smaller parts of a batch.
///
/// A rehearsal writes nothing, so that rows of any kind can be tried as often as it takes.
struct PoisonSieve {
    /// A row that is refused alone.
    private struct Culprit {
        /// The spool position of the entry that it comes from, where that is known.
        var entry: Int64?
        /// The message itself, where the row is one of a rejected message.
        var message: RejectedRow?
    }

    private let session: any DatabaseSession
    private let checkpoint: Int64
    /// Reads the message that lies at a spool position; `nil` where nothing can be read.
    private let message: (Int64) -> RejectedRow?
    private var culprits: [Culprit] = []
    /// The database's words about the last row that it refused.
    private(set) var words = ""

    /// How many rows were left out.
    var count: Int { culprits.count }

    init(
        session: any DatabaseSession, checkpoint: Int64,
        message: @escaping (Int64) -> RejectedRow?
    ) {
        self.session = session
        self.checkpoint = checkpoint
        self.message = message
    }

    /// The batch without the rows that are refused, and with a `store_refused` for each message that they
    /// come from.
    ///
    /// - Throws: What else goes wrong, above all a lost connection.
    mutating func cleaned(_ batch: StoreBatch) throws(StoreError) -> StoreBatch {
        var clean = batch
        // What is only the newest state comes from the message that moved its vehicle last.
        let newest = Dictionary(
            batch.vehicles.map { ($0.vehicleID, $0.entry) }, uniquingKeysWith: { $1 })
        let ofVehicle = { (id: String?) in Culprit(entry: id.flatMap { newest[$0] ?? nil }) }
        clean.vehicles = try sift(batch, \.vehicles) { Culprit(entry: $0.entry) }
        clean.trips = try sift(batch, \.trips) { ofVehicle($0.vehicleID) }
        clean.waypoints = try sift(batch, \.waypoints) { ofVehicle($0.vehicleID) }
        clean.progress = try sift(batch, \.progress) { ofVehicle($0.vehicleID) }
        clean.positions = try sift(batch, \.positions) { Culprit(entry: $0.entry) }
        clean.events = try sift(batch, \.events) { Culprit(entry: $0.entry) }
        clean.acknowledged = try sift(batch, \.acknowledged) { ofVehicle($0.vehicleID) }
        clean.commands = try sift(batch, \.commands) { Culprit(entry: $0.entry) }
        clean.places = try sift(batch, \.places) { Culprit(entry: $0.entry) }
        clean.placeCommands = try sift(batch, \.placeCommands) { Culprit(entry: $0.entry) }
        clean.visits = try sift(batch, \.visits) { ofVehicle($0.vehicleID) }
        clean.speedings = try sift(batch, \.speedings) { ofVehicle($0.vehicleID) }
        clean.stops = try sift(batch, \.stops) { ofVehicle($0.vehicleID) }
        clean.drives = try sift(batch, \.drives) { ofVehicle($0.vehicleID) }
        clean.rejected = try sift(batch, \.rejected) { Culprit(message: $0) }
        clean.rejected += try filed(batch)
        return clean
    }

    /// The rows that tell of the culprits, one a message; those that are refused too are left out.
    private mutating func filed(_ batch: StoreBatch) throws(StoreError) -> [RejectedRow] {
        var seen: Set<Int64> = []
        var report = StoreBatch(
            spoolID: batch.spoolID, from: checkpoint, to: checkpoint, published: 0)
        for culprit in culprits {
            if let entry = culprit.entry, !seen.insert(entry).inserted { continue }
            guard var row = culprit.message ?? culprit.entry.flatMap(message) else { continue }
            row.reason = "store_refused"
            report.rejected.append(row)
        }
        let found = culprits
        defer { culprits = found }
        return try sift(report, \.rejected) { Culprit(message: $0) }
    }

    private mutating func sift<Row>(
        _ batch: StoreBatch, _ rows: WritableKeyPath<StoreBatch, [Row]>,
        _ culprit: (Row) -> Culprit
    ) throws(StoreError) -> [Row] {
        try sift(batch, rows, batch[keyPath: rows][...], culprit)
    }

    private mutating func sift<Row>(
        _ batch: StoreBatch, _ path: WritableKeyPath<StoreBatch, [Row]>, _ rows: ArraySlice<Row>,
        _ culprit: (Row) -> Culprit
    ) throws(StoreError) -> [Row] {
        guard !rows.isEmpty else { return [] }
        var part = StoreBatch(
            spoolID: batch.spoolID, from: checkpoint, to: checkpoint, published: 0)
        part[keyPath: path] = Array(rows)
        do throws(StoreError) {
            try session.rehearse(part)
            return Array(rows)
        } catch  where error.reason == .dataRefused {
            guard rows.count > 1 else {
                words = error.message
                culprits += rows.map(culprit)
                return []
            }
            let middle = rows.startIndex + rows.count / 2
            return try sift(batch, path, rows[..<middle], culprit)
                + sift(batch, path, rows[middle...], culprit)
        }
    }
}
