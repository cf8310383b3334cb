import Foundation
import Geometry
import Testing
import Tracking

/// How a trip is kept, in memory and as bytes.
@Suite struct StorageTests {
    /// The blocks of a trip as the first release wrote them: held once, proceeded, off its route with a request out,
    /// and with a spike that has not been confirmed.
    private static func snapshot() throws -> [[UInt8]] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/tracking/trip-snapshot.txt")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
            stride(from: 0, to: line.count, by: 2).compactMap { start in
                UInt8(line.dropFirst(start).prefix(2), radix: 16)
            }
        }
    }

    private static func restored() throws -> Trip {
        let blocks = try snapshot()
        try #require(blocks.count == 3)
        return try Trip(assignment: blocks[0], route: blocks[1], state: blocks[2])
    }

    // With all that it refers to, a trip with three via points takes less than 1.1 KB: see TrackingBenchmark.
    @Test func aTripTakesLittleRoom() {
        #expect(MemoryLayout<Trip>.stride <= 416)
        #expect(MemoryLayout<Target>.stride <= 56)
    }

    @Test func aTripOfTheFirstReleaseIsTakenBack() throws {
        let trip = try Self.restored()
        // What came later has its defaults.
        #expect(trip.options.approachDistance == 0 && trip.options.speedLimit == nil)
    }

    @Test func aTripThatIsTakenBackIsWrittenTheSame() throws {
        let trip = try Self.restored()
        let again = try Trip(
            assignment: trip.encodeAssignment(), route: trip.encodeRoute(),
            state: trip.encodeState())
        #expect(again.encodeAssignment() == trip.encodeAssignment())
        #expect(again.encodeRoute() == trip.encodeRoute())
        #expect(again.encodeState() == trip.encodeState())
    }

    @Test func aStateOfTheVersionBeforeRoadsIsTakenBack() throws {
        let trip = try Self.restored()
        var state = trip.encodeState()
        // What came with version 4 stands at the end: that there is nothing to remember.
        #expect(state.removeLast() == 0 && state[0] == 4)
        state[0] = 3
        let again = try Trip(
            assignment: trip.encodeAssignment(), route: trip.encodeRoute(), state: state)
        #expect(again.encodeState() == trip.encodeState())
    }

    @Test func theSpeedLimitsOfARouteAreKeptToTheDigit() throws {
        let route = ProvidedRoute(
            coordinates: [9.5, 9.51, 9.52, 9.53].map { Coordinate(latitude: 47, longitude: $0) },
            speedLimits: [13.9, 0, 27.8])
        let assignment = Assignment(tripID: "a", vehicleID: "v", route: route)
        let (trip, _) = try Trip.start(
            assignment, newest: nil, at: Timestamp(seconds: 0))
        let again = try Trip(
            assignment: trip.encodeAssignment(), route: trip.encodeRoute(),
            state: trip.encodeState())
        for view in [trip.view(match: nil), again.view(match: nil)] {
            #expect([100, 800, 1600].map(view.speedLimit(at:)) == [13.9, nil, 27.8])
            #expect(view.limitedPieces(from: 100, to: 800) == nil)
            #expect(
                view.limitedPieces(from: 100, to: 600) == [LimitedPiece(length: 500, limit: 13.9)])
        }
    }

    @Test func aTripOfALaterReleaseIsNot() throws {
        var blocks = try Self.snapshot()
        blocks[2][0] = 99
        #expect(throws: SnapshotError.self) {
            try Trip(assignment: blocks[0], route: blocks[1], state: blocks[2])
        }
    }

    @Test func aTripThatIsTakenBackIsWhereItWas() throws {
        let trip = try Self.restored()
        #expect(trip.state == .rerouting)
        #expect(trip.waypoints.map(\.status) == [.visited, .pending])
        #expect(trip.waypoints[0].reachedAt == Timestamp(seconds: 1070))
        #expect(trip.waypoints[0].resumedAt == Timestamp(seconds: 1100))
        #expect(trip.waypoints[0].target.level == .number(-1))
        #expect(trip.waypoints[0].target.attributes == "{\"gate\":4}")
        #expect(trip.waypoints[1].target.level == .text("U"))
        #expect(trip.waypoints[1].target.attributes == nil)
        #expect(trip.outstandingRequest?.since == Timestamp(seconds: 1140))
        #expect(trip.endedAt == nil)
        #expect(abs(trip.progress.travelledDistance - 1026.756) < 0.001)
    }

    @Test func aTripThatIsTakenBackKnowsItsSpike() throws {
        var trip = try Self.restored()
        let there = Fix(
            time: Timestamp(seconds: 1142), coordinate: Coordinate(latitude: 48, longitude: 9.014))
        #expect(trip.handle(.fix(there), at: there.time).disposition == .tracked)
    }

    @Test func aPlaceKeepsWhatFewPlacesHave() {
        var place = Target(coordinate: Coordinate(latitude: 47, longitude: 9), level: .number(2))
        place.attributes = "{}"
        #expect(place.level == .number(2))
        #expect(place.attributes == "{}")
        let copy = place
        place.level = nil
        #expect(place.attributes == "{}")
        #expect(copy.level == .number(2))
        place.attributes = nil
        #expect(place == Target(coordinate: Coordinate(latitude: 47, longitude: 9)))
    }
}
