import Worker

/// A manual as a page for `man`, in the macros of man(7).
struct ManPage: Sendable {
    /// The page's name, such as `waygate-run`.
    let name: String
    /// The page, ready to be written to a file.
    let text: String

    /// The page of one command.
    init(_ manual: Manual) {
        name = "waygate-\(manual.name)"
        var page = Self.head(name, summary: manual.summary)
        page += ".SH SYNOPSIS\n" + Self.line(manual.usage)
        if !manual.operands.isEmpty {
            page += ".SH ARGUMENTS\n"
            page += manual.operands.map { Self.item($0.placeholder, $0.help) }.joined()
        }
        if !manual.details.isEmpty {
            page += ".SH DESCRIPTION\n" + Self.paragraphs(manual.details)
        }
        page += ".SH OPTIONS\n"
        page += manual.allOptions.map { option in
            let tag = [option.written, option.placeholder].compactMap(\.self)
            return Self.item(tag.joined(separator: " "), option.help)
        }.joined()
        page += ".SH EXIT STATUS\n" + Self.line("0: done; 1: it failed; 2: bad usage.")
        page += ".SH EXAMPLE\n.nf\n" + Self.line(manual.example) + ".fi\n"
        text = page + ".SH SEE ALSO\n" + Self.line("waygate(1)")
    }

    /// The page that leads to all others.
    init(overview manuals: [Manual]) {
        name = "waygate"
        var page = Self.head(
            name, summary: "turns vehicle positions from MQTT into trips, events and rows")
        page += ".SH SYNOPSIS\n" + Self.line("waygate COMMAND [arguments] [options]")
        page += ".SH COMMANDS\n"
        page += manuals.map { Self.item("waygate-\($0.name)(1)", $0.summary) }.joined()
        page += ".SH FILES\n"
        page += Self.item(
            "/etc/waygate/waygate.json5",
            "every setting with its default and a comment; read where --config or WAYGATE_CONFIG "
                + "names it, as the service does")
        text = page
    }

    private static func head(_ name: String, summary: String) -> String {
        ".TH \(name.uppercased()) 1 \"\" \"Waygate \(Release.version)\" \"User commands\"\n"
            + ".SH NAME\n" + line("\(name) - \(summary)")
    }

    /// A tagged paragraph.
    private static func item(_ tag: String, _ help: String) -> String {
        ".TP\n.B " + line(tag) + line(help)
    }

    private static func paragraphs(_ details: String) -> String {
        details.split(separator: "\n\n").map { ".PP\n" + line(String($0)) }.joined()
    }

    /// Text as it stands: nothing in it is a request or an escape.
    private static func line(_ text: String) -> String {
        let escaped = text.map { character in
            switch character {
            case "\\": "\\e"
            case "-": "\\-"
            case "\n": " "
            default: String(character)
            }
        }.joined()
        let isRequest = escaped.hasPrefix(".") || escaped.hasPrefix("'")
        return (isRequest ? "\\&" : "") + escaped + "\n"
    }
}
