import Foundation
import Telemetry
import Testing
import Tracking

/// A case of places.json: a scenario, and what has to come of it.
struct AlarmCase: CustomTestStringConvertible, Sendable {
    let name: String
    /// The scenario as JSON.
    let scenario: Data
    /// The alarms and trip events of `expect`, in order.
    let expected: [[String: Value]]
    /// The rows of `expect_rows`.
    let rows: [String: [[String: Value]]]

    var testDescription: String { name }

    /// A value of JSON.
    indirect enum Value: Decodable, Equatable, Sendable {
        case null
        case flag(Bool)
        case number(Double)
        case text(String)
        case near(Double, tolerance: Double)
        case object([String: Value])
        case array([Value])

        private struct Near: Decodable {
            var value: Double
            var tolerance: Double
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let flag = try? container.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let near = try? container.decode(Near.self) {
                self = .near(near.value, tolerance: near.tolerance)
            } else if let array = try? container.decode([Value].self) {
                self = .array(array)
            } else {
                self = .object(try container.decode([String: Value].self))
            }
        }

        subscript(name: String) -> Value? {
            if case .object(let members) = self { return members[name] }
            return nil
        }

        /// The value as a number; a moment as its seconds since 1970.
        var number: Double? {
            switch self {
            case .number(let number): number
            case .text(let text):
                Array(text.utf8).withUnsafeBytes { Timestamp(iso8601: $0)?.seconds }
            case .null, .flag, .near, .object, .array: nil
            }
        }

        /// Whether it is what was expected; moments are expected as seconds, to the millisecond.
        func fulfils(_ wanted: Value) -> Bool {
            switch wanted {
            case .near(let value, let tolerance):
                number.map { abs($0 - value) <= tolerance } ?? false
            case .number(let value): number.map { abs($0 - value) < 0.0011 } ?? false
            case .null, .flag, .text, .object, .array: self == wanted
            }
        }
    }

    /// Reads all cases of a fixture.
    static func all(_ file: String) throws -> [AlarmCase] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let data = try Data(contentsOf: folder.appending(path: "../../Fixtures/places/\(file)"))
        let list = try JSONSerialization.jsonObject(with: data) as? [[String: Any]] ?? []
        return try list.map { entry in
            let decoder = JSONDecoder()
            let data = try JSONSerialization.data(withJSONObject: entry)
            let outline = try decoder.decode(Outline.self, from: data)
            return AlarmCase(
                name: outline.name, scenario: data, expected: outline.expect,
                rows: outline.expect_rows ?? [:])
        }
    }

    private struct Outline: Decodable {
        var name: String
        var expect: [[String: Value]]
        // The fixture's own name.
        var expect_rows: [String: [[String: Value]]]?
    }
}
