import Foundation
import Geometry
import Telemetry
import Testing
import Tracking

/// The bytes of a list of scenarios with what has to come of them.
private func fixture(_ file: String) throws -> [UInt8] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    return try Array(Data(contentsOf: folder.appending(path: "../Fixtures/tracking/\(file)")))
}

/// Returns the lines that a scenario prints.
private func lines(_ scenario: Scenario) throws -> [String] {
    var replay = try Replay(scenario, planner: .steps)
    return scenario.steps.map { step in
        var json = JSONWriter()
        replay.take(step, into: &json)
        return json.text
    }
}

/// What a scenario's file says must come of it, and what came.
private struct Verdict: CustomStringConvertible {
    let name: String
    let parser = JSONParser()
    var faults: [String] = []

    var description: String { "\(name): \(faults.joined(separator: "; "))" }

    /// Compares the events of a line with the expected ones, in order.
    mutating func compareEvents(_ line: JSONValue, input: Int, with expected: [JSONValue]) {
        let events = (line["events"]?.array.map(Array.init) ?? []).filter { event in
            event["type"]?.string != "hold_breached"
        }
        let wanted = expected.filter { $0["after_input"]?.int64 == Int64(input) }
        let types = events.map { $0["type"]?.string }
        guard types == wanted.map({ $0["event"]?.string }) else {
            faults.append("input \(input) caused \(types)")
            return
        }
        for (event, wanted) in zip(events, wanted) {
            let pairs = [
                (event["remaining_waypoints"], wanted["remaining_waypoints"]),
                (event["waypoint"]?["index"], wanted["waypoint_index"]),
                (event["carried_waypoints"], wanted["carried_waypoints"]),
            ]
            for case (let got, let wanted?) in pairs where got?.rawText != wanted.rawText {
                faults.append("input \(input): \(got?.rawText ?? "nothing"), not \(wanted.rawText)")
            }
        }
    }

    /// Compares a line's progress with what is expected of it.
    mutating func compareState(_ progress: JSONValue, with expected: JSONValue) {
        let held = progress["waiting_at_waypoint"]?.bool == true
        let active = progress["active_waypoint"]?["index"]
        var pairs = [
            (progress["state"], expected["state"]),
            (progress["remaining_waypoints"], expected["remaining_waypoints"]),
            (held ? active : nil, expected["held_waypoint_index"]),
        ]
        if expected["active_waypoint_index"]?.isNull == true {
            pairs.append((progress["active_waypoint"], expected["active_waypoint_index"]))
        } else {
            pairs.append((active, expected["active_waypoint_index"]))
        }
        for case (let got, let wanted?) in pairs where got?.rawText != wanted.rawText {
            faults.append("\(progress.rawText) is not \(expected.rawText)")
        }
        for name in ["remaining_distance_m", "deviation_m"] {
            guard let wanted = expected.member(named: name) else { continue }
            let error =
                (progress.member(named: name)?.double ?? .nan) - (wanted["value"]?.double ?? 0)
            if !(abs(error) <= wanted["tolerance"]?.double ?? 0) {
                faults.append("\(name) in \(progress.rawText) is off by \(error)")
            }
        }
        if let wanted = expected["location"] {
            let error = distance(progress["location"], wanted)
            if !(error <= wanted["tolerance_m"]?.double ?? 0) {
                faults.append("location in \(progress.rawText) is off by \(error)")
            }
        }
    }

    /// Metres between two places near each other.
    private func distance(_ one: JSONValue?, _ other: JSONValue) -> Double {
        guard let one, let latitude = one["lat"]?.double, let longitude = one["lon"]?.double,
            let otherLatitude = other["lat"]?.double, let otherLongitude = other["lon"]?.double
        else { return .nan }
        let north = (latitude - otherLatitude) * 111_320
        let east = (longitude - otherLongitude) * 111_320 * cos(latitude * .pi / 180)
        return (north * north + east * east).squareRoot()
    }
}

@Test(arguments: ["tracking.json", "tracking-2.json"])
func printsWhatHasToComeOfEachScenario(file: String) throws {
    let bytes = try fixture(file)
    let parser = JSONParser()
    try bytes.withUnsafeBytes { bytes in
        let list = try #require(try parser.parse(bytes).array)
        for value in list {
            var verdict = Verdict(name: value["name"]?.string ?? "")
            let scenario = try ScenarioReader.scenario(in: bytes, name: verdict.name)
            let lines = try lines(scenario)
            let expected = value["expect"]?.array.map(Array.init) ?? []
            let states = value["expect_state"]?.array.map(Array.init) ?? []
            for (index, text) in lines.enumerated() {
                let lineParser = JSONParser()
                try lineParser.parse(text) { line in
                    verdict.compareEvents(line, input: index, with: expected)
                    for state in states where state["after_input"]?.int64 == Int64(index) {
                        let progress = try #require(line["progress"])
                        verdict.compareState(progress, with: state)
                    }
                    if line["input"]?.int64 != Int64(index) { verdict.faults.append("no index") }
                }
            }
            #expect(verdict.faults.isEmpty, "\(verdict)")
            #expect(lines.count == scenario.steps.count)
        }
    }
}

private let route = ProvidedRoute(coordinates: [
    Coordinate(latitude: 28.6, longitude: 77.2), Coordinate(latitude: 28.6, longitude: 77.23),
])

private func fix(_ seconds: Double, _ latitude: Double, _ longitude: Double) -> Scenario.Step {
    let time = Timestamp(seconds: seconds)
    return Scenario.Step(
        Fix(time: time, coordinate: Coordinate(latitude: latitude, longitude: longitude)))
}

@Test func tellsOfARefusedCommandAndOfAFixThatIsHistoryBesideTheEvents() throws {
    let scenario = Scenario(
        assignment: Assignment(tripID: "t", vehicleID: "v", route: route),
        assignedAt: Timestamp(seconds: 0),
        steps: [
            fix(0, 28.6, 77.21),
            Scenario.Step(
                input: .trip(.proceed(waypointIndex: nil)), receivedAt: Timestamp(seconds: 1)),
            fix(0, 28.6, 77.21),
        ])
    let lines = try lines(scenario)
    #expect(
        lines[0].hasPrefix(#"{"input":0,"events":[],"progress":{"trip_id":"t","vehicle_id":"v","#))
    #expect(
        lines[0].hasSuffix(
            #","animation_ms":2000,"places":[],"speed_limit_mps":null,"speeding":false,"#
                + #""stopped_since":null},"alarms":[]}"#))
    #expect(lines[1].contains(#""events":[],"#))
    #expect(lines[1].contains(#"],"refused":{"reason":"not_held","detail":""#))
    #expect(lines[2].hasSuffix(#","history":"not_newer"}"#))
}

@Test func failsRequestsAtOnceWhereNobodyPlans() throws {
    var replay = try Replay(
        Scenario(
            assignment: Assignment(tripID: "t", vehicleID: "v", route: route),
            assignedAt: Timestamp(seconds: 0), steps: []), planner: .none)
    var json = JSONWriter()
    replay.take(fix(0, 28.6, 77.21), into: &json)
    json.reset()
    replay.take(fix(60, 28.61, 77.21), into: &json)
    #expect(json.text.contains(#""type":"will_reroute""#))
    #expect(json.text.contains(#""type":"reroute_failed""#))
    #expect(json.text.contains(#""error":"no_planner""#))
    #expect(json.text.contains(#""state":"tracking""#))
}

@Test func drawsATripUnderWay() throws {
    let via = Target(coordinate: Coordinate(latitude: 28.6, longitude: 77.22))
    let assignment = Assignment(
        tripID: "t", vehicleID: "v",
        route: ProvidedRoute(
            coordinates: [77.2, 77.21, 77.22, 77.23].map {
                Coordinate(latitude: 28.6, longitude: $0)
            }), viaPoints: [via])
    var (trip, _) = try Trip.start(assignment, newest: nil, at: Timestamp(seconds: 0))
    #expect(RouteDrawing(trip).location == nil)
    #expect(RouteDrawing(trip).passedCount == 0)
    for (seconds, longitude, passed) in [(0.0, 77.2, 1), (60, 77.215, 2), (120, 77.22, 3)] {
        let time = Timestamp(seconds: seconds)
        let fix = Fix(
            time: time, coordinate: Coordinate(latitude: 28.6, longitude: longitude))
        _ = trip.handle(.fix(fix), at: time)
        let drawing = RouteDrawing(trip)
        #expect(drawing.passedCount == passed)
        #expect(abs((drawing.location?.longitude ?? 0) - longitude) < 1e-6)
    }
    #expect(RouteDrawing(trip).viaPoints.map(\.status) == ["reached"])
    #expect(RouteDrawing(trip).revision == 1)
}
