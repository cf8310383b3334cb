import FoundationEssentials
import Testing

@testable import Worker

/// The settings file that is delivered, which doubles as the reference of all keys.
struct ConfigurationFileTests {
    private static let root =
        #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
    private static let path = "\(root)/deploy/waygate.json5"

    @Test func equalsTheDefaults() throws {
        #expect(try Configuration.load(file: Self.path, environment: [:]) == Configuration())
    }

    @Test func holdsEveryKey() throws {
        let text = try String(contentsOfFile: Self.path, encoding: .utf8)
        let written = Self.paths(in: try JSON5Value(parsing: text), below: "")
        // An option of assignments alone has no place in the file.
        let known = ConfigurationKey.all.map(\.path).filter {
            $0 != "tracking.start_waypoint_index"
        }
        #expect(written.sorted() == known.sorted())
    }

    @Test func namesEveryVariable() throws {
        let text = try String(contentsOfFile: Self.path, encoding: .utf8)
        for variable in ConfigurationKey.all.compactMap(\.variable) {
            #expect(text.contains(variable), "\(variable)")
        }
    }

    @Test func standsInTheReadme() throws {
        let readme = try String(contentsOfFile: "\(Self.root)/README.md", encoding: .utf8)
        let rows = readme.split(separator: "\n").filter { $0.hasPrefix("| `") }
        for key in ConfigurationKey.all where key.path != "tracking.start_waypoint_index" {
            let name = key.path.hasPrefix("tracking.") ? String(key.path.dropFirst(9)) : key.path
            let row = rows.first { $0.contains("`\(name)`") }
            #expect(row != nil, "\(key.path)")
            if let variable = key.variable { #expect(row?.contains("`\(variable)`") == true) }
        }
    }

    private static func paths(in value: JSON5Value, below prefix: String) -> [String] {
        guard case .object(let members) = value.content else { return [prefix] }
        return members.flatMap { member in
            paths(in: member.value, below: prefix.isEmpty ? member.key : "\(prefix).\(member.key)")
        }
    }
}
