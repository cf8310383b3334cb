import Store
import Worker

/// `waygate export`: prints a trip with all its positions.
struct ExportCommand: Subcommand {
    private static let format = Option.value(
        "format", "FORMAT", "gpx, geojson or csv (default: gpx)")

    static let manual = Manual(
        name: "export", summary: "print a trip's positions from the database",
        operands: [Operand(placeholder: "TRIP", help: "the trip's id")],
        options: [format, .config],
        details: """
            GPX has the via points as waypoints, the route in force, and the positions as a track. \
            GeoJSON has all of these as features, each with its kind. CSV has the positions, with a \
            header. Positions are in order of their times, and those that were stored without being \
            judged are among them; "tracked" tells which (not in GPX).
            """,
        example: "waygate export trip-4711 --format csv > trip-4711.csv")

    private let tripID: String
    private let format: TripFormat
    private let settings: ConfigurationSource

    init(_ arguments: Arguments) throws(UsageError) {
        tripID = arguments.operands[0]
        settings = arguments.configuration()
        let name = arguments.text(Self.format) ?? TripFormat.gpx.rawValue
        guard let format = TripFormat(rawValue: name) else {
            throw UsageError("--format must be gpx, geojson or csv, not '\(name)'")
        }
        self.format = format
    }

    func run() throws {
        let store = try StoreConnection(settings.load().storeSettings)
        guard let trip = try store.trip(tripID) else {
            throw CommandFailure("there is no trip '\(tripID)'")
        }
        let output = Output()
        var writer = format.writer(for: trip)
        for line in writer.head { output.line(line) }
        try store.positions(tripID: tripID) { position in
            for line in writer.lines(of: position) { output.line(line) }
        }
        for line in writer.tail { output.line(line) }
        output.flush()
    }
}
