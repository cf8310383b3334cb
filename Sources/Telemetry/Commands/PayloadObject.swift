import Tracking

/// A JSON object whose members are read with refusals that name them.
///
/// A member that is `null` counts as absent.
struct PayloadObject {
    /// The object.
    let value: JSONValue
    /// What leads to its members, for a person: empty, or such as `via_points[2].`.
    let path: String
    /// The reason of the refusals.
    let reason: Refusal.Reason

    /// Creates a reader of an object.
    ///
    /// - Parameter path: Its own name, for a person; `nil` for the payload itself.
    /// - Throws: A refusal when `value` is not an object.
    init(_ value: JSONValue, at path: String?, reason: Refusal.Reason) throws(Refusal) {
        guard value.kind == .object else {
            throw Refusal(
                reason, "\(path ?? "the payload") must be an object, not \(value.shown)")
        }
        self.value = value
        self.path = path.map { $0 + "." } ?? ""
        self.reason = reason
    }

    /// Creates a reader of what is known to be an object, with what leads to its members.
    init(_ value: JSONValue, under path: String, reason: Refusal.Reason) {
        self.value = value
        self.path = path
        self.reason = reason
    }

    /// Returns a member, or `nil` when it is absent or `null`.
    subscript(name: StaticString) -> JSONValue? {
        guard let member = value[name], !member.isNull else { return nil }
        return member
    }

    /// Returns the refusal of a member that is not what it should be.
    func refusal(
        of name: StaticString, _ member: JSONValue?, expected: String
    ) -> Refusal {
        guard let member else {
            return Refusal(reason, "\(path)\(name) is missing: it must be \(expected)")
        }
        return Refusal(reason, "\(path)\(name) must be \(expected), not \(member.shown)")
    }

    /// Returns a text without U+0000, or `nil` when it is absent.
    func text(_ name: StaticString) throws(Refusal) -> String? {
        guard let member = self[name] else { return nil }
        guard let text = member.string else {
            throw refusal(of: name, member, expected: "a text")
        }
        return text
    }

    /// Returns the name of a trip or command: 1 to 128 bytes without control characters; `nil` when it is absent.
    func name(_ name: StaticString) throws(Refusal) -> String? {
        guard let member = self[name] else { return nil }
        guard let text = member.string, (1...128).contains(text.utf8.count),
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw refusal(
                of: name, member,
                expected: "a text of 1 to 128 bytes without control characters")
        }
        return text
    }

    /// Returns a whole number of at least `lowest`, or `nil` when it is absent.
    func count(_ name: StaticString, from lowest: Int) throws(Refusal) -> Int? {
        guard let member = self[name] else { return nil }
        guard let count = member.int64, let count = Int(exactly: count), count >= lowest else {
            throw refusal(of: name, member, expected: "a whole number of at least \(lowest)")
        }
        return count
    }

    /// Returns a number within `range`, or `nil` when it is absent.
    func number(
        _ name: StaticString, in range: ClosedRange<Double>, expected: String
    ) throws(Refusal) -> Double? {
        guard let member = self[name] else { return nil }
        guard let number = member.double, range.contains(number) else {
            throw refusal(of: name, member, expected: expected)
        }
        return number
    }

    /// Returns the elements of an array, or `nil` when it is absent.
    func array(_ name: StaticString) throws(Refusal) -> JSONArray? {
        guard let member = self[name] else { return nil }
        guard let array = member.array else {
            throw refusal(of: name, member, expected: "an array")
        }
        return array
    }
}

extension JSONValue {
    /// The value in a few words, for a person.
    var shown: String {
        switch kind {
        case .null: "null"
        case .bool: bool == true ? "true" : "false"
        case .number: String(rawText.prefix(40))
        case .string: (string ?? "").quoted
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension String {
    /// The beginning of the text as JSON, for a person.
    var quoted: String {
        var json = JSONWriter(capacity: 64)
        json.string(count > 40 ? "\(prefix(40))…" : self)
        return json.text
    }
}
