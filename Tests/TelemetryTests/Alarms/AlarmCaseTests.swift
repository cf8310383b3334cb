import Foundation
import Telemetry
import Testing
import Tracking

/// The cases of places, alarms, speed and stops, through what `replay --scenario` prints.
@Suite struct AlarmCaseTests {
    typealias Value = AlarmCase.Value

    /// The kinds of trip events that belong to the cases.
    private static let events: Set = ["waypoint_approached", "skip_suggested"]

    @Test(arguments: try AlarmCase.all("places.json"))
    func tellsWhatItShould(_ example: AlarmCase) throws {
        let scenario = try Array(example.scenario).withUnsafeBytes {
            try ScenarioReader.scenario(in: $0, name: nil)
        }
        var replay = try Replay(scenario, planner: .steps, zones: { SystemZone($0) })
        var told: [[String: Value]] = []
        for (index, step) in scenario.steps.enumerated() {
            var json = JSONWriter()
            replay.take(step, into: &json)
            told += try Self.told(json.text, after: index)
        }
        #expect(told.map(Self.name) == example.expected.map(Self.name))
        for (got, wanted) in zip(told, example.expected) {
            for (name, value) in wanted {
                #expect(
                    got[name]?.fulfils(value) ?? false,
                    "\(Self.name(wanted)): \(name) is \(got[name] ?? .null), not \(value)")
            }
        }
        try check(replay.rows, example.rows)
    }

    /// The alarms and events of a line, with the members that cases name.
    private static func told(_ line: String, after index: Int) throws -> [[String: Value]] {
        let line = try JSONDecoder().decode([String: Value].self, from: Data(line.utf8))
        return [("event", "events"), ("alarm", "alarms")].flatMap { kind, list in
            guard case .array(let values)? = line[list] else { return [[String: Value]]() }
            return values.compactMap { value in
                guard case .object(var members) = value, case .text(let type)? = members["type"],
                    kind == "alarm" || events.contains(type)
                else { return nil }
                members[kind] = .text(type)
                members["after_input"] = .number(Double(index))
                if kind == "alarm" { members["place"] = members["place"]?["id"] ?? .null }
                members["waypoint_index"] =
                    members["waypoint"]?["index"] ?? members["waypoint_index"]
                return members
            }
        }
    }

    private static func name(_ members: [String: Value]) -> String {
        "\(members["after_input"] ?? .null) \(members["event"] ?? members["alarm"] ?? .null) "
            + "\(members["place"] ?? .null)"
    }

    private func check(_ rows: ReplayRows, _ expected: [String: [[String: Value]]]) throws {
        var json = JSONWriter()
        rows.encode(into: &json)
        let document = try JSONDecoder().decode(Value.self, from: Data(json.text.utf8))
        for (table, wanted) in expected {
            guard case .array(let got)? = document["rows"]?[table] else {
                Issue.record("no \(table)")
                continue
            }
            #expect(got.count == wanted.count, "\(table): \(got)")
            for (row, wanted) in zip(got, wanted) {
                for (name, value) in wanted {
                    #expect(
                        row[name]?.fulfils(value) ?? false,
                        "\(table).\(name) is \(row[name] ?? .null), not \(value)")
                }
            }
        }
    }
}
