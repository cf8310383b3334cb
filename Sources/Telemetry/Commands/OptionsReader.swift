package import Tracking

/// Reads the options of an assignment or a scenario.
package enum OptionsReader {
    /// Returns an object's options merged over others.
    ///
    /// - Parameter path: The object's name, for a person.
    /// - Throws: A refusal for `invalid_option` that names the option.
    package static func options(
        _ value: JSONValue, at path: String, over defaults: TripOptions
    ) throws(Refusal) -> TripOptions {
        guard let given = value.object else {
            throw Refusal(.invalidOption, "\(path) must be an object, not \(value.shown)")
        }
        var options = defaults
        for (name, value) in given {
            try TripOptionTable.set(
                name.string, OptionValue(value), scope: .assignment, prefix: "\(path).",
                in: &options)
        }
        return options
    }
}

extension OptionValue {
    /// The value of an option in a JSON text.
    init(_ value: JSONValue) {
        if let number = value.double {
            self = .number(number)
        } else if let flag = value.bool {
            self = .flag(flag)
        } else if let text = value.string {
            self = .text(text)
        } else {
            self = .other
        }
    }
}
