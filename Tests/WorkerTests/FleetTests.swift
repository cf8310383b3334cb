import Geometry
import Spool
import Store
import Telemetry
import Testing
import Tracking

@testable import Worker

/// What messages do to the fleet.
@Suite struct FleetTests {
    /// 2026-03-01T12:00:00Z.
    private static let start = 1_772_366_400.0

    /// A fleet that collects its rows, and takes one message after the other.
    private struct Story {
        let fleet = Fleet(
            position: 0, spoolID: "s", settings: FleetSettings(topicRoot: "fleet"), isLive: false)

        init() { fleet.changes = StoreChanges(from: 0) }

        func take(_ topic: String, _ payload: String, at seconds: Double = 0) {
            var batch = EntryBatch()
            batch.first = fleet.position
            Array(topic.utf8).withUnsafeBytes { topic in
                Array(payload.utf8).withUnsafeBytes { payload in
                    batch.append(
                        .message, receivedAt: Timestamp(seconds: FleetTests.start + seconds),
                        topic: topic, payload: payload)
                }
            }
            fleet.apply(batch)
        }

        func assign(_ vehicle: String, _ trip: String, _ members: String = "", at: Double = 0) {
            take(
                "fleet/\(vehicle)/command/assign",
                """
                {"trip_id":"\(trip)","route":{"coordinates":[[9.5,47.1],[9.52,47.1],[9.54,47.1]]},
                "via_points":[{"lat":47.1,"lon":9.52,"name":"Depot"}],
                "options":{"wait_at_waypoints":false}\(members)}
                """, at: at)
        }

        var changes: StoreChanges { fleet.changes ?? StoreChanges(from: 0) }
        var told: [String] { changes.events.map(\.type) }
    }

    @Test func aBatchIsJudgedInTheOrderOfItsTimes() throws {
        let story = Story()
        story.assign("van-7", "batch-1")
        let fixes = [(0.0, 9.535), (-60, 9.5275), (-120, 9.52), (-180, 9.51)].map {
            "{\"time\":\(Self.start + $0.0),\"lat\":47.1,\"lon\":\($0.1)}"
        }
        story.take("fleet/van-7/position", "[\(fixes.joined(separator: ","))]", at: 1)
        #expect(story.told == ["trip_assigned", "waypoint_reached"])
        let reached = try #require(story.changes.events.last)
        #expect(reached.occurredAt == Int64(Self.start - 120) * 1_000_000)
        #expect(reached.body.contains("\"distance_m\":0}"))
        #expect(story.changes.positions.map(\.tracked) == [true, true, true, true])
        let progress = story.fleet.vehicles["van-7"]?.progress()
        #expect(progress?.reported?.longitude == 9.535)
    }

    @Test func anAssignmentThatWaitedHasTheDriveThatWaitedWithIt() throws {
        let story = Story()
        story.assign("van-7", "queued-1", ",\"time\":\(Self.start - 3600)")
        for minute in 0..<60 {
            story.take(
                "fleet/van-7/position",
                "{\"time\":\(Self.start - 3600 + Double(minute) * 60),\"lat\":47.1,"
                    + "\"lon\":\(9.5 + 0.0395 * Double(minute) / 59)}", at: 1)
        }
        #expect(!story.changes.positions.map(\.tracked).contains(false))
        #expect(story.told == ["trip_assigned", "waypoint_reached", "arrived"])
    }

    @Test func twoVehiclesMayHaveTripsOfOneID() {
        let story = Story()
        story.assign("van-7", "t1")
        story.assign("van-8", "t1")
        #expect(story.told == ["trip_assigned", "trip_assigned"])
        #expect(Set(story.changes.events.map(\.eventID)).count == 2)
    }

    @Test func aTripsIDIsFreeAgainAfterItsRetention() {
        let story = Story()
        let day = 86_400.0
        story.assign("van-7", "t1")
        story.take("fleet/van-7/command/stop", "", at: 10 * day)
        story.assign("van-7", "t1", at: 374 * day)
        #expect(story.told == ["trip_assigned", "trip_stopped", "command_rejected"])
        story.assign("van-7", "t1", at: 376 * day)
        #expect(story.told.last == "trip_assigned")
    }

    @Test func aCommandIsKnownByItsIDForThirtyDays() {
        let story = Story()
        let day = 86_400.0
        story.assign("van-7", "t1")
        let command = "{\"command_id\":\"c1\"}"
        for time in [1.0, 29 * day, 30 * day + 2] {
            story.take("fleet/van-7/command/skip", command, at: time)
        }
        // The second one is a repeat; the third is not, and finds nothing to skip.
        #expect(story.told == ["trip_assigned", "waypoint_skipped", "command_rejected"])
    }

    @Test(arguments: [Level.number(2), .number(-0.5), .text("2"), .text("P1 \"north\"")])
    func aFloorComesBackAsItWasSent(level: Level) throws {
        var row = VehicleRow(
            vehicleID: "van-7", fixTime: 1, latitude: 47, longitude: 9, updatedAt: 2)
        row.level = level.json
        let story = Story()
        try story.fleet.take(.vehicle(row))
        #expect(story.fleet.vehicles["van-7"]?.newest?.level == level)
    }
}
