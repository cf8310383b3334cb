import Foundation
import TestServers
import Testing

/// Nothing acknowledged is lost: real servers, killed and stalled under load, and then rows and events are counted.
@Suite(.serialized, .timeLimit(.minutes(4))) struct RealFaultTests {
    private let vehicles = 20

    /// Starts a trip for each vehicle, with a via point on the way.
    private func assign(_ test: WorkerUnderTest) throws {
        for vehicle in 0..<vehicles {
            test.client.publish(
                "fleet/v\(vehicle)/command/assign",
                """
                {"trip_id":"t\(vehicle)","command_id":"a","via_points":[{"lat":47.1,"lon":9.52}],
                 "route":{"coordinates":[[9.5,47.1],[9.54,47.1]]},
                 "options":{"max_age_at_assignment_s":100000}}
                """)
        }
        for vehicle in 0..<vehicles {
            try test.client.event("trip_assigned", of: "v\(vehicle)")
        }
    }

    /// Assigns, and publishes the positions of so many steps of each vehicle's way; each step is followed by `fault`.
    private func drive(
        _ test: WorkerUnderTest, steps: Int, fault: (_ step: Int) throws -> Void
    ) throws {
        try assign(test)
        let begin = Int(Date.now.timeIntervalSince1970) - 20_000
        for step in 0..<steps {
            for vehicle in 0..<vehicles {
                let east = 9.5 + Double(step) * 0.0002
                test.client.publish(
                    "fleet/v\(vehicle)/position",
                    "{\"time\":\(begin + step * 10),\"lat\":47.1,\"lon\":\(east)}")
            }
            usleep(20_000)
            try fault(step)
        }
        try test.client.settle()
    }

    @Test func countsAddUpAfterEveryFault() throws {
        let test = try WorkerUnderTest()
        try drive(test, steps: 240) { step in
            switch step {
            case 30, 90, 150:
                test.kill()
                try test.start()
            case 50:
                try test.database.crash()
            case 80:
                try test.database.start()
            case 110:
                // It saves once a second, and may forget what the worker acknowledged since.
                try test.client.settle()
                usleep(1_500_000)
                test.broker.kill()
                try test.broker.start()
            case 130:
                try test.database.freeze()
            case 140:
                try test.database.thaw()
            case 100:
                for vehicle in 0..<vehicles {
                    try test.client.event("waypoint_reached", of: "v\(vehicle)", within: 40)
                    test.client.publish(
                        "fleet/v\(vehicle)/command/proceed", "{\"command_id\":\"p\"}")
                }
            default: break
            }
        }
        for vehicle in 0..<vehicles {
            try test.client.event("arrived", of: "v\(vehicle)", within: 60)
            let events = test.client.events(of: "v\(vehicle)").filter { $0.sequence != nil }
            #expect(
                events.map(\.type) == [
                    "trip_assigned", "waypoint_reached", "waypoint_resumed", "arrived",
                ])
            #expect(events.map(\.sequence) == [1, 2, 3, 4])
        }
        let positions = vehicles * 240
        try test.expect(
            ["\(positions)"], from: "select count(*) from waygate.positions", within: 60)
        let events = vehicles * 4
        try test.expect(
            ["\(events)|\(events)"],
            from: "select count(*), count(published_at) from waygate.trip_events", within: 60)
        try test.expect(
            ["\(vehicles * 2)"],
            from: "select count(*) from waygate.commands where outcome = 'done'")
        #expect(try test.stop() == 0)
    }

    /// Connections that break, and those that only fall silent, in either direction.
    @Test func linksThatAreCutAndStalledLoseNothing() throws {
        let test = try WorkerUnderTest(hasLinks: true)
        let links = try #require(test.links)
        try drive(test, steps: 160) { step in
            switch step {
            case 20, 21, 23, 60, 90: links.broker.cut()
            case 30, 31, 61, 91: links.database.cut()
            case 40, 100: links.broker.stall(true)
            case 70, 101: links.database.stall(true)
            case 55, 120: links.broker.stall(false)
            case 85, 140: links.database.stall(false)
            case 145:
                links.broker.stall(true)
                links.broker.cut()
                links.broker.stall(false)
            default: break
            }
        }
        let positions = vehicles * 160
        try test.expect(
            ["\(positions)|\(positions)"],
            from: "select count(*), count(distinct (vehicle_id, fix_time)) from waygate.positions",
            within: 60)
        for vehicle in 0..<vehicles {
            let events = test.client.events(of: "v\(vehicle)").filter { $0.sequence != nil }
            #expect(events.map(\.type) == ["trip_assigned", "waypoint_reached", "hold_breached"])
        }
        #expect(try test.stop() == 0)
    }

    @Test func aStandbyTakesOverAndAStrangerIsRefused() throws {
        let test = try WorkerUnderTest()
        try assign(test)
        let standby = try test.launch(["run"])
        defer { Foundation.kill(standby.processIdentifier, SIGKILL) }
        _ = try test.client.wait("the standby to wait") {
            test.log().contains("standing by") ? true : nil
        }
        try test.writeSettings("stranger", spool: "other")
        let stranger = try test.launch(["run"], worker: "stranger")
        stranger.waitUntilExit()
        #expect(stranger.terminationStatus == 1)
        #expect(test.log(of: "stranger").contains("--take-over"))
        let status = "fleet-worker/waygate/status"
        let before = test.client.count(status, containing: "online")
        let death = ContinuousClock.now
        test.kill()
        _ = try test.client.wait("the standby to be online") {
            test.client.count(status, containing: "online") > before ? true : nil
        }
        #expect(ContinuousClock.now - death < .seconds(10))
        let now = Int(Date.now.timeIntervalSince1970)
        test.client.publish(
            "fleet/v0/position", "{\"time\":\(now),\"lat\":47.1,\"lon\":9.52}")
        try test.client.event("waypoint_reached", of: "v0")
        standby.terminate()
        standby.waitUntilExit()
        #expect(standby.terminationStatus == 0)
        try test.client.wait("the worker to say offline") {
            test.client.last(status)?.contains("offline") == true ? true : nil
        }
    }

    @Test func startedWithoutItsDatabaseItSpoolsAndCatchesUp() throws {
        let test = try WorkerUnderTest()
        try assign(test)
        #expect(try test.stop() == 0)
        try test.database.crash()
        let process = try test.launch(["run"])
        defer { Foundation.kill(process.processIdentifier, SIGKILL) }
        _ = try test.client.wait("the subscription") {
            test.log().components(separatedBy: "info subscribed").count > 2 ? true : nil
        }
        let now = Int(Date.now.timeIntervalSince1970)
        test.client.publish(
            "fleet/v3/position", "{\"time\":\(now),\"lat\":47.1,\"lon\":9.52}")
        try test.client.settle()
        try test.database.start()
        try test.client.event("waypoint_reached", of: "v3", within: 30)
        try test.expect(
            ["held"], from: "select state from waygate.trip_progress where trip_id = 't3'")
    }
}
