import FoundationEssentials

/// One line of the log, before it is written out.
struct LogLine {
    /// How lines look.
    struct Style: Equatable, Sendable {
        /// For people, or for programs.
        var format: Logger.Format
        /// Whether the journal reads along: it wants a priority in front and notes the time itself.
        var journal: Bool
    }

    var level: Logger.Level
    var message: String
    var fields: Logger.Fields

    /// Returns the line, without its end.
    func text(_ style: Style, at time: Date) -> String {
        let priority = style.journal ? "<\(level.priority)>" : ""
        switch style.format {
        case .text: return priority + plain(stamp: style.journal ? "" : "\(Self.stamp(time)) ")
        case .json: return priority + json(at: time)
        }
    }

    private func plain(stamp: String) -> String {
        var line = "\(stamp)\(level.rawValue) \(message)"
        for (key, value) in fields {
            line += " \(key)=\(Self.bareOrQuoted(value.description))"
        }
        return line
    }

    private func json(at time: Date) -> String {
        var line = #"{"time":"\#(Self.stamp(time))","level":"\#(level.rawValue)","message":"#
        line += Self.quoted(message)
        for (key, value) in fields {
            line += ",\(Self.quoted(key)):\(Self.json(value))"
        }
        return line + "}"
    }

    private static func stamp(_ time: Date) -> String {
        time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    private static func json(_ value: any CustomStringConvertible) -> String {
        switch value {
        case let number as any BinaryInteger: number.description
        case let number as Double where number.isFinite: number.description
        case let flag as Bool: flag.description
        default: quoted(value.description)
        }
    }

    /// Quotes a value that would not end where it ends: payloads and topics are strangers' texts.
    private static func bareOrQuoted(_ text: String) -> String {
        let isBare =
            !text.isEmpty
            && text.unicodeScalars.allSatisfy {
                $0 > " " && $0 != "\"" && $0 != "=" && !$0.isControl
            }
        return isBare ? text : quoted(text)
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.isControl:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

extension Unicode.Scalar {
    /// Whether a terminal may act on it, or a reader take it for the end of the line.
    fileprivate var isControl: Bool {
        value < 0x20 || (0x7F..<0xA0).contains(value) || value == 0x2028 || value == 0x2029
    }
}
