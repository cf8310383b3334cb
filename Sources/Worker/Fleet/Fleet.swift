import Geometry
import Store
import Telemetry
import Tracking
import Watching

/// All vehicles and trips, moved on by the entries of the spool and by nothing else.
///
/// No clock, no I/O: the same entries always give the same state, rows and publications. So one fleet
/// serves the live worker, and another one may catch up for the store from an older snapshot.
package final class Fleet {
    /// The next entry that it expects.
    package private(set) var position: Int64
    /// What the tables lack; `nil` while nobody writes them.
    var changes: StoreChanges?
    /// What the broker lacks; nothing is collected unless `isLive`.
    var outbox = Outbox()
    /// Whether publications and requests are wanted.
    let isLive: Bool
    /// Seconds of uptime at which entries are applied now; only noted, for timers.
    var uptime = 0.0
    /// What became of the entries, for the metrics.
    var tally = FleetTally()

    let spoolID: String
    var settings: FleetSettings
    var options = TripOptions()
    private var sources: SourceTable?
    private let decoder = PositionDecoder()
    let commandDecoder = CommandDecoder()
    let placeCommandDecoder = PlaceCommandDecoder()
    let ignition = IgnitionReader()
    /// The places in force.
    var book = PlaceBook()
    /// What trips are told of the roads.
    var roads = RoadConditions()
    /// How long the clock is silent at the beginning of a subscription, in seconds.
    private(set) var settle = 0.0
    private(set) var vehicles: [String: Vehicle] = [:]
    private var changedVehicles: [Vehicle] = []
    /// Vertices of the routes that the tables lack.
    private var unsavedVertices = 0
    /// Trip ids that may not be used again.
    var usedTrips = RecentKeys(span: 0)
    /// Commands that were carried out: known by their ids for thirty days.
    var carriedOut = RecentKeys(span: 30 * 86_400)
    /// The same for commands of places.
    var placeCommands = RecentKeys(span: 30 * 86_400)
    var json = JSONWriter(capacity: 4096)

    /// Creates a fleet without vehicles that begins at the entry `position`.
    package init(position: Int64, spoolID: String, settings: FleetSettings, isLive: Bool) {
        self.position = position
        self.spoolID = spoolID
        self.settings = settings
        self.isLive = isLive
        adopt(settings)
    }

    /// Applies the batch's entries from `position` up to but not `end`.
    package func apply(_ batch: EntryBatch, to end: Int64 = .max) {
        batch.forEach(from: position, to: end) { apply($0) }
        position = max(position, min(batch.end, end))
        changes?.to = position
    }

    private func apply(_ entry: Entry) {
        switch entry.kind {
        case .message: receive(entry)
        case .settings:
            // Those of a later release are not met here: the version of the spool keeps them away.
            guard let settings = try? FleetSettings(entry.payload) else { return }
            adopt(settings)
            changes?.settings = Array(entry.payload)
        case .route, .routeFailed, .expiry: notice(entry)
        case .clock: ring(entry)
        case .clockSet: followClock(entry)
        }
    }

    private func adopt(_ settings: FleetSettings) {
        self.settings = settings
        sources = try? settings.sourceTable()
        options = settings.tripOptions
        let alarms = settings.alarmSettings
        book.settings = alarms.watch
        book.settings.maxFutureSkew = options.maxFutureSkew
        book.settings.maxHits = settings.placeBounds.hits
        ignition.path = IgnitionPath(alarms.ignition)
        settle = alarms.settle
        roads.policy = settings.roads.policy
        roads.mostAvoided = settings.roads.mostAvoided
        // Nothing tells an outside planner of such a question.
        roads.offersBetter = settings.planner == .engine
        usedTrips.span = Double(settings.tripRetentionDays) * 86_400
        decoder.limits = DecodeLimits(
            maxPayloadBytes: settings.maxPayloadBytes, maxAgeDays: settings.maxAgeDays)
    }

    private func receive(_ entry: Entry) {
        switch sources?.match(entry.topic) {
        case .position(let source):
            let outcome = decoder.decode(
                entry.payload, length: entry.payloadLength, source: source,
                receivedAt: entry.receivedAt)
            take(outcome, of: entry)
        case .command(let vehicleID, let name):
            command(name, vehicleID: vehicleID, entry)
        case .placeCommand(let placeID, let name):
            placeCommand(name, placeID: placeID, entry)
        case .invalidVehicleID:
            reject(entry, reason: RejectionReason.invalidVehicleID.rawValue)
        case .nothing, nil:
            tally.ignored["unmatched_topic", default: 0] += 1
        }
    }

    /// The vehicle or place that a message's topic names; `nil` when it names none, or the payload does.
    func subjectOfTopic(_ entry: Entry) -> Publication.Subject? {
        switch sources?.match(entry.topic) {
        case .position(let source): source.vehicleID.map(Publication.Subject.vehicle)
        case .command(let vehicleID, _): .vehicle(vehicleID)
        case .placeCommand(let placeID, _): .place(placeID)
        case .invalidVehicleID, .nothing, nil: nil
        }
    }

    /// Returns the vehicle of that id, new if it was not known.
    func vehicle(_ id: String) -> Vehicle {
        if let vehicle = vehicles[id] { return vehicle }
        let vehicle = Vehicle(id: id)
        vehicles[id] = vehicle
        return vehicle
    }

    /// Keeps the vehicle from now on.
    func know(_ vehicle: Vehicle) {
        vehicles[vehicle.id] = vehicle
    }

    /// Notes that rows of the vehicle have to be written.
    func markChanged(_ vehicle: Vehicle) {
        guard changes != nil, !vehicle.unsaved.isListed else { return }
        vehicle.unsaved.isListed = true
        changedVehicles.append(vehicle)
    }

    /// Notes that the trip has a route that the tables lack.
    func markRouteChanged(_ trip: Trip, of vehicle: Vehicle) {
        vehicle.unsaved.isRouteChanged = true
        if changes != nil { unsavedVertices += trip.route?.line.vertexCount ?? 0 }
    }

    /// Hands over what the tables lack, and begins anew; `nil` when they lack nothing.
    func takeChanges() -> StoreChanges? {
        guard var taken = changes, taken.to > taken.from else { return nil }
        for vehicle in changedVehicles {
            if let trip = vehicle.trip { taken.trips.append(change(of: trip, vehicle)) }
            taken.vehicles.append(row(of: vehicle))
            vehicle.unsaved = Vehicle.Unsaved()
        }
        changedVehicles.removeAll(keepingCapacity: true)
        unsavedVertices = 0
        changes = StoreChanges(from: taken.to)
        return taken
    }

    /// About how many rows the tables lack; a route counts for as many as it is long.
    var changesWeight: Int {
        (changes?.weight ?? 0) + changedVehicles.count + unsavedVertices / 4
    }

    /// Whether everything applied was handed over.
    var hasNothingToHandOver: Bool { changes.map { $0.to == $0.from } ?? true }

    /// Forgets what the tables lack: they will be brought up to date from the spool.
    func dropChanges() {
        for vehicle in changedVehicles { vehicle.unsaved = Vehicle.Unsaved() }
        changedVehicles.removeAll()
        unsavedVertices = 0
        changes = nil
    }

    /// The trip's newest state and the rows that it concerns.
    func change(of trip: Trip, _ vehicle: Vehicle) -> StoreChanges.TripChange {
        StoreChanges.TripChange(
            trip: trip, updatedAt: vehicle.updatedAt, isNew: vehicle.unsaved.isTripNew,
            isRouteChanged: vehicle.unsaved.isRouteChanged,
            isEventful: vehicle.unsaved.isTripEventful)
    }

    private func row(of vehicle: Vehicle) -> VehicleRow {
        VehicleRow(
            vehicleID: vehicle.id, fixTime: vehicle.newest?.time.microseconds,
            latitude: vehicle.newest?.coordinate.latitude,
            longitude: vehicle.newest?.coordinate.longitude, speed: vehicle.newest?.speed,
            course: vehicle.newest?.course, level: vehicle.newest?.level?.json,
            tripID: vehicle.trip?.id, updatedAt: vehicle.updatedAt.microseconds,
            alarmSequence: vehicle.watch.sequence, odometer: vehicle.watch.odometer,
            packedWatch: vehicle.watch.encode(in: book.surroundings), entry: vehicle.entry)
    }
}
