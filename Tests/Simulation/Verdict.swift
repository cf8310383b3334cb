import Foundation
import Spool
import Store
import Tracking

@testable import Worker

/// What is wrong with a run that has come to rest: held against a fresh replay of all that was spooled.
struct Verdict {
    private(set) var faults: [String] = []
    let world: World

    init(_ world: World) {
        self.world = world
        let fleet = Fleet(
            position: 0, spoolID: "simulated", settings: world.settings, isLive: false)
        fleet.changes = StoreChanges(from: 0)
        for batch in world.disk.archive { fleet.apply(EntryBatch(batch)) }
        let progress = fleet.vehicles.values.map { vehicle in
            (vehicle.id, fleet.progressPayload(of: vehicle), fleet.routePayload(of: vehicle))
        }
        let proposals = fleet.vehicles.mapValues(fleet.proposalPayload)
        guard let expected = fleet.takeChanges() else { return }
        judgePositions(expected)
        judgeEvents(expected)
        judgeTrips(expected)
        judgeInputs(expected)
        judgeTime(expected)
        judgePublications()
        judgePlaces(fleet, expected)
        for (vehicleID, progress, route) in progress {
            judgeRetained(vehicleID, progress, route)
        }
        judgeProposals(proposals)
    }

    mutating func expect(_ holds: Bool, _ fault: @autoclosure () -> String) {
        if !holds, faults.count < 10 { faults.append(fault()) }
    }

    private mutating func judgePositions(_ expected: StoreChanges) {
        let world = world
        var rows: [SimulatedTables.PositionKey: PositionRow] = [:]
        for row in expected.positions where row.latitude != SimulatedTables.poison {
            let key = SimulatedTables.PositionKey(
                vehicleID: row.vehicleID, fixTime: row.fixTime, latitude: row.latitude,
                longitude: row.longitude)
            if rows[key] == nil { rows[key] = row }
        }
        expect(
            rows.count == world.tables.positions.count,
            "\(world.tables.positions.count) positions, not \(rows.count)")
        for (key, row) in rows {
            let stored = world.tables.positions[key]
            expect(stored == row, "position \(row) is stored as \(stored as Any)")
        }
    }

    private mutating func judgeEvents(_ expected: StoreChanges) {
        let world = world
        let stored = world.tables.events
        expect(
            stored.count == expected.events.count,
            "\(stored.count) events, not \(expected.events.count)")
        for row in expected.events {
            let body = stored[row.eventID]?.body
            expect(body == row.body, "event \(row.body) is stored as \(body ?? "nothing")")
        }
        let ofTrips = stored.values.filter { $0.home == .trips }
        for (trip, events) in Dictionary(grouping: ofTrips, by: \.trip)
        where trip != nil {
            let numbers = events.compactMap(\.sequence).sorted()
            expect(numbers == Array(1..<numbers.count + 1), "trip \(trip ?? "") has \(numbers)")
        }
    }

    private mutating func judgeTrips(_ expected: StoreChanges) {
        let world = world
        for change in expected.trips {
            let key = SimulatedTables.TripKey(
                vehicleID: change.trip.vehicleID, tripID: change.trip.id)
            let stored = world.tables.progress[key]?.packed
            expect(
                stored == change.trip.encodeState(),
                "the state of trip \(change.trip.id) is not the replay's")
            expect(
                world.tables.trips[key]?.state == change.trip.state.rawValue,
                "the row of trip \(change.trip.id) is not the replay's")
        }
    }

    private mutating func judgeInputs(_ expected: StoreChanges) {
        let world = world
        let commands = world.tables.commands
        let wanted = expected.commands.filter { $0.commandID != SimulatedTables.poisonText }
        expect(
            commands.map(\.receivedAt).sorted() == wanted.map(\.receivedAt).sorted(),
            "\(commands.count) commands, not \(wanted.count)")
        let ids = commands.filter { $0.reason == nil }.compactMap(\.commandID)
        expect(Set(ids).count == ids.count, "a command was carried out twice: \(ids)")
        for (command, sent) in world.bareCommands {
            let done = commands.count {
                $0.commandID == nil && "\($0.vehicleID) \($0.name)" == command
            }
            expect(done >= sent, "\(command) was sent \(sent) times and came \(done) times")
        }
        // A refused row of a rejected message becomes another one.
        let poison = expected.positions.count { $0.latitude == SimulatedTables.poison }
        let rejections = expected.rejected.count + poison + expected.commands.count - wanted.count
        expect(
            world.tables.rejected.count == rejections,
            "\(world.tables.rejected.count) rejections, not \(rejections)")
        for row in world.tables.rejected where row.reason == "store_refused" {
            expect(
                !row.topic.isEmpty && !row.payload.isEmpty, "a refusal without its message: \(row)")
        }
        let reports = Set(world.broker.taken.filter { $0.payload.hasSuffix("}") }.map(\.payload))
            .filter {
                $0.hasPrefix("{\"time\"") && !$0.contains("\"lat\":\(SimulatedTables.poison)")
            }
        // A clock that is behind takes vehicles for ones from the future.
        let early = expected.rejected.count { $0.reason == "time_in_future" }
        expect(
            reports.count <= world.tables.positions.count + early,
            "\(reports.count) acknowledged positions, \(world.tables.positions.count) stored")
    }

    /// No step of the machine's clock ends a trip, or makes it deaf.
    private mutating func judgeTime(_ expected: StoreChanges) {
        for event in expected.events where event.type == "trip_stopped" {
            expect(!event.body.contains("\"expired\""), "expired within an hour: \(event.body)")
        }
        for vehicle in expected.vehicles where vehicle.tripID != nil {
            let last = expected.positions.filter { $0.vehicleID == vehicle.vehicleID }
                .max { $0.fixTime < $1.fixTime }
            expect(last?.tracked != false, "deaf on its trip: \(vehicle)")
        }
    }

    private mutating func judgePublications() {
        let world = world
        var newest: [String: Int] = [:]
        var seen: Set<String> = []
        for message in world.broker.published
        where message.topic.contains("/event/") || message.topic.contains("/alarm/") {
            guard let event = Event(message.payload) else {
                expect(false, "published \(message.payload)")
                continue
            }
            let stored = world.tables.events[event.id]?.body
            expect(stored == message.payload, "\(message.payload) is not in the tables")
            // A trip's events have an order, and so have a vehicle's alarms.
            let isAlarm = message.topic.contains("/alarm/")
            guard seen.insert(event.id).inserted, let sequence = event.sequence,
                let owner = isAlarm ? event.vehicle_id : event.trip
            else { continue }
            expect(
                sequence == (newest[owner] ?? 0) + 1,
                "\(owner): \(sequence) was published after \(newest[owner] ?? 0)")
            newest[owner] = sequence
        }
        for row in world.tables.events.values {
            expect(seen.contains(row.eventID), "never published: \(row.body)")
        }
    }

    private struct Event: Decodable {
        var id: String
        var vehicle_id: String?
        var trip_id: String?
        var sequence: Int?

        var trip: String? { trip_id.map { "\(vehicle_id ?? "")/\($0)" } }

        init?(_ text: String) {
            guard let event = try? JSONDecoder().decode(Event.self, from: Data(text.utf8)) else {
                return nil
            }
            self = event
        }
    }

    /// What the broker keeps for new dashboards is the newest there is.
    private mutating func judgeRetained(
        _ vehicleID: String, _ progress: [UInt8]?, _ route: [UInt8]
    ) {
        let last = { [world] (topic: String) in world.broker.kept["fleet/\(vehicleID)/\(topic)"] }
        let expected = progress.map { String(decoding: $0, as: UTF8.self) }
        let isOver = expected.map { $0.contains("\"arrived\"") || $0.contains("\"stopped\"") }
        // How a trip ended is not remembered over a restart; the vehicle is idle then.
        if let expected, isOver == false {
            let kept = last("progress")
            expect(
                kept.map(Self.place) == Self.place(expected),
                "kept progress \(kept ?? "none"), not \(expected)")
        }
        let kept = Self.outline(last("route") ?? "")
        let newest = Self.outline(String(decoding: route, as: UTF8.self))
        expect(kept == newest, "the kept route of \(vehicleID) is \(kept), not \(newest)")
    }

    /// Whose route it is, and what became of its via points: the travelled part is as old as the last event.
    private static func outline(_ route: String) -> [Substring] {
        let whose = route.prefix { $0 != "[" }
        return [whose] + route.matches(of: /"status":"[a-z]+"/).map(\.output)
    }

    /// The part of a progress message that does not depend on how often the worker was restarted.
    private static func place(_ progress: String) -> String {
        String(progress.prefix { $0 != "~" }.split(separator: "\"animation_ms\"")[0])
    }
}

extension EventRow {
    /// The trip among all vehicles'.
    fileprivate var trip: String? {
        guard let vehicleID, let tripID else { return nil }
        return "\(vehicleID)/\(tripID)"
    }
}
