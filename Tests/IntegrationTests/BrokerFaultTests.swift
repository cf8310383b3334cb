import Foundation
import TestServers
import Testing

/// A broker that refuses, forgets, counts anew, or takes small packets only.
@Suite(.serialized, .timeLimit(.minutes(4))) struct BrokerFaultTests {
    /// What the worker and the test need, but for events.
    private static let withoutEvents = """
        topic read #
        topic write fleet/+/position
        topic write fleet/+/command/+
        topic write fleet/+/progress
        topic write fleet/+/route
        topic write fleet-worker/+/status

        """

    /// Starts a trip along a parallel with via points at 9.51, 9.52, 9.53.
    private func assign(
        _ test: WorkerUnderTest, _ vehicle: String, viaPoints: Int = 1, options: String = "{}"
    ) {
        let places = (1...viaPoints).map { "{\"lat\":47.1,\"lon\":\(9.5 + Double($0) * 0.01)}" }
        test.client.publish(
            "fleet/\(vehicle)/command/assign",
            """
            {"trip_id":"t","command_id":"a","via_points":[\(places.joined(separator: ","))],
             "route":{"coordinates":[[9.5,47.1],[9.56,47.1]]},"options":\(options)}
            """)
    }

    private func report(_ test: WorkerUnderTest, _ vehicle: String, east: Double) {
        test.client.publish(
            "fleet/\(vehicle)/position",
            "{\"time\":\(Date.now.timeIntervalSince1970),\"lat\":47.1,\"lon\":\(east)}")
    }

    private func types(_ test: WorkerUnderTest, _ vehicle: String) -> [String] {
        test.client.events(of: vehicle).map(\.type)
    }

    @Test func whatTheBrokerRefusesComesInOrderOnceItIsAllowed() throws {
        let test = try WorkerUnderTest(
            brokerSettings: ["acl_file %FOLDER%/acl"], brokerFiles: ["acl": Self.withoutEvents])
        assign(test, "van-7")
        report(test, "van-7", east: 9.51)
        try test.expect(
            ["trip_assigned|", "waypoint_reached|"],
            from: "select type, published_at from waygate.trip_events order by sequence")
        // It is tried again, and said once.
        usleep(5_000_000)
        #expect(types(test, "van-7").isEmpty)
        let said = test.log().matches(of: /the broker refuses a message/).count
        #expect(said == 1)

        let acl = test.broker.folder.appending(path: "acl")
        try Data((Self.withoutEvents + "topic write fleet/+/event/+\n").utf8).write(to: acl)
        test.broker.signal(SIGHUP)
        try test.client.event("waypoint_reached", of: "van-7", within: 30)
        #expect(types(test, "van-7") == ["trip_assigned", "waypoint_reached"])
        try test.expect(
            ["2"],
            from: "select count(*) from waygate.trip_events where published_at is not null")
        let ids = try test.rows("select event_id from waygate.trip_events order by sequence")
        #expect(test.client.events(of: "van-7").map(\.id) == ids)
        #expect(test.log().contains("the broker takes again what it refused"))
    }

    @Test func whatTheBrokerRefusedComesAfterARestartOfTheWorkerToo() throws {
        let test = try WorkerUnderTest(
            brokerSettings: ["acl_file %FOLDER%/acl"], brokerFiles: ["acl": Self.withoutEvents])
        assign(test, "van-7")
        report(test, "van-7", east: 9.51)
        try test.expect(
            ["2"], from: "select count(*) from waygate.trip_events where published_at is null")
        let before = ContinuousClock.now
        #expect(try test.stop() == 0)
        #expect(ContinuousClock.now - before < .seconds(5))
        let acl = test.broker.folder.appending(path: "acl")
        try Data((Self.withoutEvents + "topic write fleet/+/event/+\n").utf8).write(to: acl)
        test.broker.signal(SIGHUP)
        try test.start()
        try test.client.event("waypoint_reached", of: "van-7")
        #expect(types(test, "van-7") == ["trip_assigned", "waypoint_reached"])
    }

    @Test func aBrokerThatForgetsIsToldAgain() throws {
        let test = try WorkerUnderTest()
        assign(test, "van-7")
        report(test, "van-7", east: 9.51)
        report(test, "van-8", east: 9.6)
        try test.client.event("waypoint_reached", of: "van-7")
        try test.client.wait("progress of the idle vehicle") {
            test.client.last("fleet/van-8/progress")
        }
        test.broker.kill()
        try test.broker.forgetSessions()
        let online = test.client.count("fleet-worker/waygate/status", containing: "online")
        try test.broker.start()
        try test.client.wait("online", within: 15) {
            test.client.count("fleet-worker/waygate/status", containing: "online") > online
                ? true : nil
        }
        let fresh = try FleetClient(
            port: test.broker.port,
            filters: ["fleet/+/route", "fleet/+/progress", "fleet-worker/+/status"])
        for topic in ["fleet/van-7/route", "fleet/van-7/progress", "fleet/van-8/progress"] {
            try fresh.wait(topic, within: 10) { fresh.last(topic) }
        }
        #expect(fresh.last("fleet/van-7/progress")?.contains("\"held\"") == true)
        #expect(fresh.last("fleet-worker/waygate/status") == "{\"state\":\"online\"}")
        #expect(types(test, "van-7") == ["trip_assigned", "waypoint_reached"])
    }

    @Test func aRestartOfTheWorkerTellsABrokerThatHasForgotten() throws {
        let test = try WorkerUnderTest()
        assign(test, "van-7")
        try test.client.event("trip_assigned", of: "van-7")
        try test.client.wait("the route") { test.client.last("fleet/van-7/route") }
        #expect(try test.stop() == 0)
        test.broker.stop()
        try test.broker.forgetSessions()
        try test.broker.start()
        try test.start()
        let fresh = try FleetClient(port: test.broker.port, filters: ["fleet/+/route"])
        try fresh.wait("the route", within: 10) { fresh.last("fleet/van-7/route") }
    }

    /// What was sent after the broker had saved its state is forgotten with its packet ids.
    @Test func aBareCommandIsNoRedelivery() throws {
        let test = try WorkerUnderTest(brokerSettings: ["autosave_interval 0"])
        assign(test, "van-7", viaPoints: 3)
        try test.client.event("trip_assigned", of: "van-7")
        try test.client.settle()
        test.broker.signal(SIGUSR1)
        usleep(500_000)
        test.client.publish("fleet/van-7/command/skip", "{}")
        try test.client.event("waypoint_skipped", of: "van-7", number: 1)
        let online = test.client.count("fleet-worker/waygate/status", containing: "online")
        test.broker.kill()
        try test.broker.start()
        try test.client.wait("online", within: 20) {
            test.client.count("fleet-worker/waygate/status", containing: "online") > online
                ? true : nil
        }
        test.client.publish("fleet/van-7/command/skip", "{}")
        try test.client.event("waypoint_skipped", of: "van-7", number: 2)
    }

    @Test(arguments: ["auto", "3.1.1"])
    func aRouteThatIsTooLargeHoldsUpNobody(version: String) throws {
        let test = try WorkerUnderTest(
            brokerMembers: "version: \"\(version)\"",
            brokerSettings: ["max_packet_size 20000"])
        test.client.publish(
            "fleet/van-7/command/assign",
            """
            {"trip_id":"long","route":{"polyline":"\(Self.zigzag(3000))","precision":5},
             "via_points":[{"lat":47.1,"lon":9.51}],"options":{"wait_at_waypoints":false}}
            """)
        report(test, "van-7", east: 9.51)
        assign(test, "van-8", options: "{\"wait_at_waypoints\":false}")
        report(test, "van-8", east: 9.51)
        let begin = ContinuousClock.now
        for vehicle in ["van-7", "van-8"] {
            try test.client.event("waypoint_reached", of: vehicle, within: 10)
            #expect(types(test, vehicle) == ["trip_assigned", "waypoint_reached"])
        }
        #expect(ContinuousClock.now - begin < .seconds(10))
        try test.client.wait("the short route") { test.client.last("fleet/van-8/route") }
        // It is remembered: the next change costs no connection.
        let losses = test.log().matches(of: /the broker is away/).count
        #expect(losses <= (version == "auto" ? 0 : 6))
        test.client.publish("fleet/van-7/command/stop", "{}")
        try test.client.event("trip_stopped", of: "van-7", within: 5)
        #expect(test.log().matches(of: /the broker is away/).count == losses)
        #expect(test.log().matches(of: /a route is larger than the broker takes/).count == 1)
        #expect(Set(test.client.heard("fleet/van-7/route")).isSubset(of: [""]))
    }

    /// Returns so many vertices eastward from 9.5, 47.1 in steps of 0.00002, as an encoded polyline.
    private static func zigzag(_ count: Int) -> String {
        func encode(_ value: Int) -> String {
            var rest = value < 0 ? ~(value << 1) : value << 1
            var text = ""
            while rest >= 0x20 {
                text.unicodeScalars.append(Unicode.Scalar(UInt8(0x20 | rest & 0x1F) + 63))
                rest >>= 5
            }
            text.unicodeScalars.append(Unicode.Scalar(UInt8(rest) + 63))
            return text
        }
        let steps = (1..<count).map { encode($0 % 2 == 0 ? -1 : 1) + encode(2) }
        let line = encode(4_710_000) + encode(950_000) + steps.joined()
        return line.replacing("\\", with: "\\\\")
    }
}
