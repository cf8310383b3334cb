import Worker

/// One of the things that `waygate` does.
protocol Subcommand: SendableMetatype {
    /// How it is used.
    static var manual: Manual { get }

    /// Takes its arguments.
    ///
    /// - Throws: ``UsageError`` for a value that is not right.
    init(_ arguments: Arguments) throws(UsageError)

    /// Does it.
    ///
    /// - Throws: ``CommandFailure``, or an error whose description is one line for a person.
    func run() throws
}

/// Why a command failed; the exit status is 1.
struct CommandFailure: Error, CustomStringConvertible {
    /// What is wrong and what to do about it, a line each.
    var description: String

    init(_ description: String) {
        self.description = description
    }
}

extension Arguments {
    /// Reads the settings file that `--config` or `WAYGATE_CONFIG` names.
    func configuration() -> ConfigurationSource {
        ConfigurationSource(file: text(.config))
    }
}

/// Where a command's settings come from.
struct ConfigurationSource {
    /// The file that `--config` names.
    var file: String?

    /// The file that the settings come from, or `nil` where there is none.
    var path: String? {
        file ?? Process.environment["WAYGATE_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Reads the settings.
    ///
    /// - Throws: ``ConfigurationError`` with all that is wrong in them.
    func load() throws(ConfigurationError) -> Configuration {
        try Configuration.load(file: file, environment: Process.environment)
    }
}
