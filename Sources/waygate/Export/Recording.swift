import Store
import Telemetry
import Tracking

/// Which recorded positions are meant: those of a trip, or of a vehicle or a place for some time.
struct Recording {
    private static let vehicle = Option.value(
        "vehicle", "ID", "all positions of this vehicle, with or without trips, between two times")
    private static let place = Option.value(
        "place", "ID", "the positions of all visits to this place between two times")
    private static let from = Option.value(
        "from", "TIME", "the first moment, as 2026-12-01T06:00Z, 2026-12-01 (UTC) or epoch seconds")
    private static let to = Option.value(
        "to", "TIME", "the moment that ends it, itself left out (default: now)")

    /// The options that say it.
    static let options = [vehicle, place, from, to]

    private enum Choice {
        case trip(String, vehicleID: String?)
        case window(vehicleID: String, from: Timestamp, to: Timestamp?)
        case visits(placeID: String, from: Timestamp, to: Timestamp?)
    }

    private let choice: Choice

    /// Reads what a command line says.
    ///
    /// - Throws: ``UsageError`` where that is nothing, or not enough.
    init(_ arguments: Arguments) throws(UsageError) {
        let operands = arguments.operands
        let from = try arguments.time(Self.from)
        let to = try arguments.time(Self.to)
        let place = arguments.text(Self.place)
        guard from != nil || to != nil || place != nil || arguments.has(Self.vehicle) else {
            guard let trip = operands.last else {
                throw UsageError("name a trip, or a vehicle with times: --vehicle ID --from TIME")
            }
            choice = .trip(trip, vehicleID: operands.dropLast().first)
            return
        }
        // A vehicle with a time needs no word before it.
        let named = [arguments.text(Self.vehicle)].compactMap(\.self) + operands
        guard named.count + (place == nil ? 0 : 1) == 1 else {
            throw UsageError(
                "--from and --to are for one vehicle or place, as in --vehicle van-7 --from TIME")
        }
        guard let from else { throw UsageError("--from TIME is missing: since when?") }
        guard to.map({ $0 > from }) ?? true else {
            throw UsageError("--to must be later than --from")
        }
        if let place {
            choice = .visits(placeID: place, from: from, to: to)
        } else {
            choice = .window(vehicleID: named[0], from: from, to: to)
        }
    }

    /// Returns what the recording is of.
    ///
    /// - Throws: ``CommandFailure`` where there is no such trip, or it is not clear whose.
    func subject(in store: StoreConnection) throws -> ExportSubject {
        switch choice {
        case .trip(let tripID, let vehicleID):
            let trip = try Self.trip(tripID, of: vehicleID, in: store)
            return ExportSubject(name: trip.tripID, description: trip.vehicleID, trip: trip)
        case .window(let vehicleID, let from, let to):
            return Self.subject(vehicleID, from, to)
        case .visits(let placeID, let from, let to):
            guard try store.hasPlace(placeID) else {
                throw CommandFailure("there is no place '\(placeID)'")
            }
            return Self.subject(placeID, from, to)
        }
    }

    private static func subject(
        _ name: String, _ from: Timestamp, _ to: Timestamp?
    ) -> ExportSubject {
        let until = to.map { " to \($0.iso8601)" } ?? ""
        return ExportSubject(name: name, description: "from \(from.iso8601)\(until)")
    }

    /// Reads the positions in order of their times.
    ///
    /// - Parameter subject: As `subject(in:)` has returned it.
    func read(
        _ subject: ExportSubject, in store: StoreConnection, _ handle: (PositionRow) -> Void
    ) throws {
        switch choice {
        case .trip(let tripID, _):
            try store.positions(
                ofTrip: tripID, of: subject.trip?.vehicleID ?? "", handle)
        case .window(let vehicleID, let from, let to):
            try store.positions(
                of: vehicleID, from: from.microseconds, to: to?.microseconds, handle)
        case .visits(let placeID, let from, let to):
            try store.positions(
                ofVisitsTo: placeID, from: from.microseconds, to: to?.microseconds, handle)
        }
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
                ?? "\(whose) a trip '\(tripID)': name the vehicle before it, as in "
                + "'\(vehicles[0]) \(tripID)'")
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
