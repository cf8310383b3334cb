import Telemetry

/// How a report is printed.
enum ReportFormat: String {
    case text, csv, json
}

/// Prints the rows of a report, which are JSON objects that all have the same members.
final class ReportWriter {
    private let format: ReportFormat
    private let output = Output()
    private let parser = JSONParser()
    private var titles: [String] = []
    /// The cells of text, which wait for the widest of their column.
    private var rows: [[String]] = []

    init(_ format: ReportFormat) {
        self.format = format
    }

    /// Takes a row.
    func add(_ row: String) {
        guard format != .json else { return output.line(row) }
        try? parser.parse(row) { object in
            if titles.isEmpty {
                titles = object.members.map(\.key.string)
                if format == .csv { output.line(CSVText.row(titles)) }
            }
            if format == .csv {
                output.line(CSVText.row(object.members.map { Self.cell($0.value) }))
            } else {
                rows.append(
                    zip(titles, object.members).filter { Self.isShown($0.0) }
                        .map { Self.shown($0.0, $0.1.value) })
            }
        }
    }

    /// Prints what waits.
    func finish() {
        if format == .text {
            if rows.isEmpty { output.line("nothing in this window") } else { printTable() }
        }
        output.flush()
    }

    private func printTable() {
        let table = [titles.filter(Self.isShown).map(Self.heading)] + rows
        for line in TextTable.lines(table) { output.line(line) }
    }

    // MARK: CSV

    /// A value as it stands in JSON, without its quotes; `nil` for null.
    private static func cell(_ value: JSONValue) -> String? {
        value.isNull ? nil : value.string ?? value.rawText
    }

    // MARK: Text

    /// Whether a column is for people: places on the map are for programs.
    private static func isShown(_ title: String) -> Bool {
        !title.hasSuffix("lat") && !title.hasSuffix("lon") && title != "place_id"
    }

    private static func heading(_ title: String) -> String {
        for unit in ["_mps", "_m", "_s", "_at", "_id"] where title.hasSuffix(unit) {
            let name = title.dropLast(unit.count)
            let words = String(name).replacing("_", with: " ")
            return unit == "_mps" ? "\(words) km/h" : unit == "_m" ? "\(words) km" : words
        }
        return title.replacing("_", with: " ")
    }

    private static func shown(_ title: String, _ value: JSONValue) -> String {
        if value.isNull { return "-" }
        if let flag = value.bool { return flag ? "yes" : "no" }
        if let number = value.double {
            if title.hasSuffix("_mps") { return (number * 3.6).fixed(0, upTo: 1e9) }
            if title.hasSuffix("_m") { return (number / 1000).fixed(1, upTo: 1e9) }
            if title.hasSuffix("_s") { return duration(number) }
            return value.rawText
        }
        let text = value.string?.printable ?? value.rawText
        guard title.hasSuffix("_at") || title.hasSuffix("_move"), text.count >= 19 else {
            return text
        }
        return String(text.prefix(19)).replacing("T", with: " ")
    }

    /// Hours, minutes and seconds, `26:03:20`.
    private static func duration(_ seconds: Double) -> String {
        guard abs(seconds) < 1e12 else { return "?" }
        let whole = Int(abs(seconds).rounded())
        let parts = [whole / 60 % 60, whole % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return "\(seconds < -0.5 ? "-" : "")\(whole / 3600):\(parts[0]):\(parts[1])"
    }
}

extension Double {
    /// The number with `decimals` digits after the point; `?` beyond `limit`.
    fileprivate func fixed(_ decimals: Int, upTo limit: Double) -> String {
        guard abs(self) < limit else { return "?" }
        let text = fixed(decimals)
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }
}
