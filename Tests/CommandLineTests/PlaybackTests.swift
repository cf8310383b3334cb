import Foundation
import Geometry
import MQTT
import Store
import TestServers
import Testing
import Tracking

@testable import waygate

/// Recorded positions that happen again.
struct PlaybackTests {
    private let positions = [0.0, 10, 30].map { seconds in
        PositionRow(
            vehicleID: "v", fixTime: Microseconds(1_772_366_400_000_000 + seconds * 1e6),
            latitude: 47, longitude: 9.5 + seconds / 1000, tracked: true, receivedAt: 0)
    }

    private func plan(_ change: (inout Playback.Plan) -> Void) -> Playback.Plan {
        var plan = Playback.Plan()
        change(&plan)
        return plan
    }

    /// The seconds from `origin` at which positions are said to have happened, when asked each half second.
    private func times(
        _ plan: Playback.Plan, seconds: Double, from origin: Timestamp = Timestamp(seconds: 1e9)
    ) -> [Double] {
        var playback = Playback(positions, plan: plan)
        var times: [Double] = []
        for step in 0...Int(seconds * 2) {
            let now = Double(step) / 2
            times += playback.take(after: now, at: origin.advanced(by: now)).map {
                $0.1.elapsed(since: origin)
            }
        }
        return times
    }

    @Test("Each position comes when it is due, with the time of that moment")
    func keepsThePace() {
        #expect(times(plan { _ in }, seconds: 60) == [0, 10, 30])
        #expect(times(plan { $0.speed = 4 }, seconds: 60) == [0, 2.5, 7.5])
        #expect(times(plan { _ in }, seconds: 12) == [0, 10])
    }

    @Test("It begins again after the last interval, and its times never go back")
    func loops() {
        #expect(times(plan { $0.loops = true }, seconds: 90) == [0, 10, 30, 50, 60, 80])
    }

    @Test("Times that are kept are those of the recording")
    func keepsTimes() {
        let origin = Timestamp(microseconds: positions[0].fixTime)
        #expect(
            times(
                plan {
                    $0.keepsTimes = true; $0.speed = 10
                }, seconds: 10, from: origin)
                == [0, 10, 30])
    }

    @Test("Pauses, and times when the process was stopped, are none of playing")
    func clock() {
        var clock = PlayClock()
        let start = ContinuousClock.now
        for (seconds, isPaused) in [
            (0, false), (1, false), (2, true), (3, true), (4, false), (60, false), (61, false),
        ] {
            clock.tick(start.advanced(by: .seconds(seconds)), isPaused: isPaused)
        }
        #expect(clock.seconds == 3)
    }

    @Test(arguments: [
        (["t"], "--as VEHICLE is missing: whom to speak for?"),
        (
            ["t", "--as", "a/b"],
            "--as must be 1 to 128 bytes without '/', '+', '#' and control characters, not 'a/b'"
        ),
        (["--as", "x"], "name a trip, or a vehicle with times: --vehicle ID --from TIME"),
        (
            ["t", "--as", "x", "--loop", "--keep-times"],
            "--keep-times has no place beside --loop: the past happens once"
        ),
        (
            ["t", "--as", "x", "--speed", "0"],
            "--speed must be a number from 0.01 to 1000, not '0'"
        ),
    ])
    func refusesWhatDoesNotSayWhat(_ words: [String], _ complaint: String) {
        #expect(throws: UsageError(complaint)) {
            _ = try PlaybackCommand(Arguments(words, for: PlaybackCommand.manual))
        }
    }

    @Test(
        "A track plays over MQTT, but not for a vehicle that was just heard of",
        .timeLimit(.minutes(5)))
    func playsAFile() throws {
        let server = try MosquittoServer()
        let environment = ["WAYGATE_MQTT_URL": "mqtt://127.0.0.1:\(server.port)"]
        let file = FileManager.default.temporaryDirectory
            .appending(path: "waygate-track-\(UUID().uuidString).csv")
        try "time,lat,lon,speed_mps\n1000,47,9.5,12\n1030,47,9.6,\n1060,47,9.7,13\n"
            .write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let client = Client(
            clientID: "listener", settings: MQTTSettings(host: "127.0.0.1", port: server.port),
            filters: ["fleet/demo/position"])
        while !client.isReady { _ = client.turn(timeout: 20) { _ in } }
        var heard: [[String: Any]] = []
        func listen() {
            _ = client.turn(timeout: 20) { message in
                let object = try? JSONSerialization.jsonObject(with: Data(message.payload))
                heard.append(object as? [String: Any] ?? [:])
            }
        }

        let arguments = ["playback", file.path, "--as", "demo", "--speed", "1000"]
        let began = Date()
        let result = try Tool(arguments, environment: environment).finish()
        #expect(result.errors.isEmpty)
        #expect(result.output == "{\"positions\":3}\n")
        while heard.count < 3 { listen() }
        #expect(heard.map { $0["lon"] as? Double } == [9.5, 9.6, 9.7])
        #expect(heard.map { $0["speed_mps"] as? Double } == [12, nil, 13])
        let times = heard.compactMap { ($0["time"] as? String)?.prefix(23) }
        #expect(times == times.sorted() && times.count == 3)
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let first = try Date("\(times[0])Z", strategy: format)
        #expect(abs(first.timeIntervalSince(began)) < 20)

        let body = #"{"time":"\#(Date().formatted(format))","state":"idle"}"#
        let publication = Foundation.Process()
        publication.executableURL = URL(filePath: "/usr/bin/mosquitto_pub")
        publication.arguments =
            ["-p", "\(server.port)", "-t", "fleet/demo/progress", "-m", body, "-q", "1", "-r"]
        try publication.run()
        publication.waitUntilExit()
        let refused = try Tool(arguments, environment: environment).finish()
        #expect(refused.status == 1)
        #expect(refused.errors.contains("vehicle 'demo' was heard of at"))
        let forced = try Tool(arguments + ["--force"], environment: environment).finish()
        #expect(forced.output == "{\"positions\":3}\n")
    }
}
