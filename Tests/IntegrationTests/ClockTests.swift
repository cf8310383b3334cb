import Foundation
import TestServers
import Testing

/// The real worker on a machine whose clock is wrong, and then set right: libfaketime sets the time of day, and
/// leaves the steady clock alone.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ClockTests {
    /// How the worker's clock differs, in libfaketime's words, in a file that it reads at each look at the clock.
    private final class WrongClock {
        private let path = NSTemporaryDirectory() + "/waygate-clock-\(UUID().uuidString)"

        init(_ difference: String) throws { try set(difference) }
        deinit { unlink(path) }

        func set(_ difference: String) throws {
            try Data("\(difference)\n".utf8).write(to: URL(filePath: path), options: .atomic)
        }

        var environment: [String: String] {
            [
                "LD_PRELOAD": "/usr/lib/\(Self.architecture)-linux-gnu/faketime/libfaketimeMT.so.1",
                "FAKETIME_TIMESTAMP_FILE": path, "FAKETIME_NO_CACHE": "1",
                "DONT_FAKE_MONOTONIC": "1",
            ]
        }

        #if arch(arm64)
            private static let architecture = "aarch64"
        #else
            private static let architecture = "x86_64"
        #endif
    }

    private let day = 86_400.0
    private var now: Double { Date.now.timeIntervalSince1970 }

    private func assign(_ vehicle: String, _ way: String, _ test: WorkerUnderTest) throws {
        test.client.publish(
            "fleet/\(vehicle)/command/assign",
            "{\"trip_id\":\"t\",\"options\":{\"wait_at_waypoints\":false},\(way)}")
        try test.client.event("trip_assigned", of: vehicle)
    }

    private func report(_ vehicle: String, at time: Double, east: Double, _ test: WorkerUnderTest) {
        test.client.publish(
            "fleet/\(vehicle)/position", "{\"time\":\(time),\"lat\":47.1,\"lon\":\(9.5 + east)}")
    }

    private let route = "\"route\":{\"coordinates\":[[9.5,47.1],[9.56,47.1]]}"
    private let ends =
        "\"source\":{\"lat\":47.1,\"lon\":9.5},\"destination\":{\"lat\":47.1,\"lon\":9.56}"

    @Test(arguments: [-2.0, 2.0])
    func aStepOfTheClockEndsNoTripAndMakesNoneDeaf(daysAhead: Double) throws {
        let clock = try WrongClock("\(daysAhead > 0 ? "+" : "")\(daysAhead)d")
        let test = try WorkerUnderTest(environment: clock.environment)
        try assign("van-7", route, test)
        report("van-7", at: now + daysAhead * day, east: 0.001, test)
        try assign("van-8", ends, test)
        report("van-9", at: now, east: 0, test)
        try test.client.settle()
        _ = try test.client.wait("the worker to say that the clocks differ") {
            test.log().contains("this machine's clock and the database's differ") ? true : nil
        }
        try test.expect(
            [daysAhead < 0 ? "time_in_future" : "0"],
            from: daysAhead < 0
                ? "select reason from waygate.rejected_messages"
                : "select count(*) from waygate.rejected_messages")

        try clock.set("+0")
        _ = try test.client.wait("the worker to notice that the clock was set") {
            test.log().contains("the machine's clock was set") ? true : nil
        }
        // Deadlines are looked at each second.
        sleep(2)
        for vehicle in ["van-7", "van-8", "van-9"] {
            report(vehicle, at: now, east: 0.002, test)
        }
        test.client.publish(
            "fleet/van-8/command/route", "{\"request\":1,\(route)}")
        try test.client.event("rerouted", of: "van-8")
        report("van-7", at: now + 5, east: 0.003, test)
        for vehicle in ["van-7", "van-8"] {
            let told = test.client.events(of: vehicle).map(\.type)
            #expect(told.allSatisfy { ["trip_assigned", "rerouted"].contains($0) }, "\(told)")
        }
        try test.expect(
            ["van-7|3", "van-8|1"],
            from: """
                select vehicle_id, count(*) from waygate.positions where tracked
                group by 1 order by 1
                """)
        #expect(try test.stop() == 0)
    }

    @Test func whatWaitedAtTheBrokerComesBeforeAnySilenceIsJudged() throws {
        let clock = try WrongClock("-47h")
        let test = try WorkerUnderTest(environment: clock.environment)
        try assign("van-7", route, test)
        #expect(try test.stop() == 0)
        let begin = now - 47 * 3600
        for hour in 1...47 {
            report("van-7", at: begin + Double(hour) * 3600, east: 0.001 * Double(hour), test)
        }
        try test.client.settle()
        try clock.set("+0")
        try test.start()
        try test.expect(["47"], from: "select count(*) from waygate.positions where tracked")
        #expect(test.client.events(of: "van-7").map(\.type) == ["trip_assigned"])
        #expect(try test.stop() == 0)
    }
}
