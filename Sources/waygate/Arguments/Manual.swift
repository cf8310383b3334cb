/// All that there is to know about using one command.
struct Manual: Sendable {
    /// The command's name.
    var name: String
    /// What it does, as a clause without a full stop.
    var summary: String
    /// Its arguments without dashes, in order.
    var operands: [Operand] = []
    /// Its options, without those that every command takes.
    var options: [Option] = []
    /// What a newcomer should know, in paragraphs.
    var details = ""
    /// A command that works as it stands.
    var example: String

    /// The options with those that every command takes.
    var allOptions: [Option] { options + [.help, .version] }

    /// The first line of the help: how the command is written.
    var usage: String {
        let operands = operands.map { $0.isOptional ? "[\($0.placeholder)]" : $0.placeholder }
        return (["waygate", name] + operands + ["[options]"]).joined(separator: " ")
    }

    /// The help.
    var text: String {
        var text = "waygate \(name): \(summary).\n\nUsage: \(usage)\n"
        let arguments = operands.map { ($0.placeholder, $0.help) }
        if !arguments.isEmpty { text += "\n" + Self.table(arguments) }
        if !details.isEmpty { text += "\n" + Self.filled(details) }
        text += "\nOptions:\n"
        text += Self.table(
            allOptions.map { option in
                (
                    [option.written, option.placeholder].compactMap(\.self).joined(separator: " "),
                    option.help
                )
            })
        return text + "\nExample:\n  \(example)\n"
    }

    /// Sets two columns, the second one broken at 79 characters.
    static func table(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        var text = ""
        for (left, right) in rows {
            let gap = String(repeating: " ", count: width - left.count)
            let indent = String(repeating: " ", count: width + 4)
            let lines = wrapped(right, width: 79 - indent.count)
            text += "  \(left)\(gap)  \(lines.joined(separator: "\n\(indent)"))\n"
        }
        return text
    }

    /// Breaks paragraphs, which empty lines part, at 79 characters.
    static func filled(_ text: String) -> String {
        text.split(separator: "\n\n").map { paragraph in
            wrapped(String(paragraph), width: 79).joined(separator: "\n") + "\n"
        }.joined(separator: "\n")
    }

    private static func wrapped(_ text: String, width: Int) -> [String] {
        var lines = [""]
        for word in text.split(whereSeparator: \.isWhitespace) {
            let line = lines[lines.count - 1]
            if line.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if line.count + 1 + word.count <= width {
                lines[lines.count - 1] += " \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
