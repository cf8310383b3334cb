import Store
import Worker

/// `waygate export`: prints a trip with all its positions.
struct ExportCommand: Subcommand {
    private static let format = Option.value(
        "format", "FORMAT", "gpx, geojson or csv (default: gpx)")

    static let manual = Manual(
        name: "export", summary: "print a trip's positions from the database",
        operands: [
            Operand(
                placeholder: "VEHICLE",
                help: "whose trip, where several vehicles have one of that id", isOptional: true),
            Operand(placeholder: "TRIP", help: "the trip's id"),
        ],
        options: [format, .config],
        details: """
            GPX has the via points as waypoints, the route in force, and the positions as a track. \
            GeoJSON has all of these as features, each with its kind. CSV has the positions, with a \
            header. Positions are in order of their times, and those that were stored without being \
            judged are among them; "tracked" tells which (not in GPX).
            """,
        example: "waygate export trip-4711 --format csv > trip-4711.csv")

    private let vehicleID: String?
    private let tripID: String
    private let format: TripFormat
    private let settings: ConfigurationSource

    init(_ arguments: Arguments) throws(UsageError) {
        vehicleID = arguments.operands.dropLast().first
        tripID = arguments.operands[arguments.operands.count - 1]
        settings = arguments.configuration()
        let name = arguments.text(Self.format) ?? TripFormat.gpx.rawValue
        guard let format = TripFormat(rawValue: name) else {
            throw UsageError("--format must be gpx, geojson or csv, not '\(name)'")
        }
        self.format = format
    }

    func run() throws {
        let store = try StoreConnection(settings.load().storeSettings)
        let trip = try trip(in: store)
        let output = Output()
        var writer = format.writer(for: trip)
        for line in writer.head { output.line(line) }
        try store.positions(ofTrip: tripID, of: trip.vehicleID) { position in
            for line in writer.lines(of: position) { output.line(line) }
        }
        for line in writer.tail { output.line(line) }
        output.flush()
    }

    /// Finds the trip, and whose it is where that was not said.
    private func trip(in store: StoreConnection) throws -> ExportedTrip {
        let vehicles = try store.vehicles(ofTrip: tripID)
        let owner = vehicleID ?? (vehicles.count == 1 ? vehicles[0] : nil)
        if let owner, let trip = try store.trip(tripID, of: owner) { return trip }
        guard !vehicles.isEmpty else { throw CommandFailure("there is no trip '\(tripID)'") }
        let names = vehicles.map { "'\($0)'" }.joined(separator: ", ")
        let whose = vehicles.count == 1 ? "vehicle \(names) has" : "vehicles \(names) have"
        throw CommandFailure(
            vehicleID.map { "vehicle '\($0)' has no trip '\(tripID)': \(whose) one" }
                ?? "\(whose) a trip '\(tripID)': say whose, as in "
                + "'waygate export \(vehicles[0]) \(tripID)'")
    }
}
