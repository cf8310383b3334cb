import Store
import Telemetry
import Tracking
import Worker

/// `waygate report`: what happened, in numbers, from the database.
struct ReportCommand: Subcommand {
    private static let from = Option.value(
        "from", "TIME", "the first moment, or day of the zone, as 2026-12-01T06:00Z or 2026-12-01")
    private static let to = Option.value(
        "to", "TIME", "the moment or day that ends the window, itself left out (default: now)")
    private static let vehicle = Option.value("vehicle", "ID", "only this vehicle")
    private static let place = Option.value(
        "place", "ID", "only this place: of stops, visits, speedings and places")
    private static let zone = Option.value(
        "tz", "ZONE", "the IANA zone that days are of and times are told in (default: UTC)")
    private static let format = Option.value(
        "format", "FORMAT", "text, csv, or json, which is an object a line (default: text)")

    private static let recompute = Option.flag(
        "recompute", "work visits out again from the positions, late ones in their place")
    private static let places = Option.value(
        "places", "FILE",
        "with --recompute: these places, in any format that place import reads, in place of those in force"
    )

    static let manual = Manual(
        name: "report", summary: "print what happened, in numbers, from the database",
        operands: [
            Operand(
                placeholder: "NAME",
                help: "trips, stops, drives, visits, speedings, days, vehicles or places")
        ],
        options: [from, to, vehicle, place, zone, format, recompute, places, .config],
        details: """
            days has a row for each vehicle and day of the zone, vehicles one for each vehicle in the whole \
            window, places likewise. What begins before the window or ends behind it is clipped there, and \
            says so; a drive is split by its positions. Trips are not: a trip has the same numbers whatever window is \
            asked. What is under way counts until now.

            Text has speeds in km/h and times of the zone; csv and json are in metres, seconds and metres per second. \
            The same numbers are in the database's views trip_report, visit_report, stop_report, drive_report and \
            speeding_report, and in the functions vehicle_days and place_days.

            --recompute tells what the visits would be had every stored position come in time, by the places as they \
            are now, and without the routes of trips. It prints, vehicle by vehicle, and changes nothing.
            """,
        example: "waygate report days --from 2026-12-01 --to 2026-12-02 --tz Europe/Vienna")

    private let settings: ConfigurationSource
    private let query: ReportQuery
    private let format: ReportFormat
    private let isRecount: Bool
    private let placesFile: String?

    init(_ arguments: Arguments) throws(UsageError) {
        settings = arguments.configuration()
        let name = arguments.operands[0]
        guard let report = ReportName(rawValue: name) else {
            let names = ReportName.allCases.map(\.rawValue)
            throw UsageError(
                "NAME must be one of \(names.joined(separator: ", ")), not '\(name)'\(suggestion(for: name, among: names))"
            )
        }
        let zone = arguments.text(Self.zone) ?? "UTC"
        guard let rules = SystemZone(named: zone) else {
            throw UsageError("--tz must be an IANA zone, as Europe/Vienna, not '\(zone)'")
        }
        guard let from = try arguments.moment(Self.from, in: rules) else {
            throw UsageError("--from TIME is missing: since when?")
        }
        let to = try arguments.moment(Self.to, in: rules) ?? SystemClock().now
        guard to > from else { throw UsageError("--to must be later than --from") }
        query = ReportQuery(
            name: report, from: from.microseconds, to: to.microseconds, zone: zone,
            vehicleID: arguments.text(Self.vehicle), placeID: arguments.text(Self.place))
        guard query.placeID == nil || query.hasPlaces else {
            throw UsageError("--place is for stops, visits, speedings and places, not for \(name)")
        }
        let written = arguments.text(Self.format) ?? ReportFormat.text.rawValue
        guard let format = ReportFormat(rawValue: written) else {
            throw UsageError("--format must be text, csv or json, not '\(written)'")
        }
        self.format = format
        isRecount = arguments.has(Self.recompute)
        placesFile = arguments.text(Self.places)
        guard !isRecount || report == .visits else {
            throw UsageError("--recompute is for visits, not for \(name)")
        }
        guard isRecount || placesFile == nil else {
            throw UsageError("--places needs --recompute")
        }
    }

    func run() throws {
        let configuration = try settings.load()
        let store = try StoreConnection(configuration.storeSettings)
        let writer = ReportWriter(format)
        if isRecount {
            let places =
                try placesFile.map(OfflinePlaces.read)
                ?? OfflinePlaces.places(in: store.placesInForce(), from: "the places in force")
            try VisitRecount(places: places, alarms: configuration.alarms)
                .run(query, in: store, now: SystemClock().now, to: writer)
        } else {
            try store.report(query) { writer.add($0) }
        }
        writer.finish()
    }
}

extension Arguments {
    /// Returns an option's value as a moment, a day being its local midnight; `nil` when it was not given.
    ///
    /// - Throws: ``UsageError`` when the value is neither.
    fileprivate func moment(
        _ option: Option, in zone: SystemZone
    ) throws(UsageError) -> Timestamp? {
        guard let text = text(option) else { return nil }
        if let midnight = Timestamp(midnightOf: text, in: zone) { return midnight }
        return try time(option)
    }
}

extension Timestamp {
    /// The local midnight with which a day begins, as `2026-12-01`; `nil` where `text` is no day.
    init?(midnightOf text: String, in zone: SystemZone) {
        guard let midnight = Timestamp(written: "\(text)T00:00Z") else { return nil }
        // The offset is that of the local midnight, which lies that far from the one in UTC.
        let near = midnight.advanced(by: -Double(zone.offset(at: midnight)))
        self = midnight.advanced(by: -Double(zone.offset(at: near)))
    }
}
