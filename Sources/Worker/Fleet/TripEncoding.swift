import Telemetry
package import Tracking

extension TripOptions {
    /// All options, a JSON object as text.
    var json: String {
        var writer = JSONWriter(capacity: 512)
        TripOptionTable.encode(self, into: &writer)
        return writer.text
    }

    /// Reads a JSON object of options over the defaults.
    ///
    /// - Throws: A refusal for `invalid_option`, or a `JSONError`.
    init(json: [UInt8]) throws {
        self.init()
        let parser = JSONParser()
        self = try json.withUnsafeBytes { bytes in
            try OptionsReader.options(try parser.parse(bytes), at: "tracking", over: self)
        }
    }
}

extension Level {
    /// The floor as it was sent, a JSON number or text.
    var json: String {
        var writer = JSONWriter(capacity: 32)
        switch self {
        case .number(let number): writer.number(number)
        case .text(let text): writer.string(text)
        }
        return writer.text
    }

    /// Reads a JSON number or text; `nil` when it is neither.
    package init?(json: String) {
        let read = try? JSONParser().parse(json) { value in
            value.string.map(Level.text) ?? value.double.map(Level.number)
        }
        guard let level = read ?? nil else { return nil }
        self = level
    }
}
