import Spool
import Store
import Testing
import Tracking

@testable import Worker

/// A fleet that is driven entry by entry, with all that comes of it.
final class Town {
    /// 2026-03-01T12:00:00Z.
    private static let start = 1_772_366_400.0

    let fleet: Fleet

    init(_ settings: FleetSettings = FleetSettings(topicRoot: "fleet")) {
        fleet = Fleet(position: 0, spoolID: "s", settings: settings, isLive: true)
        fleet.changes = StoreChanges(from: 0)
    }

    /// A fleet from the rows that another one would have committed.
    convenience init(restoredFrom other: Town) {
        self.init(other.fleet.settings)
        guard let changes = other.fleet.takeChanges() else { return }
        var newest: [String: PlaceRow] = [:]
        for row in changes.places { newest[row.placeID] = row }
        do {
            for row in newest.values {
                try fleet.take(
                    .place(
                        StoredPlace(
                            placeID: row.placeID, revision: row.revision,
                            definition: row.definition, putAt: row.putAt,
                            isDeleted: row.deletedAt != nil, closedSince: row.closedSince)))
            }
            for row in changes.placeCommands {
                guard let id = row.commandID else { continue }
                try fleet.take(
                    .placeCommandID(placeID: row.placeID, commandID: id, at: row.receivedAt))
            }
            for row in changes.vehicles { try fleet.take(.vehicle(row)) }
            for change in changes.trips where !change.trip.isOver {
                try fleet.take(.trip(change.stored))
            }
        } catch {
            Issue.record(error)
        }
    }

    /// A moment of the story.
    static func time(_ seconds: Double) -> Timestamp { Timestamp(seconds: start + seconds) }

    /// Takes it that all that was to be published and asked so far has been.
    func clear() {
        for vehicle in fleet.outbox.moved { vehicle.announcement.isDue = false }
        fleet.outbox = Outbox()
    }

    var changes: StoreChanges { fleet.changes ?? StoreChanges(from: 0) }
    var published: [Publication] { fleet.outbox.publications }
    var alarms: [String] {
        changes.events.compactMap { row in
            guard row.home == .alarms, let vehicleID = row.vehicleID, let number = row.sequence
            else {
                return nil
            }
            return "\(vehicleID) \(number) \(row.type)"
        }
    }

    func take(_ topic: String, _ payload: String, at seconds: Double = 0) {
        append(.message, topic, payload, at: seconds)
    }

    func put(_ id: String, _ members: String, at seconds: Double = 0) {
        take("fleet-place/\(id)/command/put", "{\(members)}", at: seconds)
    }

    func drive(_ vehicle: String, at seconds: Double, _ latitude: Double, _ longitude: Double) {
        take(
            "fleet/\(vehicle)/position",
            "{\"time\":\(Self.start + seconds),\"lat\":\(latitude),\"lon\":\(longitude)}",
            at: seconds)
    }

    func clock(_ vehicle: String, at seconds: Double) { append(.clock, vehicle, "", at: seconds) }

    /// The clock's word to a vehicle's trip.
    func tick(_ vehicle: String, at seconds: Double) {
        append(.clock, vehicle, "\u{1}", at: seconds)
    }

    /// The clock's word to the roadblocks.
    func changeRoads(at seconds: Double) { append(.clock, "", "", at: seconds) }

    func command(_ vehicle: String, _ name: String, _ members: String, at seconds: Double) {
        take("fleet/\(vehicle)/command/\(name)", "{\(members)}", at: seconds)
    }

    /// A planner's answer to the question that is out.
    func answer(_ vehicle: String, _ route: ProvidedRoute, at seconds: Double) {
        guard let trip = fleet.vehicles[vehicle]?.trip,
            let request = trip.outstandingRequest?.request.number
        else {
            Issue.record("no question is out")
            return
        }
        let notice = Notice(tripID: trip.id, request: request, route: route, deviationPath: [])
        append(.route, vehicle, String(decoding: notice.encoded(), as: UTF8.self), at: seconds)
    }

    func progress(_ vehicle: String) -> String {
        let payload = fleet.vehicles[vehicle].flatMap { fleet.progressPayload(of: $0) } ?? []
        return String(decoding: payload, as: UTF8.self)
    }

    private func append(_ kind: EntryKind, _ topic: String, _ payload: String, at seconds: Double) {
        var batch = EntryBatch()
        batch.first = fleet.position
        Array(topic.utf8).withUnsafeBytes { topic in
            Array(payload.utf8).withUnsafeBytes { payload in
                batch.append(
                    kind, receivedAt: Timestamp(seconds: Self.start + seconds), topic: topic,
                    payload: payload)
            }
        }
        fleet.apply(batch)
    }
}

extension Publication {
    var text: String { String(decoding: payload, as: UTF8.self) }
}

extension StoreChanges.TripChange {
    /// The trip as the tables would give it back.
    fileprivate var stored: StoredTrip {
        StoredTrip(
            row: TripRow(
                tripID: trip.id, vehicleID: trip.vehicleID, state: trip.progress.state.rawValue,
                assignedAt: trip.assignedAt.microseconds, endedAt: nil,
                routeRevision: trip.routeRevision, assignment: nil, route: nil),
            assignment: trip.encodeAssignment(), route: trip.encodeRoute(),
            state: trip.encodeState())
    }
}
