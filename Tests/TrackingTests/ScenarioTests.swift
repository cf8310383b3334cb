import Geometry
import Testing
import Tracking

/// The hard cases, event for event.
@Suite struct ScenarioTests {
    static let all =
        (try? ["tracking.json", "tracking-2.json", "tracking-3.json"].flatMap(Scenario.load)) ?? []

    @Test func allAreThere() {
        #expect(Self.all.count == 68)
    }

    @Test(arguments: all)
    func tells(_ scenario: Scenario) throws {
        let first = try #require(scenario.inputs.first)
        var trip = try Trip.start(
            scenario.assignment(), newest: nil, at: Timestamp(seconds: first.t)
        ).trip
        // The fixtures were written before `hold_breached`, and leave held vehicles drive off.
        let namesBreaches = scenario.expect.contains { $0.event == "hold_breached" }
        var happened: [Happening] = []
        for (index, input) in scenario.inputs.enumerated() {
            let (tripInput, received) = try input.tripInput()
            let events = trip.handle(tripInput, at: received).events
            happened += events.map { Happening(index: index, event: $0) }
                .filter { namesBreaches || $0.event.kind.name != "hold_breached" }
            for state in scenario.expect_state where state.after_input == index {
                check(trip, state)
            }
            trip = try Trip(
                assignment: trip.encodeAssignment(), route: trip.encodeRoute(),
                state: trip.encodeState())
        }
        let seen = happened.map(\.text).joined(separator: "\n")
        try #require(happened.count == scenario.expect.count, "\(seen)")
        for (expected, happening) in zip(scenario.expect, happened) {
            let event = happening.event
            #expect(happening.index == expected.after_input, "\(seen)")
            #expect(event.kind.name == expected.event, "\(seen)")
            if let index = expected.waypoint_index { #expect(event.kind.waypointIndex == index) }
            if let remaining = expected.remaining_waypoints {
                #expect(event.remainingWaypoints == remaining, "\(expected)")
            }
            if let carried = expected.carried_waypoints {
                #expect(event.kind.carriedWaypoints == carried)
            }
            if let held = expected.held, case .waypointReached(_, let isHeld, _) = event.kind {
                #expect(isHeld == held)
            }
            expect(
                event.kind.distance, expected.distance_m ?? expected.deviation_m,
                Comment(rawValue: happening.text))
        }
    }

    struct Happening {
        var index: Int
        var event: TripEvent
        var text: String { "#\(index) \(event.kind.name)" }
    }

    private func check(_ trip: Trip, _ expected: Scenario.ExpectedState) {
        let progress = trip.progress
        let after = Comment(rawValue: "after input \(expected.after_input)")
        if let state = expected.state { #expect(progress.state.rawValue == state, after) }
        if let remaining = expected.remaining_waypoints {
            #expect(progress.remainingWaypoints == remaining, after)
        }
        if expected.namesActiveWaypoint {
            #expect(progress.activeWaypoint?.index == expected.active_waypoint_index, after)
        }
        if let held = expected.held_waypoint_index {
            #expect(progress.waitsAtWaypoint && progress.activeWaypoint?.index == held, after)
        }
        expect(progress.remainingDistance, expected.remaining_distance_m, after)
        expect(progress.deviation, expected.deviation_m, after)
        if let place = expected.location {
            let there = Coordinate(latitude: place.lat, longitude: place.lon)
            let distance = progress.location?.distance(to: there) ?? .infinity
            #expect(distance <= place.tolerance_m, after)
        }
    }

    private func expect(_ value: Double?, _ expected: Scenario.Near?, _ after: Comment) {
        guard let expected else { return }
        let difference = abs((value ?? .infinity) - expected.value)
        #expect(difference <= expected.tolerance, "\(after.rawValue): \(value as Any)")
    }
}
