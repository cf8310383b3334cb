/// Writes metrics in Prometheus' text format, version 0.0.4.
struct MetricsText {
    private(set) var bytes: [UInt8] = []

    /// The type of a metric.
    enum Kind: String {
        case counter, gauge, histogram
    }

    /// Begins a metric; its samples follow.
    mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        line("# HELP \(name) \(help)")
        line("# TYPE \(name) \(kind.rawValue)")
    }

    /// Writes one sample.
    mutating func sample(
        _ name: String, _ labels: KeyValuePairs<String, String>, _ value: Double
    ) {
        let text = labels.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
        let number = Int64(exactly: value).map(String.init) ?? "\(value)"
        line(text.isEmpty ? "\(name) \(number)" : "\(name){\(text)} \(number)")
    }

    /// Writes a metric of one sample.
    mutating func single(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
        begin(name, kind, help)
        sample(name, [:], value)
    }

    /// Writes a metric of one sample for each value of a label.
    mutating func counts(
        _ name: String, _ help: String, by label: String, _ counts: [String: Int]
    ) {
        begin(name, .counter, help)
        for (value, count) in counts.sorted(by: { $0.key < $1.key }) {
            sample(name, [label: value], Double(count))
        }
    }

    /// Writes a histogram.
    mutating func histogram(_ name: String, _ help: String, _ histogram: Histogram) {
        begin(name, .histogram, help)
        var total = 0
        for (bound, count) in zip(histogram.bounds, histogram.counts) {
            total += count
            sample("\(name)_bucket", ["le": "\(bound)"], Double(total))
        }
        total += histogram.counts.last ?? 0
        sample("\(name)_bucket", ["le": "+Inf"], Double(total))
        sample("\(name)_sum", [:], histogram.sum)
        sample("\(name)_count", [:], Double(total))
    }

    private mutating func line(_ text: String) {
        bytes += text.utf8
        bytes.append(UInt8(ascii: "\n"))
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}
