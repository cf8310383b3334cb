import Tracking

extension PayloadObject {
    /// Parses a command's payload, or returns `nil` for a payload of nothing.
    ///
    /// - Parameter maxBytes: A longer payload is refused before it is parsed.
    init?(
        _ payload: UnsafeRawBufferPointer, by parser: JSONParser, maxBytes: Int
    ) throws(Refusal) {
        guard payload.count <= maxBytes else {
            throw Refusal(
                .invalidCommand,
                "the payload has \(payload.count) bytes, more than the \(maxBytes) allowed")
        }
        guard !payload.trimmed.isEmpty else { return nil }
        let value: JSONValue
        do throws(JSONError) {
            value = try parser.parse(payload)
        } catch {
            throw Refusal(.invalidCommand, "the payload is not JSON: \(error.message)")
        }
        try self.init(value, at: nil, reason: .invalidCommand)
    }

    /// Checks that there are no members but some.
    func checkNames(among names: [StaticString]) throws(Refusal) {
        guard let members = value.object else { return }
        for member in members where !names.contains(where: { member.key == $0 }) {
            let known = names.map(\.description).joined(separator: ", ")
            let owner = path.isEmpty ? "the payload" : String(path.dropLast())
            let name = member.key.string.quoted
            throw Refusal(reason, "\(owner) has no member \(name); there are \(known)")
        }
    }

    /// Returns a text without control characters, or `nil` when it is absent or empty.
    ///
    /// - Parameter lines: Whether it may have several lines, and tabs.
    func plainText(
        _ name: StaticString, upTo bytes: Int, lines: Bool = false
    ) throws(Refusal) -> String? {
        guard let member = self[name] else { return nil }
        guard let text = member.text, text.count <= bytes,
            !text.holdsControl(otherThanLines: lines)
        else {
            throw refusal(
                of: name, member,
                expected: "a text of up to \(bytes) bytes without control characters")
        }
        return text.count == 0 ? nil : text.string
    }

    /// Returns an array of texts without control characters, or `nil` when it is absent.
    func texts(
        _ name: StaticString, upTo count: Int, bytes: ClosedRange<Int>
    ) throws(Refusal) -> [String]? {
        guard let array = try array(name) else { return nil }
        var texts: [String] = []
        for element in array {
            guard let text = element.text, bytes.contains(text.count),
                !text.holdsControl(otherThanLines: false)
            else {
                throw Refusal(
                    reason,
                    "\(path)\(name)[\(texts.count)] must be a text of \(bytes.lowerBound) to \(bytes.upperBound) bytes without control characters, not \(element.shown)"
                )
            }
            guard texts.count < count else {
                throw Refusal(reason, "\(path)\(name) has more than \(count) elements")
            }
            texts.append(text.string)
        }
        return texts
    }

    /// Returns a number within a range, or `nil` when it is absent.
    func number(
        _ name: StaticString, from low: Int, to high: Int, unit: String
    ) throws(Refusal) -> Double? {
        try number(
            name, in: Double(low)...Double(high), expected: "a number of \(low) to \(high) \(unit)")
    }

    /// Returns a latitude or longitude, which must be there.
    func degrees(_ name: StaticString, upTo most: Int) throws(Refusal) -> Double {
        let range = "a number from -\(most) to \(most)"
        guard
            let number = try number(
                name, in: -Double(most)...Double(most), expected: range)
        else { throw refusal(of: name, nil, expected: range) }
        return number
    }

    /// Returns `true` or `false`, or `nil` when it is absent.
    func flag(_ name: StaticString) throws(Refusal) -> Bool? {
        guard let member = self[name] else { return nil }
        guard let flag = member.bool else {
            throw refusal(of: name, member, expected: "true or false")
        }
        return flag
    }

    /// Returns a moment to the millisecond, in ISO 8601 or as a number since 1970; `nil` when it is absent.
    func moment(_ name: StaticString) throws(Refusal) -> Timestamp? {
        guard let member = self[name] else { return nil }
        do throws(RejectionReason) {
            let moment = try Timestamp(reported: member)
            return Timestamp(microseconds: moment.microseconds / 1000 * 1000)
        } catch {
            throw refusal(
                of: name, member, expected: "a time such as \"2026-12-01T00:00:00Z\"")
        }
    }

    /// Returns the members `since` and `until`, of which the first must be earlier.
    func span() throws(Refusal) -> (since: Timestamp?, until: Timestamp?) {
        let since = try moment("since")
        let until = try moment("until")
        if let since, let until, until <= since {
            throw refusal(of: "until", self["until"], expected: "later than \(path)since")
        }
        return (since, until)
    }
}

extension JSONText {
    /// Whether it holds a control character, U+0000 among them.
    ///
    /// - Parameter lines: Whether line feeds and tabs do not count.
    func holdsControl(otherThanLines lines: Bool) -> Bool {
        string.unicodeScalars.contains { scalar in
            scalar.properties.generalCategory == .control
                && !(lines && (scalar == "\n" || scalar == "\t" || scalar == "\r"))
        } || bytes.contains(0)
    }
}

extension JSONValue {
    /// Whether one of its texts and keys, however deep, holds a control character.
    var holdsControl: Bool {
        if let text { return text.holdsControl(otherThanLines: false) }
        if let array { return array.contains { $0.holdsControl } }
        guard let object else { return false }
        return object.contains {
            $0.key.holdsControl(otherThanLines: false) || $0.value.holdsControl
        }
    }

    /// The value as JSON text without blanks, its keys in order and its numbers in their shortest form.
    ///
    /// What a database made of a text is the same text again.
    var canonicalText: String {
        var json = JSONWriter(capacity: 256)
        writeCanonical(to: &json)
        return json.text
    }

    private func writeCanonical(to json: inout JSONWriter) {
        if let array {
            json.array { json in
                for element in array { element.writeCanonical(to: &json) }
            }
        } else if let object {
            var members: [String: JSONValue] = [:]
            // Of a repeated key the first counts.
            for (key, value) in object where members[key.string] == nil {
                members[key.string] = value
            }
            json.object { json in
                for (key, value) in members.sorted(by: { $0.key < $1.key }) {
                    json.key(text: key)
                    value.writeCanonical(to: &json)
                }
            }
        } else if let text {
            json.string(text.string)
        } else if let whole = int64 {
            json.integer(Int(whole))
        } else if let number = double, number.isFinite {
            json.number(number)
        } else {
            json.raw(rawText)
        }
    }
}
