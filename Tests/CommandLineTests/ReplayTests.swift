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

    /// Returns what a list in lines of `replay` holds, each with the line's number and members of it.
    private func told(_ output: String, _ list: String, _ members: [String]) throws -> [String] {
        try output.split(separator: "\n").flatMap { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            let entries = object?[list] as? [[String: Any]] ?? []
            return entries.map { entry in
                let values = members.map { "\(entry[$0] ?? "")" }
                return (["\(object?["input"] ?? "")"] + values).joined(separator: " ")
            }
        }
    }

    @Test func runsAVehicleWithoutATripAndEndsWithItsRows() throws {
        let result = try Tool.run(
            "replay", "--scenario", "\(fixtures)/places/places.json", "--name",
            "window-over-midnight", "--rows")
        #expect(result.errors == "")
        #expect(
            try told(result.output, "alarms", ["type", "time"]) == [
                "2 place_exited 2026-12-04T21:10:00.000Z",
                "3 place_entered 2026-12-05T04:50:00.000Z",
            ])
        let last = try #require(result.output.split(separator: "\n").last)
        #expect(last.hasPrefix(#"{"rows":{"visits":[{"vehicle_id":"window-over-midnight","#))
    }

    /// A vehicle that comes, stays for ten minutes in silence and goes.
    private static let visit = """
        t,lat,lon
        0,48.2,16.36
        60,48.2,16.37
        660,48.2,16.38
        """

    @Test(arguments: [
        #"{"yard":{"geometry":{"circle":{"center":{"lat":48.2,"lon":16.37},"radius_m":100}},"#
            + #""tell":["enter","exit","dwell"],"dwell_s":300}}"#,
        #"{"type":"FeatureCollection","features":[{"type":"Feature","id":"yard","geometry":"#
            + #"{"type":"Point","coordinates":[16.37,48.2]},"properties":{"radius_m":100,"#
            + #""tell":["enter","exit","dwell"],"dwell_s":300}}]}"#,
    ])
    func runsATrackAmongPlaces(_ places: String) throws {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "waygate-places-\(UUID().uuidString).json").path
        try Data(places.utf8).write(to: URL(filePath: file))
        defer { try? FileManager.default.removeItem(atPath: file) }
        let result = try Tool.run(
            "replay", "-", "--places", file, "--alarms", "speed_limit_mps=0.5", "--alarms",
            "stops=true", input: Self.visit)
        #expect(result.errors == "")
        // The clock speaks between the positions.
        #expect(
            try told(result.output, "alarms", ["type", "by"]) == [
                "1 place_entered fix", "1 speeding_started fix", "2 speeding_ended clock",
                "3 stop_started clock", "4 place_dwelled clock", "5 place_exited fix",
                "5 stop_ended fix",
            ])
        #expect(result.output.contains(#""trip_id":null"#))
    }

    @Test func takesPlacesFromWhateverImportReads() throws {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "waygate-places-\(UUID().uuidString).json").path
        // The clock speaks between the positions: a stop begins.
        let geofences = """
            [{"id":4,"name":"Yard","area":"CIRCLE (48.2 16.37, 100)","attributes":{}}]
            """
        try Data(geofences.utf8).write(to: URL(filePath: file))
        defer { try? FileManager.default.removeItem(atPath: file) }
        let result = try Tool.run("replay", "-", "--places", file, input: Self.visit)
        #expect(result.errors == "")
        #expect(
            try told(result.output, "alarms", ["type", "time"]) == [
                "1 place_entered 1970-01-01T00:01:00.000Z",
                "3 place_exited 1970-01-01T00:11:00.000Z",
            ])
        #expect(result.output.contains(#""place":{"id":"4","name":"Yard""#))
    }

    @Test(arguments: [
        (#"{"yard":{}}"#, "place 'yard': invalid_place: geometry is missing"),
        (
            #"{"type":"FeatureCollection","features":[{}]}"#,
            "features[0] has neither an id nor a name"
        ),
        ("id,lat,lon,radius_m\nyard,95,16,9", "line 2, place 'yard': invalid_geometry: "),
        ("[", "it is not JSON"),
    ])
    func saysWhatIsWrongWithPlaces(_ places: String, _ message: String) throws {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "waygate-places-\(UUID().uuidString).json").path
        try Data(places.utf8).write(to: URL(filePath: file))
        defer { try? FileManager.default.removeItem(atPath: file) }
        let result = try Tool.run("replay", "-", "--places", file, input: Self.visit)
        #expect(result.status == 1)
        #expect(result.errors.hasPrefix("waygate replay: \(file): \(message)"))
    }

    @Test func refusesASettingOfAlarmsOutOfRange() throws {
        let result = try Tool.run(
            "replay", "-", "--alarms", "confirm_s=5000", input: Self.visit)
        #expect(result.status == 2)
        #expect(
            result.errors.contains("--alarms: confirm_s must be a number from 0 to 3600, not 5000"))
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
