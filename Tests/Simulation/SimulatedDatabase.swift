import Store
import Worker

/// What a database keeps, with the rules of the real one: one transaction a batch, a checkpoint that is
/// compared and set, and one owner.
final class SimulatedTables {
    struct PositionKey: Hashable {
        var vehicleID: String
        var fixTime: Int64
        var latitude: Double
        var longitude: Double
    }

    struct TripKey: Hashable {
        var vehicleID: String
        var tripID: String
    }

    var positions: [PositionKey: PositionRow] = [:]
    var events: [String: EventRow] = [:]
    var trips: [TripKey: TripRow] = [:]
    var progress: [TripKey: ProgressRow] = [:]
    var vehicles: [String: VehicleRow] = [:]
    var commands: [CommandRow] = []
    var rejected: [RejectedRow] = []
    var watch = SimulatedWatchTables()
    var checkpoint: StoreConnection.Checkpoint?
    var epoch: Int64 = 0
    var isThere = true
    /// What befalls the next commits.
    var faults: [Fault] = []

    /// Whether it only answers questions.
    var isReadOnly = false
    /// Whether it refuses to write anything for a reason of its own, as when a right was taken away.
    var isStubborn = false

    /// The latitude of positions that are refused.
    static let poison = 66.6
    /// The id of commands, and the text in rejected messages, that are refused.
    static let poisonText = "poison"

    /// Whether a row of the batch is one that is refused.
    static func refuses(_ batch: StoreBatch) -> Bool {
        batch.positions.contains { $0.latitude == poison }
            || batch.commands.contains { $0.commandID == poisonText }
            || batch.rejected.contains {
                $0.reason != "store_refused" && $0.payload == Array(poisonText.utf8)
            }
    }

    enum Fault: Equatable, Sendable {
        /// Nothing is written, and the connection is lost.
        case before
        /// All is written, and the answer is lost.
        case after
    }
}

/// Opens sessions with the simulated tables.
final class SimulatedDatabase: Database {
    private let tables: SimulatedTables

    init(tables: SimulatedTables) {
        self.tables = tables
    }

    func connect() throws(StoreError) -> any DatabaseSession {
        guard tables.isThere else { throw StoreError(.unreachable, "simulated") }
        return SimulatedSession(tables: tables)
    }
}

/// One session with the simulated tables.
final class SimulatedSession: DatabaseSession {
    private let tables: SimulatedTables
    private var epoch: Int64 = 0

    init(tables: SimulatedTables) {
        self.tables = tables
    }

    func look(spoolID: String) throws(StoreError) -> StoreConnection.Checkpoint? {
        try check()
        return tables.checkpoint
    }

    func claim(spoolID: String, takeOver: Bool) throws(StoreError) -> StoreConnection.Claim {
        try checkWriting()
        tables.epoch += 1
        epoch = tables.epoch
        return StoreConnection.Claim(checkpoint: tables.checkpoint, epoch: epoch)
    }

    func commit(_ batch: StoreBatch) throws(StoreError) {
        try rehearse(batch, isSerious: true)
    }

    func rehearse(_ batch: StoreBatch) throws(StoreError) {
        try rehearse(batch, isSerious: false)
    }

    private func rehearse(_ batch: StoreBatch, isSerious: Bool) throws(StoreError) {
        try checkWriting()
        guard !tables.isStubborn else { throw StoreError(.permission, "simulated") }
        let fault = tables.faults.isEmpty ? nil : tables.faults.removeFirst()
        if fault == .before { throw StoreError(.unreachable, "simulated") }
        guard epoch == tables.epoch else { throw StoreError(.fenced, "simulated") }
        guard batch.from == tables.checkpoint?.position ?? batch.from else {
            throw StoreError(.checkpointMoved, "simulated")
        }
        guard !SimulatedTables.refuses(batch) else { throw StoreError(.dataRefused, "simulated") }
        guard isSerious else { return }
        write(batch)
        if fault == .after { throw StoreError(.unreachable, "simulated") }
    }

    private func write(_ batch: StoreBatch) {
        for row in batch.positions {
            let key = SimulatedTables.PositionKey(
                vehicleID: row.vehicleID, fixTime: row.fixTime, latitude: row.latitude,
                longitude: row.longitude)
            if tables.positions[key] == nil { tables.positions[key] = row }
        }
        for row in batch.vehicles { tables.vehicles[row.vehicleID] = row }
        for row in batch.trips { merge(row) }
        for row in batch.progress { tables.progress[row.key] = row }
        for row in batch.events where tables.events[row.eventID] == nil {
            tables.events[row.eventID] = row
        }
        for event in batch.acknowledged {
            tables.events[event.eventID]?.publishedAt = event.publishedAt
        }
        tables.commands += batch.commands
        tables.rejected += batch.rejected
        tables.watch.write(batch)
        tables.checkpoint = StoreConnection.Checkpoint(
            position: batch.to, published: max(tables.checkpoint?.published ?? 0, batch.published),
            settings: batch.settings ?? tables.checkpoint?.settings)
    }

    private func merge(_ row: TripRow) {
        var merged = row
        merged.assignment = row.assignment ?? tables.trips[row.key]?.assignment
        merged.route = row.route ?? tables.trips[row.key]?.route
        tables.trips[row.key] = merged
    }

    func heartbeat() throws(StoreError) {
        try checkWriting()
        guard epoch == tables.epoch else { throw StoreError(.fenced, "simulated") }
    }

    func loadState(_ handle: (StoredItem) -> Void) throws(StoreError) {
        try check()
        // The places come first, as in the real tables: vehicles are in them.
        tables.watch.load(handle)
        for row in tables.vehicles.values { handle(.vehicle(row)) }
        for row in tables.trips.values where row.endedAt == nil {
            handle(
                .trip(
                    StoredTrip(
                        row: row, assignment: row.assignment?.packed ?? [],
                        route: row.route?.packed, state: tables.progress[row.key]?.packed)))
        }
        for row in tables.trips.values {
            handle(
                .usedTripID(
                    vehicleID: row.vehicleID, tripID: row.tripID, at: row.endedAt ?? row.assignedAt)
            )
        }
        for row in tables.commands where row.reason == nil {
            if let id = row.commandID {
                handle(
                    .commandID(vehicleID: row.vehicleID, commandID: id, at: row.receivedAt))
            }
        }
        let unpublished = tables.events.values.filter { $0.publishedAt == nil }
        for row in unpublished.sorted(by: {
            ($0.home == .trips ? 0 : 1, $0.vehicleID ?? "", $0.owner, $0.sequence ?? 0)
                < ($1.home == .trips ? 0 : 1, $1.vehicleID ?? "", $1.owner, $1.sequence ?? 0)
        }) {
            handle(.unpublishedEvent(row))
        }
    }

    func maintain(now: Microseconds) throws(StoreError) -> StoreConnection.Maintenance {
        StoreConnection.Maintenance()
    }

    func release() throws(StoreError) {}

    private func checkWriting() throws(StoreError) {
        try check()
        guard !tables.isReadOnly else { throw StoreError(.readOnly, "simulated") }
    }

    private func check() throws(StoreError) {
        guard tables.isThere else { throw StoreError(.unreachable, "simulated") }
    }
}

extension EventRow {
    /// Whose order it has its place in: a trip's, or all alarms' of a vehicle.
    fileprivate var owner: String { home == .trips ? tripID ?? "" : "" }
}

extension TripRow {
    var key: SimulatedTables.TripKey {
        SimulatedTables.TripKey(vehicleID: vehicleID, tripID: tripID)
    }
}

extension ProgressRow {
    var key: SimulatedTables.TripKey {
        SimulatedTables.TripKey(vehicleID: vehicleID, tripID: tripID)
    }
}
