package import Tracking
package import Watching

/// The settings `alarms.*`: those of the watch, and what its owner needs besides.
package struct AlarmSettings: Equatable, Sendable {
    /// The settings of the watch.
    package var watch = WatchSettings()
    /// How long the clock is silent at the beginning of a subscription, in seconds; 0 to 600.
    package var settle = 30.0
    /// Where in the attributes of a position the ignition is: names with points between them.
    package var ignition = "ignition"

    /// Creates the defaults.
    package init() {}
}

/// The settings of alarms by their names, without the prefix, with what each takes.
package enum AlarmSettingTable {
    fileprivate typealias Path<Value> = any WritableKeyPath<AlarmSettings, Value> & Sendable

    /// What a setting takes, and where it is kept.
    fileprivate enum Field: Sendable {
        /// A number within bounds.
        case number(Path<Double>, ClosedRange<Double>)
        /// A number within bounds, or 0 for off.
        case switchable(Path<Double>, ClosedRange<Double>)
        /// A number above 0 and at most the bound; none by default.
        case optional(Path<Double?>, most: Double)
        /// `true` or `false`.
        case flag(Path<Bool>)
        /// Names with points between them.
        case path(Path<String>)
    }

    /// The names of all settings, in the order of the documentation.
    package static let names = entries.map(\.name)

    /// Sets the setting `name` to `value`.
    ///
    /// - Parameter prefix: What stands before the name in the refusal's sentence: `alarms.`.
    /// - Throws: A refusal for `invalid_option` that names a setting that is unknown, or says what a value out of range
    ///   should have been.
    package static func set(
        _ name: String, _ value: OptionValue, prefix: String = "", in settings: inout AlarmSettings
    ) throws(Refusal) {
        guard let entry = entries.first(where: { $0.name == name }) else {
            throw Refusal(.invalidOption, "\(prefix)\(name) is not a setting of alarms")
        }
        guard entry.field.set(value, in: &settings) else {
            throw Refusal(
                .invalidOption,
                "\(prefix)\(name) must be \(entry.field.expectation), not \(value.shown)")
        }
    }

    /// Reads an object of settings over others.
    ///
    /// - Parameter path: The object's name, for a person.
    /// - Throws: As `set` does; also where it is no object.
    package static func settings(
        _ value: JSONValue, at path: String, over defaults: AlarmSettings = AlarmSettings()
    ) throws(Refusal) -> AlarmSettings {
        guard let given = value.object else {
            throw Refusal(.invalidOption, "\(path) must be an object, not \(value.shown)")
        }
        var settings = defaults
        for (name, value) in given {
            try set(name.string, OptionValue(value), prefix: "\(path).", in: &settings)
        }
        return settings
    }

    /// Reads a JSON object of settings over the defaults.
    ///
    /// - Throws: As `set` does; a `JSONError` where it is no JSON.
    package static func settings(json: [UInt8]) throws -> AlarmSettings {
        let parser = JSONParser()
        return try json.withUnsafeBytes { bytes in
            try settings(try parser.parse(bytes), at: "alarms")
        }
    }

    /// Tells whether the setting `name` has another value in `other`.
    package static func differs(
        _ name: String, _ one: AlarmSettings, _ other: AlarmSettings
    ) -> Bool {
        let texts = [one, other].map { settings in
            var json = JSONWriter(capacity: 64)
            json.object { json in
                for entry in entries where entry.name == name {
                    entry.field.write(name, settings, into: &json)
                }
            }
            return json.bytes
        }
        return texts[0] != texts[1]
    }

    /// Writes all settings that have a value as an object.
    package static func encode(_ settings: AlarmSettings, into json: inout JSONWriter) {
        json.object { json in
            for entry in entries { entry.field.write(entry.name, settings, into: &json) }
        }
    }

    private struct Entry: Sendable {
        var name: String
        var field: Field
    }

    private static let entries: [Entry] = [
        Entry(name: "max_accuracy_m", field: .number(\.watch.maxAccuracy, 1...10_000)),
        Entry(name: "max_speed_mps", field: .number(\.watch.maxSpeed, 1...500)),
        Entry(name: "exit_margin_m", field: .number(\.watch.exitMargin, 0...1000)),
        Entry(name: "confirm_s", field: .number(\.watch.confirmation, 0...3600)),
        Entry(name: "pass_gap_s", field: .number(\.watch.passGap, 0...3600)),
        Entry(name: "settle_s", field: .number(\.settle, 0...600)),
        Entry(name: "speed_limit_mps", field: .optional(\.watch.speedLimit, most: 100)),
        Entry(name: "speed_over_mps", field: .number(\.watch.speedOver, 0...30)),
        Entry(name: "speed_over_ratio", field: .number(\.watch.speedOverRatio, 0...1)),
        Entry(name: "speed_min_s", field: .number(\.watch.speedDuration, 0...600)),
        Entry(name: "speed_gap_s", field: .number(\.watch.speedGap, 5...600)),
        Entry(name: "stop_radius_m", field: .number(\.watch.stopRadius, 5...2000)),
        Entry(name: "stop_min_s", field: .number(\.watch.stopDuration, 10...86_400)),
        Entry(name: "gap_s", field: .number(\.watch.silenceGap, 60...604_800)),
        Entry(name: "ignition", field: .path(\.ignition)),
        Entry(name: "stops", field: .flag(\.watch.tellsStops)),
        Entry(name: "silent_s", field: .switchable(\.watch.silence, 60...604_800)),
    ]
}

extension AlarmSettingTable.Field {
    /// Sets the setting and returns `true`, or returns `false` when `value` is not right for it.
    fileprivate func set(_ value: OptionValue, in settings: inout AlarmSettings) -> Bool {
        switch (self, value) {
        case (.number(let path, let range), .number(let number)):
            guard range.contains(number) else { return false }
            settings[keyPath: path] = number
        case (.switchable(let path, let range), .number(let number)):
            guard number == 0 || range.contains(number) else { return false }
            settings[keyPath: path] = number
        case (.optional(let path, let most), .number(let number)):
            guard number > 0, number <= most else { return false }
            settings[keyPath: path] = number
        case (.flag(let path), .flag(let flag)):
            settings[keyPath: path] = flag
        case (.path(let path), .text(let text)):
            guard IgnitionPath(text) != nil else { return false }
            settings[keyPath: path] = text
        case (.number, _), (.switchable, _), (.optional, _), (.flag, _), (.path, _):
            return false
        }
        return true
    }

    /// What a value should have been, for a person.
    fileprivate var expectation: String {
        switch self {
        case .number(_, let range):
            "a number from \(range.lowerBound.shown) to \(range.upperBound.shown)"
        case .switchable(_, let range):
            "0 or a number from \(range.lowerBound.shown) to \(range.upperBound.shown)"
        case .optional(_, let most): "a number above 0 and at most \(most.shown)"
        case .flag: "true or false"
        case .path: "a path in the attributes, such as io.ignition"
        }
    }

    /// Writes the setting as a member; none where it has no value, so that the object can be read again.
    fileprivate func write(
        _ name: String, _ settings: AlarmSettings, into json: inout JSONWriter
    ) {
        if case .optional(let path, _) = self, settings[keyPath: path] == nil { return }
        json.key(text: name)
        switch self {
        case .number(let path, _), .switchable(let path, _): json.number(settings[keyPath: path])
        case .optional(let path, _): json.number(settings[keyPath: path] ?? 0)
        case .flag(let path): json.bool(settings[keyPath: path])
        case .path(let path): json.string(settings[keyPath: path])
        }
    }
}

extension Double {
    /// The number in a sentence.
    fileprivate var shown: String {
        var json = JSONWriter(capacity: 16)
        json.number(self)
        return json.text
    }
}
