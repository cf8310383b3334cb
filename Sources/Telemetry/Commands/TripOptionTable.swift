package import Tracking

/// The value of an option as a configuration file, an assignment or a command line gives it.
package enum OptionValue: Equatable, Sendable {
    /// A JSON number.
    case number(Double)
    /// `true` or `false`.
    case flag(Bool)
    /// A text.
    case text(String)
    /// `null`, an array or an object: right for no option.
    case other
}

/// Who gives options.
package enum OptionScope: Sendable {
    /// The configuration file, for all trips of the worker.
    case worker
    /// An assignment, for its trip.
    case assignment
}

/// The options of the tracking rules by their names, with what each takes.
package enum TripOptionTable {
    /// Where an option is kept.
    typealias Path<Value> = any WritableKeyPath<TripOptions, Value> & Sendable

    /// What an option takes, and where it is kept.
    enum Field: Sendable {
        /// A number within bounds; `lowest` itself is allowed only where `isOpen` is false.
        case number(
            Path<Double>, lowest: Double, isOpen: Bool,
            highest: Double)
        /// A number above 0 and at most `highest`, or none.
        case optional(Path<Double?>, highest: Double)
        /// A number from `lowest` to `highest`, or 0 for off.
        case switchable(Path<Double>, lowest: Double, highest: Double)
        /// A whole number of at least `lowest`.
        case count(Path<Int>, lowest: Int)
        /// `true` or `false`.
        case flag(Path<Bool>)
        /// A profile's name.
        case profile(Path<TripOptions.Profile>)
        /// What is done with a better route.
        case betterRoute(Path<TripOptions.BetterRoute>)
    }

    /// The names of all options, in the order of the documentation.
    package static let names = entries.map(\.name)

    /// Sets the option `name` to `value`.
    ///
    /// - Parameter prefix: What stands before the name in the refusal's sentence: `options.`, `tracking.`.
    /// - Throws: A refusal for `invalid_option` that names an option that is unknown, or says what a value
    ///   out of range should have been.
    package static func set(
        _ name: String, _ value: OptionValue, scope: OptionScope, prefix: String = "",
        in options: inout TripOptions
    ) throws(Refusal) {
        guard let entry = entries.first(where: { $0.name == name }) else {
            throw Refusal(.invalidOption, "\(prefix)\(name) is not an option")
        }
        if scope == .worker, entry.isForAssignments {
            throw Refusal(
                .invalidOption, "\(prefix)\(name) is an option of assignments only")
        }
        guard entry.field.set(value, in: &options) else {
            throw Refusal(
                .invalidOption,
                "\(prefix)\(name) must be \(entry.field.expectation), not \(value.shown)")
        }
    }

    /// Tells whether the option `name` has another value in `other`.
    package static func differs(_ name: String, _ one: TripOptions, _ other: TripOptions) -> Bool {
        let texts = [one, other].map { options in
            var json = JSONWriter(capacity: 64)
            json.object { json in
                for entry in entries where entry.name == name {
                    entry.field.write(name, options, into: &json)
                }
            }
            return json.bytes
        }
        return texts[0] != texts[1]
    }

    /// Writes all options as an object, as resolved.
    package static func encode(_ options: TripOptions, into json: inout JSONWriter) {
        json.object { json in
            for entry in entries { entry.field.write(entry.name, options, into: &json) }
        }
    }

    private struct Entry: Sendable {
        var name: String
        var field: Field
        var isForAssignments = false
    }

    private static let entries: [Entry] = [
        Entry(name: "deviation_distance_m", field: .positive(\.deviationDistance)),
        Entry(name: "arrival_radius_m", field: .positive(\.arrivalRadius)),
        Entry(name: "wait_at_waypoints", field: .flag(\.waitsAtWaypoints)),
        Entry(name: "max_accuracy_m", field: .positive(\.maxAccuracy)),
        Entry(name: "max_speed_mps", field: .positive(\.maxSpeed)),
        Entry(name: "max_future_skew_s", field: .atLeastZero(\.maxFutureSkew)),
        Entry(name: "max_age_at_assignment_s", field: .atLeastZero(\.maxAgeAtAssignment)),
        Entry(name: "deviation_confirmations", field: .count(\.deviationConfirmations, lowest: 1)),
        Entry(
            name: "off_route_return_ratio",
            field: .number(\.offRouteReturnRatio, lowest: 0, isOpen: true, highest: 1)),
        Entry(name: "reroute_retry_interval_s", field: .atLeastZero(\.rerouteRetryInterval)),
        Entry(name: "reroute_timeout_s", field: .positive(\.rerouteTimeout)),
        Entry(name: "arrival_dwell_s", field: .atLeastZero(\.arrivalDwell)),
        Entry(name: "hold_breach_distance_m", field: .positive(\.holdBreachDistance)),
        Entry(name: "trip_expiry_s", field: .atLeastZero(\.tripExpiry)),
        Entry(name: "speed_limit_mps", field: .optional(\.speedLimit, highest: 100)),
        Entry(name: "approach_distance_m", field: .atLeastZero(\.approachDistance)),
        Entry(name: "approach_s", field: .atLeastZero(\.approachTime)),
        Entry(
            name: "skip_suggestion_m",
            field: .switchable(\.skipSuggestion, lowest: 50, highest: 50_000)),
        Entry(
            name: "start_waypoint_index", field: .count(\.startWaypointIndex, lowest: 0),
            isForAssignments: true),
        Entry(name: "deviation_path", field: .flag(\.asksForDeviationPath)),
        Entry(name: "profile", field: .profile(\.profile)),
        Entry(name: "roadblock_reroute", field: .flag(\.reroutesAtRoadblocks)),
        Entry(name: "better_route", field: .betterRoute(\.betterRoute)),
        Entry(
            name: "better_route_interval_s",
            field: .number(
                \.betterRouteInterval, lowest: 120, isOpen: false, highest: 86_400)),
        Entry(name: "better_route_gain_s", field: .atLeastZero(\.betterRouteGain)),
        Entry(
            name: "better_route_gain_ratio",
            field: .number(\.betterRouteGainRatio, lowest: 0, isOpen: false, highest: 1)),
    ]
}

extension TripOptionTable.Field {
    /// The bound of what is otherwise unbounded: 30 years in seconds, 25 times round the earth in metres.
    private static let most = 1e9

    static func positive(_ path: TripOptionTable.Path<Double>) -> TripOptionTable.Field {
        .number(path, lowest: 0, isOpen: true, highest: most)
    }

    static func atLeastZero(_ path: TripOptionTable.Path<Double>) -> TripOptionTable.Field {
        .number(path, lowest: 0, isOpen: false, highest: most)
    }

    /// Sets the option and returns `true`, or returns `false` when `value` is not right for it.
    func set(_ value: OptionValue, in options: inout TripOptions) -> Bool {
        switch (self, value) {
        case (.number(let path, let lowest, let isOpen, let highest), .number(let number)):
            guard isOpen ? number > lowest : number >= lowest, number <= highest else {
                return false
            }
            options[keyPath: path] = number
        case (.optional(let path, let highest), .number(let number)):
            guard number > 0, number <= highest else { return false }
            options[keyPath: path] = number
        case (.switchable(let path, let lowest, let highest), .number(let number)):
            guard number == 0 || (lowest...highest).contains(number) else { return false }
            options[keyPath: path] = number
        case (.count(let path, let lowest), .number(let number)):
            guard let count = Int(exactly: number), count >= lowest, number <= Self.most else {
                return false
            }
            options[keyPath: path] = count
        case (.flag(let path), .flag(let flag)):
            options[keyPath: path] = flag
        case (.profile(let path), .text(let text)):
            guard let profile = TripOptions.Profile(rawValue: text) else { return false }
            options[keyPath: path] = profile
        case (.betterRoute(let path), .text(let text)):
            guard let use = TripOptions.BetterRoute(rawValue: text) else { return false }
            options[keyPath: path] = use
        case (.number, _), (.optional, _), (.switchable, _), (.count, _), (.flag, _), (.profile, _),
            (.betterRoute, _):
            return false
        }
        return true
    }

    /// What a value should have been, for a person.
    var expectation: String {
        switch self {
        case .number(_, let lowest, let isOpen, let highest):
            let start = isOpen ? "above \(Int(lowest))" : "of at least \(Int(lowest))"
            return "a number \(start) and at most \(Int(highest))"
        case .optional(_, let highest):
            return "a number above 0 and at most \(Int(highest))"
        case .switchable(_, let lowest, let highest):
            return "0 or a number from \(Int(lowest)) to \(Int(highest))"
        case .count(_, let lowest):
            return "a whole number of at least \(lowest)"
        case .flag:
            return "true or false"
        case .profile:
            return TripOptions.Profile.choice
        case .betterRoute:
            let names = TripOptions.BetterRoute.allCases.map(\.rawValue)
            return "one of " + names.joined(separator: ", ")
        }
    }

    /// Writes the option as a member; none where it has no value, so that the object can be read again.
    func write(_ name: String, _ options: TripOptions, into json: inout JSONWriter) {
        if case .optional(let path, _) = self, options[keyPath: path] == nil { return }
        json.key(text: name)
        switch self {
        case .number(let path, _, _, _), .switchable(let path, _, _):
            json.number(options[keyPath: path])
        case .optional(let path, _): json.number(options[keyPath: path] ?? 0)
        case .count(let path, _): json.integer(options[keyPath: path])
        case .flag(let path): json.bool(options[keyPath: path])
        case .profile(let path): json.string(options[keyPath: path].rawValue)
        case .betterRoute(let path): json.string(options[keyPath: path].rawValue)
        }
    }
}

extension TripOptions.Profile {
    /// The names to choose from, for a person.
    static var choice: String {
        "one of " + allCases.map(\.rawValue).joined(separator: ", ")
    }
}

extension OptionValue {
    /// The value in a few words, for a person.
    var shown: String {
        switch self {
        case .number(let number):
            var json = JSONWriter(capacity: 32)
            json.number(number)
            return json.text
        case .flag(let flag): return flag ? "true" : "false"
        case .text(let text): return text.quoted
        case .other: return "null, an array or an object"
        }
    }
}
