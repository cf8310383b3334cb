import Foundation
import Testing

private let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../Fixtures").standardized.path

/// Returns the types of all events in lines of `replay`, with the lines' numbers.
private func events(_ output: String) throws -> [String] {
    try output.split(separator: "\n").flatMap { line in
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        let events = try #require(object?["events"] as? [[String: Any]])
        let input = try #require(object?["input"] as? Int)
        #expect(object?["progress"] is [String: Any])
        return events.map { "\(input) \($0["type"] ?? "")" }
    }
}

struct ReplayTests {
    @Test func runsAScenarioOfAList() throws {
        let result = try Tool.run(
            "replay", "--scenario", "\(fixtures)/tracking/tracking.json", "--name",
            "gating-basic-two-stops")
        #expect(result.errors == "")
        #expect(result.status == 0)
        #expect(
            try events(result.output) == [
                "1 waypoint_reached", "2 hold_breached", "3 waypoint_resumed", "5 waypoint_reached",
                "6 waypoint_resumed", "7 arrived",
            ])
    }

    @Test func runsATrackAlongItself() throws {
        let result = try Tool.run(
            "replay", "\(fixtures)/traces/around-visnjan-with-car.gpx")
        #expect(result.errors == "")
        #expect(result.output.split(separator: "\n").count == 104)
        let found = try events(result.output)
        #expect(found.count == 1)
        #expect(found.first?.hasSuffix(" arrived") == true)
    }

    @Test func runsATrackAlongAnAssignmentWithOptions() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "waygate-replay-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let assignment = folder.appending(path: "assign.json").path
        let payload = """
            {"trip_id":"t-1","route":{"coordinates":[[77.2,28.6],[77.23,28.6]]},
             "via_points":[{"lat":28.6,"lon":77.21}],"options":{"arrival_radius_m":30}}
            """
        try Data(payload.utf8).write(to: URL(filePath: assignment))
        let track = """
            t,vehicle,lat,lon
            0,van-7,28.6,77.2
            60,van-7,28.6,77.21
            70,van-8,1,1
            120,van-7,28.6,77.22
            180,van-7,28.62,77.23
            """
        let result = try Tool.run(
            "replay", "-", "--assign", assignment, "--option", "wait_at_waypoints=false",
            "--vehicle", "van-7", input: track)
        #expect(result.errors == "")
        #expect(
            try events(result.output) == [
                "1 waypoint_reached", "3 will_reroute", "3 reroute_failed",
            ])
        #expect(result.output.contains(#""trip_id":"t-1","vehicle_id":"van-7""#))

        let refused = try Tool.run(
            "replay", "-", "--assign", assignment, "--option", "arrival_radius_m=0", input: track)
        #expect(refused.status == 2)
        #expect(refused.errors.contains("--option: arrival_radius_m must be a number above 0"))
    }

    @Test(arguments: [
        (["--scenario", "/no/such/file"], "/no/such/file: No such file or directory"),
        (["/dev/null"], "/dev/null: it is empty"),
        (
            ["--scenario", "\(fixtures)/tracking/tracking.json"],
            "\(fixtures)/tracking/tracking.json: there are 46 scenarios: pick one by its name"
        ),
        (
            ["--scenario", "\(fixtures)/tracking/tracking.json", "--name", "x"],
            "\(fixtures)/tracking/tracking.json: there is no scenario with the name \"x\""
        ),
    ])
    func saysWhatIsWrong(_ words: [String], _ message: String) throws {
        let tool = try Tool(["replay"] + words).finish()
        #expect(tool.status == 1)
        #expect(tool.errors == "waygate replay: \(message)\n")
        #expect(tool.output == "")
    }
}
