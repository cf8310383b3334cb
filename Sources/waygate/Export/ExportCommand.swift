import Store
import Telemetry
import Tracking
import Worker

/// `waygate export`: prints recorded positions, of a trip or of a vehicle for some time.
struct ExportCommand: Subcommand {
    private static let format = Option.value(
        "format", "FORMAT", "gpx, geojson, csv, kml, nmea or jsonl (default: gpx)")
    private static let vehicle = Option.value(
        "vehicle", "ID", "all positions of this vehicle, with or without trips, between two times")
    private static let from = Option.value(
        "from", "TIME", "the first moment, as 2026-12-01T06:00Z, 2026-12-01 (UTC) or epoch seconds")
    private static let to = Option.value(
        "to", "TIME", "the moment that ends it, itself left out (default: now)")
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
        options: [
            format, vehicle, from, to, tracked, simplify, gap, summary, .config,
        ],
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

    /// What is to be exported.
    private enum Choice {
        case trip(String, vehicleID: String?)
        case window(vehicleID: String, from: Timestamp, to: Timestamp?)
    }

    private let choice: Choice
    private let format: TrackFormat
    private let plan: TrackFeed.Plan
    private let summarizes: Bool
    private let settings: ConfigurationSource

    init(_ arguments: Arguments) throws(UsageError) {
        settings = arguments.configuration()
        choice = try Self.choice(arguments)
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

    private static func choice(_ arguments: Arguments) throws(UsageError) -> Choice {
        let operands = arguments.operands
        let from = try arguments.time(Self.from)
        let to = try arguments.time(Self.to)
        guard from != nil || to != nil || arguments.has(Self.vehicle) else {
            guard let trip = operands.last else {
                throw UsageError(
                    "there is nothing to export: name a trip, or --vehicle ID --from TIME")
            }
            return .trip(trip, vehicleID: operands.dropLast().first)
        }
        // A vehicle with a time needs no word before it.
        let named = [arguments.text(Self.vehicle)].compactMap(\.self) + operands
        guard named.count == 1 else {
            throw UsageError(
                "--from and --to are for one vehicle, as in --vehicle van-7 --from TIME")
        }
        guard let from else { throw UsageError("--from TIME is missing: since when?") }
        guard to.map({ $0 > from }) ?? true else {
            throw UsageError("--to must be later than --from")
        }
        return .window(vehicleID: named[0], from: from, to: to)
    }

    func run() throws {
        let configuration = try settings.load()
        let store = try StoreConnection(configuration.storeSettings)
        let output = Output()
        switch choice {
        case .trip(let tripID, let vehicleID):
            let trip = try Self.trip(tripID, of: vehicleID, in: store)
            let subject = ExportSubject(
                name: trip.tripID, description: trip.vehicleID, trip: trip)
            try write(subject, to: output, configuration) { add throws(StoreError) in
                try store.positions(ofTrip: tripID, of: trip.vehicleID, add)
            }
        case .window(let vehicleID, let from, let to):
            let until = to.map { " to \($0.iso8601)" } ?? ""
            let subject = ExportSubject(
                name: vehicleID, description: "from \(from.iso8601)\(until)")
            try write(subject, to: output, configuration) { add throws(StoreError) in
                try store.positions(
                    of: vehicleID, from: from.microseconds, to: to?.microseconds, add)
            }
        }
        output.flush()
    }

    private func write(
        _ subject: ExportSubject, to output: Output, _ configuration: Configuration,
        _ read: (@escaping (PositionRow) -> Void) throws(StoreError) -> Void
    ) throws {
        guard !summarizes else {
            var summary = TrackSummary()
            try read { if $0.tracked || !plan.onlyTracked { summary.add($0) } }
            output.line(summary.json(of: subject))
            return
        }
        var feed = TrackFeed(plan, format.writer(for: subject)) { lines in
            for line in lines { output.line(line) }
        }
        try read { feed.add($0) }
        feed.finish()
    }

    /// Finds the trip, and whose it is where that was not said.
    private static func trip(
        _ tripID: String, of vehicleID: String?, in store: StoreConnection
    ) throws -> ExportedTrip {
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

extension Arguments {
    /// Returns an option's value as a moment, or `nil` when it was not given.
    ///
    /// - Throws: ``UsageError`` when the value is no time.
    func time(_ option: Option) throws(UsageError) -> Timestamp? {
        guard let text = text(option) else { return nil }
        guard let time = Timestamp(written: text[...]) ?? Timestamp(written: "\(text)T00:00Z")
        else {
            throw UsageError(
                "\(option.written) must be a time, as 2026-12-01T06:00Z or 2026-12-01, not '\(text)'"
            )
        }
        return time
    }
}
