import MQTT
import Telemetry

/// All that is wrong with the settings, each mistake in one line.
package struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// One sentence a mistake; each names the file and line, or the variable, and the key.
    package var mistakes: [String]

    /// The mistakes, a line each.
    package var description: String { mistakes.joined(separator: "\n") }
}

extension Configuration {
    /// Reads the settings from a JSON5 file and lets environment variables override its keys.
    ///
    /// - Parameters:
    ///   - file: Path of the file; `nil` takes the one that `WAYGATE_CONFIG` names, or the defaults.
    ///   - environment: The process's environment variables.
    /// - Throws: ``ConfigurationError`` with every mistake there is.
    package static func load(
        file: String?, environment: [String: String]
    ) throws(ConfigurationError) -> Configuration {
        var reader = ConfigurationReader()
        let named = environment["WAYGATE_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
        if let file = file ?? named { reader.readFile(at: file) }
        reader.readVariables(environment)
        reader.checkTogether()
        guard reader.mistakes.isEmpty else { throw ConfigurationError(mistakes: reader.mistakes) }
        return reader.configuration
    }

    /// Reads the settings from a JSON5 text.
    ///
    /// - Parameter name: What to call the text in messages.
    /// - Throws: ``ConfigurationError`` with every mistake there is.
    static func parse(
        _ text: String, name: String, environment: [String: String] = [:]
    ) throws(ConfigurationError) -> Configuration {
        var reader = ConfigurationReader()
        reader.read(text, name: name)
        reader.readVariables(environment)
        reader.checkTogether()
        guard reader.mistakes.isEmpty else { throw ConfigurationError(mistakes: reader.mistakes) }
        return reader.configuration
    }
}

/// Collects settings and mistakes, source by source.
struct ConfigurationReader {
    private(set) var configuration = Configuration()
    private(set) var mistakes: [String] = []

    private let keys = ConfigurationKey.all

    /// Reads a file.
    mutating func readFile(at path: String) {
        do {
            let bytes = try FileContent.read(path, limit: 16_777_216)
            guard let text = String(validating: bytes, as: UTF8.self) else {
                mistakes.append("\(path): is not UTF-8 text")
                return
            }
            read(text, name: path)
        } catch {
            mistakes.append("\(path): cannot be read: \(error)")
        }
    }

    /// Reads a JSON5 text.
    mutating func read(_ text: String, name: String) {
        do {
            let root = try JSON5Value(parsing: text)
            guard case .object(let members) = root.content else {
                mistakes.append(
                    "\(name):\(root.line): must be an object in braces, not \(root.shown)")
                return
            }
            for member in members { read(member, path: member.key, name: name) }
        } catch {
            mistakes.append("\(name):\(error.line): not JSON5: \(error.message)")
        }
    }

    /// Reads the variables that override keys.
    mutating func readVariables(_ environment: [String: String]) {
        for key in keys {
            guard let variable = key.variable, let text = environment[variable] else { continue }
            apply(key, JSON5Value(.text(text), line: 0), origin: variable, name: key.path)
        }
    }

    /// Checks what several keys say together.
    mutating func checkTogether() {
        if (configuration.mqtt.certificateFile == nil) != (configuration.mqtt.keyFile == nil) {
            mistakes.append("mqtt.cert_file and mqtt.key_file: must be given together")
        }
        let files = [
            ("ca_file", configuration.mqtt.authorityFile),
            ("cert_file", configuration.mqtt.certificateFile),
        ]
        if let settings = try? configuration.mqttSettings(), settings.tls == nil {
            for (name, file) in files where file != nil {
                mistakes.append("mqtt.\(name): needs an mqtt.url that begins with 'mqtts://'")
            }
        }
        let conflicts = FilterConflicts.mistakes(
            root: configuration.topicRoot, filters: configuration.sources.map(\.filter))
        for conflict in conflicts {
            mistakes.append("sources[\(conflict.index)].filter: \(conflict.message)")
        }
        switch configuration.planner.kind {
        case .osrm, .valhalla:
            guard configuration.planner.url == nil else { return }
            let kind = configuration.planner.kind.rawValue
            mistakes.append("planner.url: must be given where planner.kind is '\(kind)'")
        case .outside, .none: break
        }
    }

    private mutating func read(_ member: JSON5Value.Member, path: String, name: String) {
        let origin = "\(name):\(member.line)"
        if let key = keys.first(where: { $0.path == path }) {
            // null stands for the default, so that a file can list every key.
            guard member.value.content != .null else { return }
            apply(key, member.value, origin: origin, name: path)
        } else if keys.contains(where: { $0.path.hasPrefix("\(path).") }) {
            guard case .object(let members) = member.value.content else {
                guard member.value.content != .null else { return }
                mistakes.append(
                    "\(origin): \(path) must be an object in braces, not \(member.value.shown)")
                return
            }
            for inner in members { read(inner, path: "\(path).\(inner.key)", name: name) }
        } else {
            mistakes.append("\(origin): unknown key \(path)\(suggestion(for: path))")
        }
    }

    private mutating func apply(
        _ key: ConfigurationKey, _ value: JSON5Value, origin: String, name: String
    ) {
        do {
            try key.read(value, &configuration)
        } catch {
            for message in error.messages {
                // An element's number belongs to the key.
                let gap = message.hasPrefix("[") ? "" : " "
                mistakes.append("\(origin): \(name)\(gap)\(message)")
            }
        }
    }

    private func suggestion(for path: String) -> String {
        let close = keys.map { (path: $0.path, distance: editDistance($0.path, path)) }
            .min { $0.distance < $1.distance }
        guard let close, close.distance <= max(2, path.count / 4) else { return "" }
        return "; did you mean \(close.path)?"
    }
}
