import Store
import Telemetry
import Tracking
import Worker

/// `waygate export`: prints recorded positions, of a trip, or of a vehicle or place for some time.
struct ExportCommand: Subcommand {
    private static let format = Option.value(
        "format", "FORMAT", "gpx, geojson, csv, kml, nmea or jsonl (default: gpx)")
    private static let tracked = Option.flag(
        "tracked", "only positions that their trip has judged, none that came late or were no good")
    private static let simplify = Option.value(
        "simplify", "METRES", "leave out positions that lie as near to the line through the others")
    private static let gap = Option.value(
        "gap", "SECONDS",
        "begin a new segment after a longer time without a position (default: 300)")
    private static let summary = Option.flag(
        "summary", "print distance, times and speeds as one JSON object, in place of the positions")

    static let manual = Manual(
        name: "export", summary: "print recorded positions from the database",
        operands: [
            Operand(
                placeholder: "VEHICLE",
                help: "whose trip, where several vehicles have one of that id", isOptional: true),
            Operand(placeholder: "TRIP", help: "the trip's id", isOptional: true),
        ],
        options: [format] + Recording.options + [tracked, simplify, gap, summary, .config],
        details: """
            GPX and KML have a trip's via points and route too, and the positions as a track; GeoJSON \
            has all of these as features, each with its kind. CSV, NMEA and jsonl (native positions, an \
            object a line) have the positions alone. Positions are in order of their times; those that \
            were stored without being judged are among them, and "tracked" tells which in CSV, GeoJSON \
            and jsonl. Times are UTC. What is exported can be read by replay, and gives the same fixes; \
            NMEA has no room for accuracy and level, and rounds.

            The summary takes standing for what it is: drift adds no metre.
            """,
        example: "waygate export van-7 --from 2026-12-01 --format csv > van-7.csv")

    private let recording: Recording
    private let format: TrackFormat
    private let plan: TrackFeed.Plan
    private let summarizes: Bool
    private let settings: ConfigurationSource

    init(_ arguments: Arguments) throws(UsageError) {
        settings = arguments.configuration()
        recording = try Recording(arguments)
        let name = arguments.text(Self.format) ?? TrackFormat.gpx.rawValue
        guard let format = TrackFormat(rawValue: name) else {
            throw UsageError("--format must be \(TrackFormat.choice), not '\(name)'")
        }
        self.format = format
        summarizes = arguments.has(Self.summary)
        guard !summarizes || !arguments.has(Self.format) else {
            throw UsageError("--summary is JSON: it has no --format")
        }
        var plan = TrackFeed.Plan()
        plan.gap = try arguments.number(Self.gap, in: 1...1e9) ?? plan.gap
        plan.tolerance = try arguments.number(Self.simplify, in: 0...100_000)
        plan.onlyTracked = arguments.has(Self.tracked)
        self.plan = plan
    }

    func run() throws {
        let store = try StoreConnection(settings.load().storeSettings)
        let subject = try recording.subject(in: store)
        let output = Output()
        if summarizes {
            var summary = TrackSummary()
            try recording.read(subject, in: store) {
                if $0.tracked || !plan.onlyTracked { summary.add($0) }
            }
            output.line(summary.json(of: subject))
        } else {
            var feed = TrackFeed(plan, format.writer(for: subject)) { lines in
                for line in lines { output.line(line) }
            }
            try recording.read(subject, in: store) { feed.add($0) }
            feed.finish()
        }
        output.flush()
    }
}
