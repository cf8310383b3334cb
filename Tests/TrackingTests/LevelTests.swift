import Geometry
import Testing
import Tracking

/// Floors of via points and fixes.
@Suite struct LevelTests {
    private static func trip(stopLevel: Level?) throws -> Trip {
        let line = [TripStory.place(0, 0), TripStory.place(2000, 0)]
        let stop = Target(coordinate: TripStory.place(1000, 0), level: stopLevel)
        let assignment = Assignment(
            tripID: "trip", vehicleID: "vehicle", route: ProvidedRoute(coordinates: line),
            viaPoints: [stop])
        return try Trip.start(assignment, newest: nil, at: Timestamp(seconds: 0)).trip
    }

    private static func told(_ trip: inout Trip, _ east: Double, _ level: Level?) -> [String] {
        let fix = Fix(
            time: Timestamp(seconds: east), coordinate: TripStory.place(east, 0), level: level)
        return trip.handle(.fix(fix), at: fix.time).told
    }

    @Test func aFixOnAnotherFloorReachesNothingByDistance() throws {
        var trip = try Self.trip(stopLevel: .number(2))
        #expect(Self.told(&trip, 970, .number(1)) == [])
        // The gate holds a vehicle all the same, so that no trip hangs on a barometer.
        #expect(Self.told(&trip, 1005, .number(1)) == ["waypoint_reached 0"])
    }

    private static let same: [(Level, Level)] = [
        (.number(2), .text("2")), (.text("2"), .number(2)), (.text("-1"), .number(-1)),
        (.number(2.5), .text("2.5")), (.text("P3"), .text("P3")),
    ]

    @Test(arguments: same)
    func floorsThatAreWrittenTheSameAreTheSame(_ wanted: Level, _ reported: Level) throws {
        var trip = try Self.trip(stopLevel: wanted)
        #expect(Self.told(&trip, 970, reported) == ["waypoint_reached 0"])
    }

    private static let unknown: [(Level?, Level?)] = [(.number(2), nil), (nil, .text("2"))]

    @Test(arguments: unknown)
    func floorsCountOnlyWhereBothNameTheirs(_ wanted: Level?, _ reported: Level?) throws {
        var trip = try Self.trip(stopLevel: wanted)
        #expect(Self.told(&trip, 970, reported) == ["waypoint_reached 0"])
    }
}
