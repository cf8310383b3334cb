import Foundation
import Geometry
import Testing

/// The main job, on real servers.
@Suite(.serialized, .timeLimit(.minutes(2))) struct MainJobTests {
    /// A car's drive, recorded in Croatia, as places and seconds since its begin.
    private static func recording() throws -> [(place: Coordinate, seconds: Double)] {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Fixtures/traces/around-visnjan-with-car.gpx")
        let text = try String(contentsOf: file, encoding: .utf8)
        let points = text.matches(
            of: /<trkpt lat="([-0-9.]+)" lon="([-0-9.]+)">.*?<time>([^<]+)<\/time>/
                .dotMatchesNewlines())
        var begin: Date?
        return try points.map { point in
            let time = try #require(ISO8601DateFormatter().date(from: String(point.output.3)))
            begin = begin ?? time
            return (
                Coordinate(
                    latitude: try #require(Double(point.output.1)),
                    longitude: try #require(Double(point.output.2))),
                time.timeIntervalSince(begin ?? time)
            )
        }
    }

    @Test func aRecordedDriveIsHeldReleasedAndArrives() throws {
        let test = try WorkerUnderTest()
        let drive = try Self.recording()
        let begin = Date.now.timeIntervalSince1970 - 1000
        let line = drive.map { "[\($0.place.longitude),\($0.place.latitude)]" }
        let stop = drive[drive.count / 2].place
        test.client.publish(
            "fleet/car/command/assign",
            """
            {"trip_id":"drive","command_id":"a","route":{"coordinates":[\(line.joined(separator: ","))]},
             "via_points":[{"lat":\(stop.latitude),"lon":\(stop.longitude),"name":"mill"}],
             "options":{"max_age_at_assignment_s":2000}}
            """)
        try test.client.event("trip_assigned", of: "car")
        var isReleased = false
        for point in drive {
            test.client.publish(
                "fleet/car/position",
                "{\"time\":\(begin + point.seconds),\"lat\":\(point.place.latitude),"
                    + "\"lon\":\(point.place.longitude)}")
            guard !isReleased, point.place == stop else { continue }
            let reached = try test.client.event("waypoint_reached", of: "car")
            #expect(reached.held == true && reached.waypoint?.index == 0)
            test.client.publish("fleet/car/command/proceed", "{\"command_id\":\"p\"}")
            #expect(try test.client.event("waypoint_resumed", of: "car").command_id == "p")
            isReleased = true
        }
        try test.client.event("arrived", of: "car")
        let events = test.client.events(of: "car")
        #expect(
            events.map(\.type) == [
                "trip_assigned", "waypoint_reached", "waypoint_resumed", "arrived",
            ])
        #expect(events.map(\.sequence) == [1, 2, 3, 4])
        try checkTables(test, drive.count)
    }

    private func checkTables(_ test: WorkerUnderTest, _ count: Int) throws {
        try test.expect(
            ["drive|car|arrived|t|1"],
            from: """
                select trip_id, vehicle_id, state, ended_at is not null, route_revision
                from waygate.trips
                """)
        try test.expect(
            ["0|mill|visited|t|t"],
            from: """
                select waypoint_index, name, status, reached_at is not null,
                    resumed_at is not null from waygate.trip_waypoints
                """)
        try test.expect(
            ["\(count)|\(count)"],
            from: "select count(*), count(distinct (fix_time, lat, lon)) from waygate.positions")
        try test.expect(
            ["4|4"], from: "select count(*), count(published_at) from waygate.trip_events")
        try test.expect(
            ["assign|done", "proceed|done"],
            from: "select name, outcome from waygate.commands order by received_at")
        try test.expect(
            ["arrived|0|f"],
            from: """
                select state, remaining_waypoints, waiting_at_waypoint from waygate.trip_progress
                """)
        try test.expect(
            ["car|t"], from: "select vehicle_id, trip_id is null from waygate.vehicles")
        #expect(test.client.last("fleet/car/route") == "")
    }

    @Test func anOutsidePlannerIsAskedAndAnswers() throws {
        let test = try WorkerUnderTest()
        let now = Date.now.timeIntervalSince1970
        test.client.publish(
            "fleet/v/command/assign",
            """
            {"trip_id":"t","route":{"coordinates":[[9.5,47.1],[9.55,47.1]]},
             "via_points":[{"lat":47.1,"lon":9.53}]}
            """)
        test.client.publish(
            "fleet/v/position", "{\"time\":\(now - 100),\"lat\":47.1,\"lon\":9.51}")
        test.client.publish(
            "fleet/v/position", "{\"time\":\(now - 60),\"lat\":47.108,\"lon\":9.512}")
        let asked = try test.client.event("will_reroute", of: "v")
        #expect(asked.reason == "deviation" && asked.request?.number == 1)
        let route = "{\"coordinates\":[[9.512,47.108],[9.53,47.1],[9.55,47.1]]}"
        test.client.publish(
            "fleet/v/command/route", "{\"request\":7,\"route\":\(route)}")
        #expect(
            try test.client.event("command_rejected", of: "v").reason == "request_mismatch")
        test.client.publish(
            "fleet/v/command/route", "{\"request\":1,\"route\":\(route)}")
        #expect(try test.client.event("rerouted", of: "v").reason == "deviation")
        try test.expect(["2|tracking"], from: "select route_revision, state from waygate.trips")
    }

    @Test func payloadsOfEveryKindFindTheirPlace() throws {
        let test = try WorkerUnderTest()
        let now = Int(Date.now.timeIntervalSince1970) - 9000
        let good = { (offset: Int) in "{\"time\":\(now + offset),\"lat\":52.5,\"lon\":13.4}" }
        for (index, name) in ["a b", "käfer", "50%", String(repeating: "x", count: 128)]
            .enumerated()
        {
            test.client.publish("fleet/\(name)/position", good(index))
        }
        test.client.publish("fleet/\(String(repeating: "y", count: 129))/position", good(9))
        test.client.publish(
            "fleet/nul/position",
            "{\"time\":\(now),\"lat\":1.5,\"lon\":2.5,\"attributes\":{\"a\":\"x\\u0000y\"}}")
        test.client.publish("fleet/deep/position", String(repeating: "[", count: 70))
        let batch = (0..<5000).map { good($0) }.joined(separator: ",")
        test.client.publish("fleet/batch/position", "[\(batch),{\"lat\":1}]")
        let large = "{\"time\":\(now),\"lat\":1,\"lon\":2,\"attributes\":{\"a\":\""
        test.client.publish(
            "fleet/large/position", large + String(repeating: "z", count: 262_144) + "\"}}")
        for _ in 0..<2 { test.client.publish("fleet/twice/position", good(1)) }
        test.client.publish("fleet/last/position", good(3))
        try test.expect(
            ["1"], from: "select count(*) from waygate.vehicles where vehicle_id = 'last'")
        try test.expect(
            ["5000"], from: "select count(*) from waygate.positions where vehicle_id = 'batch'")
        try test.expect(
            ["1"], from: "select count(*) from waygate.positions where vehicle_id = 'twice'")
        try test.expect(
            ["xy"],
            from: "select attributes->>'a' from waygate.positions where vehicle_id = 'nul'")
        try test.expect(
            ["4"],
            from: """
                select count(*) from waygate.vehicles
                where vehicle_id in ('a b', 'käfer', '50%', repeat('x', 128))
                """)
        try test.expect(
            [
                "invalid_json||70", "invalid_vehicle_id||41",
                "missing_coordinates|5000|\(batch.utf8.count + 12)",
                "payload_too_large||\(large.utf8.count + 262_147)",
            ],
            from: """
                select reason, element_index, payload_bytes from waygate.rejected_messages
                order by reason
                """)
    }

    @Test func copiesAreStoredOnceAndLateFixesAreHistory() throws {
        let test = try WorkerUnderTest()
        let now = Int(Date.now.timeIntervalSince1970)
        let fix = { (time: Int, east: Double) in
            "{\"time\":\(time),\"lat\":47.1,\"lon\":\(east)}"
        }
        let yesterday = fix(now - 86_400, 9.4)
        test.client.publish("fleet/v/position", yesterday)
        test.client.publish(
            "fleet/v/command/assign",
            "{\"trip_id\":\"t\",\"route\":{\"coordinates\":[[9.5,47.1],[9.6,47.1]]}}")
        // The same second at two places are two fixes; a copy within the batch is none.
        let here = fix(now - 50, 9.501)
        test.client.publish("fleet/v/position", "[\(here),\(fix(now - 50, 9.502)),\(here)]")
        test.client.publish("fleet/v/position", fix(now - 20, 9.503))
        test.client.publish("fleet/v/position", fix(now - 40, 9.5025))
        try test.client.settle()
        #expect(try test.stop() == 0)
        try test.start()
        for copy in [yesterday, here, fix(now - 40, 9.5025)] {
            test.client.publish("fleet/v/position", copy)
        }
        test.client.publish("fleet/last/position", here)
        try test.expect(
            ["1"], from: "select count(*) from waygate.vehicles where vehicle_id = 'last'")
        try test.expect(
            ["9.4|f", "9.501|t", "9.502|f", "9.5025|f", "9.503|t"],
            from: "select lon, tracked from waygate.positions where vehicle_id = 'v' order by lon")
        try test.expect(
            ["9.503"], from: "select lon from waygate.vehicles where vehicle_id = 'v'")
    }
}
