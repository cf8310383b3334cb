/// One `--option` that a command takes.
struct Option: Hashable, Sendable {
    /// The name without its dashes.
    let name: String
    /// What stands for the value in the help, in capitals; `nil` for a flag, which has none.
    let placeholder: String?
    /// What it does, for the help.
    let help: String
    /// Whether it may be given more than once.
    let repeats: Bool

    /// An option that is there or not.
    static func flag(_ name: String, _ help: String) -> Option {
        Option(name: name, placeholder: nil, help: help, repeats: false)
    }

    /// An option with a value.
    static func value(
        _ name: String, _ placeholder: String, _ help: String, repeats: Bool = false
    ) -> Option {
        Option(name: name, placeholder: placeholder, help: help, repeats: repeats)
    }

    /// The option as it is written on the command line.
    var written: String { "--\(name)" }
}

/// One argument without dashes that a command takes.
struct Operand: Hashable, Sendable {
    /// What stands for it in the help, in capitals.
    let placeholder: String
    /// What it is, for the help.
    let help: String
    /// Whether it may be left out.
    var isOptional = false
}

extension Option {
    /// Prints how a command is used.
    static let help = Option.flag("help", "print this and exit")
    /// Prints which Waygate this is.
    static let version = Option.flag("version", "print the version and exit")
    /// Names the settings file.
    static let config = Option.value(
        "config", "FILE",
        "the settings, JSON5 (default: the file that WAYGATE_CONFIG names, or the defaults)")
}
