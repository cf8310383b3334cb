/// Makes a vehicle's id out of a topic's levels and a payload's members.
struct VehicleIDTemplate: Equatable, Sendable {
    /// A piece of the template.
    enum Part: Equatable, Sendable {
        /// These bytes.
        case literal([UInt8])
        /// The topic's level of this number, from 0.
        case level(Int)
        /// The text or number that a JSON payload holds at this path.
        case path([UInt8])
    }

    /// The pieces, in order.
    private(set) var parts: [Part] = []

    /// The highest level that it reads, or `nil`.
    var highestLevel: Int? {
        parts.compactMap { part in
            if case .level(let number) = part { number } else { nil }
        }.max()
    }

    /// Whether the payload is needed.
    private(set) var readsPayload = false

    /// Reads a template such as `{1}-{2}` or `{device.uniqueId}`.
    ///
    /// - Throws: `SourceFault` with what is wrong with it, for a person.
    init(_ text: String) throws(SourceFault) {
        var rest = Substring(text)
        while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            guard rest[open] == "{" else { throw SourceFault(message: "a } closes nothing") }
            appendLiteral(rest[..<open])
            let inside = rest[rest.index(after: open)...]
            guard let close = inside.firstIndex(of: "}") else {
                throw SourceFault(message: "a { is not closed")
            }
            let part = try Self.placeholder(inside[..<close])
            if case .path = part { readsPayload = true }
            parts.append(part)
            rest = inside[inside.index(after: close)...]
        }
        appendLiteral(rest)
        if parts.isEmpty { throw SourceFault(message: "it is empty") }
    }

    private mutating func appendLiteral(_ text: Substring) {
        if !text.isEmpty { parts.append(.literal(Array(text.utf8))) }
    }

    private static func placeholder(_ text: Substring) throws(SourceFault) -> Part {
        if text.isEmpty { throw SourceFault(message: "there is nothing between { and }") }
        if text.contains("{") { throw SourceFault(message: "a { stands within another") }
        guard text.utf8.allSatisfy({ (48...57).contains($0) }) else {
            return .path(Array(text.utf8))
        }
        guard let number = Int(text) else {
            throw SourceFault(message: "no topic has so many levels")
        }
        return .level(number)
    }

    /// Returns the template with the topic's levels filled in, or `nil` when one is missing or empty.
    func filled(from topic: UnsafeRawBufferPointer) -> VehicleIDTemplate? {
        var filled = self
        for (index, part) in parts.enumerated() {
            guard case .level(let number) = part else { continue }
            guard let level = topic.level(number), !level.isEmpty else { return nil }
            filled.parts[index] = .literal(Array(level))
        }
        return filled
    }

    /// Returns the id that a message is of, or `nil` when what is asked for is missing or empty, or the
    /// id breaks the rules.
    ///
    /// - Parameters:
    ///   - topic: The message's topic, or nothing when its levels are filled in already.
    ///   - payload: The message, or the batch's element; `nil` when it is not JSON.
    func vehicleID(topic: UnsafeRawBufferPointer, payload: JSONValue?) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(VehicleID.longest)
        for part in parts {
            switch part {
            case .literal(let literal): bytes += literal
            case .level(let number):
                guard let level = topic.level(number), !level.isEmpty else { return nil }
                bytes += level
            case .path(let path):
                guard let name = payload?.value(at: path[...])?.name, !name.isEmpty else {
                    return nil
                }
                bytes += name
            }
        }
        return VehicleID.escaped(bytes)
    }
}

extension JSONValue {
    /// Returns what stands at a path of keys with points between them; a key may itself hold points.
    fileprivate func value(at path: ArraySlice<UInt8>) -> JSONValue? {
        guard let object else { return nil }
        for (key, value) in object {
            let key = key.bytes
            guard path.starts(with: key) else { continue }
            if path.count == key.count { return value }
            let point = path.startIndex + key.count
            guard path[point] == UInt8(ascii: ".") else { continue }
            if let found = value.value(at: path[(point + 1)...]) { return found }
        }
        return nil
    }

    /// The bytes of a text, or of a number as it is written.
    fileprivate var name: [UInt8]? {
        switch kind {
        case .string: text.map { Array($0.bytes) }
        case .number: Array(rawText.utf8)
        case .null, .bool, .array, .object: nil
        }
    }
}
