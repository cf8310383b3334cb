import FoundationEssentials
import Glibc
import MQTT
import Telemetry

/// What texts must be like; each check returns what is wrong, or `nil`.
enum SettingCheck {
    /// Checks a name that becomes an MQTT client id and a topic level.
    static func workerID(_ text: String) -> String? {
        let fits =
            (1...128).contains(text.utf8.count) && !text.unicodeScalars.contains(where: isReserved)
        return fits
            ? nil : "must be 1 to 128 bytes without '/', '+', '#', blanks and control characters"
    }

    /// Checks the first levels of topics.
    static func topicRoot(_ text: String) -> String? {
        let levels = text.split(separator: "/", omittingEmptySubsequences: false)
        let fits =
            text.utf8.count <= 256 && !text.hasPrefix("$") && !levels.contains(where: \.isEmpty)
            && !levels.contains { $0.unicodeScalars.contains(where: isReserved) }
        return fits
            ? nil
            : "must be topic levels without '+', '#', blanks and control characters, as in 'fleet'"
    }

    /// Checks the broker's URL; the message never repeats it.
    static func mqttURL(_ text: String) -> String? {
        do {
            _ = try MQTTSettings.parse(url: text)
            return nil
        } catch {
            return
                "must be like 'mqtt://user:password@host:1883', or 'mqtts://' for TLS: \(error.message)"
        }
    }

    /// Checks a libpq connection string; libpq itself says the rest.
    static func databaseURL(_ text: String) -> String? {
        let isURI = text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
        let isPairs = text.allSatisfy(\.isWhitespace) || text.contains("=")
        return isURI || isPairs
            ? nil : "must be like 'postgresql://user@host/database', or 'host=… dbname=…'"
    }

    /// Checks a URL of a web service.
    static func webURL(_ text: String) -> String? {
        let lowered = text.lowercased()
        let scheme = ["http://", "https://"].first(where: lowered.hasPrefix)
        let fits = scheme.map { lowered.count > $0.count && !lowered.contains(" ") } ?? false
        return fits ? nil : "must be a URL that begins with 'http://' or 'https://'"
    }

    /// Checks a URL template of map tiles.
    static func tileTemplate(_ text: String) -> String? {
        let fits = ["{z}", "{x}", "{y}"].allSatisfy { text.contains($0) }
        return fits ? nil : "must hold '{z}', '{x}' and '{y}', as in 'https://host/{z}/{x}/{y}.png'"
    }

    /// Checks where vector tiles come from.
    static func ground(_ text: String) -> String? {
        guard text.contains("://") else { return path(text) }
        let isComplete = ["{z}", "{x}", "{y}"].allSatisfy { text.contains($0) }
        return isComplete && webURL(text) == nil
            ? nil
            : "must be 'planner', a URL with '{z}', '{x}' and '{y}', a folder, or a '.pmtiles' file"
    }

    /// Checks a path of something that need not exist yet.
    static func path(_ text: String) -> String? {
        text.isEmpty || text.unicodeScalars.contains("\0") ? "must be a path" : nil
    }

    /// Checks a path of a file that must be there.
    static func readableFile(_ text: String) -> String? {
        guard access(text, R_OK) == 0 else { return "must be a readable file (\(lastError))" }
        return nil
    }

    /// Returns the first line of a file with a password.
    static func secret(in file: String) throws(ConfigurationKey.Refusal) -> Secret {
        let bytes: [UInt8]
        do {
            bytes = try FileContent.read(file, limit: 65_536)
        } catch {
            throw ConfigurationKey.Refusal("names a file that cannot be read: '\(file)' (\(error))")
        }
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard !line.isEmpty else {
            throw ConfigurationKey.Refusal("names a file whose first line is empty: '\(file)'")
        }
        return Secret(String(decoding: line, as: UTF8.self))
    }

    private static func isReserved(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "/" || scalar == "+" || scalar == "#" || scalar.value < 0x21
            || (0x7F..<0xA0).contains(scalar.value)
    }

    private static var lastError: String { String(cString: strerror(errno)) }
}

/// Reads whole files, with the system's own words where it fails.
enum FileContent {
    /// Why a file could not be read.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Returns a file's bytes.
    ///
    /// - Throws: ``Failure`` when it cannot be opened or read, or is longer than `limit` bytes.
    static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(description: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Failure(description: String(cString: strerror(errno))) }
            guard count > 0 else { return bytes }
            bytes.append(contentsOf: chunk[..<count])
            guard bytes.count <= limit else {
                throw Failure(description: "longer than \(limit) bytes")
            }
        }
    }
}

// MARK: - Compound values

extension JSON5Value {
    /// Reads a list of position sources.
    func positionSources() throws(ConfigurationKey.Refusal) -> [Configuration.PositionSource] {
        guard case .list(let elements) = content else {
            throw ConfigurationKey.Refusal("must be a list of objects, not \(shown)")
        }
        var messages: [String] = []
        let sources = elements.enumerated().compactMap { index, element in
            element.positionSource { messages.append("[\(index)]\($0)") }
        }
        guard messages.isEmpty else { throw ConfigurationKey.Refusal(messages) }
        do {
            let definitions = sources.map { FleetSettings.Source($0).definition }
            // The root has its own key.
            _ = try SourceTable(root: "fleet", sources: definitions)
        } catch {
            throw ConfigurationKey.Refusal(
                error.mistakes.map { mistake in
                    let element = mistake.key.drop { $0 != "[" }
                    return "\(element) is not right: \(mistake.message)"
                })
        }
        return sources
    }

    /// Reads one source, or reports what is wrong with it.
    private func positionSource(
        report: (String) -> Void
    ) -> Configuration.PositionSource? {
        guard case .object(let members) = content else {
            report(" must be an object, not \(shown)")
            return nil
        }
        var texts: [String: String] = [:]
        for member in members {
            switch (member.key, member.value.content) {
            case (_, .null): continue
            case ("filter", .text(let text)), ("format", .text(let text)),
                ("vehicle_id", .text(let text)):
                texts[member.key] = text
            case ("filter", _), ("format", _), ("vehicle_id", _):
                report(".\(member.key) must be text in quotes, not \(member.value.shown)")
            default:
                report(
                    " has the unknown key '\(member.key)': there are filter, format and vehicle_id")
            }
        }
        guard let filter = texts["filter"] else {
            report(" must have a filter, as in 'owntracks/+/+'")
            return nil
        }
        return Configuration.PositionSource(
            filter: filter, format: texts["format"], vehicleID: texts["vehicle_id"])
    }

    /// Reads `host:port`, or empty text as `nil`.
    func listenAddress() throws(ConfigurationKey.Refusal) -> Configuration.HTTP.Address? {
        let text = try text()
        guard !text.isEmpty else { return nil }
        let host = text.prefix(upTo: text.lastIndex(of: ":") ?? text.startIndex)
        let port = text.dropFirst(host.count + 1)
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        guard !host.isEmpty, isBracketed || !host.contains(":"), port.allSatisfy(\.isASCII),
            port.allSatisfy(\.isNumber), let number = UInt16(port)
        else {
            throw ConfigurationKey.Refusal(
                "must be like '127.0.0.1:8088' or '[::1]:8088', or empty for no server, not '\(text)'"
            )
        }
        let name = isBracketed ? host.dropFirst().dropLast() : host
        return Configuration.HTTP.Address(host: String(name), port: number)
    }
}
