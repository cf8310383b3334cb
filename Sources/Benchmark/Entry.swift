import Glibc

/// Measures what one fix costs; to be run in release.
///
///     swift run -c release Benchmark [AREA…]
@main
enum Entry {
    /// The areas by name, in the order in which they run.
    private static let areas: [(name: String, run: @Sendable () -> Void)] = [
        ("geometry", { GeometryBenchmark.run() })
    ]

    static func main() {
        let wanted = CommandLine.arguments.dropFirst()
        let unknown = wanted.filter { name in !areas.contains { $0.name == name } }
        guard unknown.isEmpty else {
            let known = areas.map(\.name).joined(separator: "|")
            print("no such area: \(unknown.joined(separator: " ")); usage: Benchmark [\(known)]…")
            exit(2)
        }
        for area in areas where wanted.isEmpty || wanted.contains(area.name) {
            print("== \(area.name)")
            area.run()
        }
    }
}
