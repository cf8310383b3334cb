import Telemetry

/// One key of the settings file: where it stands, which variable overrides it, and how its value is
/// read.
struct ConfigurationKey {
    /// Why a value is refused.
    struct Refusal: Error {
        /// What it must be, as the ends of sentences that open with the key.
        var messages: [String]

        init(_ message: String) {
            self.messages = [message]
        }

        init(_ messages: [String]) {
            self.messages = messages
        }
    }

    /// Puts a value into the configuration; `null` never comes here.
    typealias Read = (JSON5Value, inout Configuration) throws(Refusal) -> Void

    /// The key with its sections, separated by dots.
    var path: String
    /// The environment variable that overrides it.
    var variable: String?
    /// Tells whether two configurations differ in it.
    var differs: (Configuration, Configuration) -> Bool
    /// Reads its value.
    var read: Read

    init(
        _ path: String, variable: String? = nil,
        differs: @escaping (Configuration, Configuration) -> Bool, read: @escaping Read
    ) {
        self.path = path
        self.variable = variable
        self.differs = differs
        self.read = read
    }

    init<Value: Equatable>(
        _ path: String, variable: String? = nil, of target: KeyPath<Configuration, Value>,
        read: @escaping Read
    ) {
        self.init(
            path, variable: variable, differs: { $0[keyPath: target] != $1[keyPath: target] },
            read: read)
    }
}

// MARK: - Kinds of values

extension ConfigurationKey {
    /// A text, for which `check` says what it must be where it is not that.
    static func text(
        _ path: String, variable: String? = nil, _ target: WritableKeyPath<Configuration, String>,
        check: @escaping (String) -> String?
    ) -> ConfigurationKey {
        ConfigurationKey(path, variable: variable, of: target) {
            (value, configuration) throws(Refusal) in
            let text = try value.text()
            if let complaint = check(text) { throw Refusal("\(complaint), not '\(text)'") }
            configuration[keyPath: target] = text
        }
    }

    /// A text that may be missing; empty counts as missing.
    static func optionalText(
        _ path: String, variable: String? = nil, _ target: WritableKeyPath<Configuration, String?>,
        check: @escaping (String) -> String? = { _ in nil }
    ) -> ConfigurationKey {
        ConfigurationKey(path, variable: variable, of: target) {
            (value, configuration) throws(Refusal) in
            let text = try value.text()
            if !text.isEmpty, let complaint = check(text) {
                throw Refusal("\(complaint), not '\(text)'")
            }
            configuration[keyPath: target] = text.isEmpty ? nil : text
        }
    }

    /// A text that no message may repeat.
    static func secret(
        _ path: String, variable: String? = nil, _ target: WritableKeyPath<Configuration, Secret>,
        check: @escaping (String) -> String?
    ) -> ConfigurationKey {
        ConfigurationKey(path, variable: variable, of: target) {
            (value, configuration) throws(Refusal) in
            let text = try value.text()
            if let complaint = check(text) { throw Refusal(complaint) }
            configuration[keyPath: target] = Secret(text)
        }
    }

    /// A word of a fixed list.
    static func choice<Choice: RawRepresentable<String> & CaseIterable & Equatable>(
        _ path: String, variable: String? = nil, _ target: WritableKeyPath<Configuration, Choice>
    ) -> ConfigurationKey {
        ConfigurationKey(path, variable: variable, of: target) {
            (value, configuration) throws(Refusal) in
            guard case .text(let text) = value.content, let choice = Choice(rawValue: text) else {
                let words = Choice.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
                throw Refusal("must be one of \(words), not \(value.shown)")
            }
            configuration[keyPath: target] = choice
        }
    }

    /// A whole number.
    static func integer(
        _ path: String, _ target: WritableKeyPath<Configuration, Int>, in range: ClosedRange<Int>
    ) -> ConfigurationKey {
        ConfigurationKey(path, of: target) { (value, configuration) throws(Refusal) in
            guard case .number(let number) = value.content, let integer = Int(exactly: number),
                range.contains(integer)
            else {
                let bounds = "\(range.lowerBound) to \(range.upperBound)"
                throw Refusal("must be a whole number from \(bounds), not \(value.shown)")
            }
            configuration[keyPath: target] = integer
        }
    }

    /// A number for which `accepts` holds, as `meaning` says in words.
    static func number(
        _ path: String, _ target: WritableKeyPath<Configuration, Double>, _ meaning: String,
        accepts: @escaping (Double) -> Bool
    ) -> ConfigurationKey {
        ConfigurationKey(path, of: target) { (value, configuration) throws(Refusal) in
            guard case .number(let number) = value.content, number.isFinite, accepts(number) else {
                throw Refusal("must be a number \(meaning), not \(value.shown)")
            }
            configuration[keyPath: target] = number
        }
    }
}

extension JSON5Value {
    /// Returns the text, which must be one.
    func text() throws(ConfigurationKey.Refusal) -> String {
        guard case .text(let text) = content else {
            throw ConfigurationKey.Refusal("must be text in quotes, not \(shown)")
        }
        return text
    }

    /// The value as a message shows it.
    var shown: String {
        switch content {
        case .null: "null"
        case .bool(let flag): "\(flag)"
        case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
        case .text(let text): "'\(text)'"
        case .list: "a list"
        case .object: "an object"
        }
    }

    /// The value as the table of the tracking options takes it.
    var optionValue: OptionValue {
        switch content {
        case .bool(let flag): .flag(flag)
        case .number(let number): .number(number)
        case .text(let text): .text(text)
        case .null, .list, .object: .other
        }
    }
}
