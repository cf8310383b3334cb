import Geometry
import Telemetry
import Tracking
import Worker

/// `waygate assign`: starts a trip.
struct AssignCommand: Subcommand {
    private static let file = Option.value(
        "file", "FILE",
        "the whole assignment as JSON, '-' for standard input; excludes the options below")
    private static let trip = Option.value(
        "trip", "ID", "name of the trip, unique for ever (default: a random one)")
    private static let route = Option.value(
        "route", "FILE", "the line to drive: GPX, KML, GeoJSON, CSV or an encoded polyline")
    private static let precision = Option.value(
        "precision", "5|6", "digits after the point in an encoded polyline (default 5)")
    private static let viaFromFile = Option.flag(
        "via-from-file",
        "what the route's GPX or KML marks near the line are the via points, in its order")
    private static let reverse = Option.flag("reverse", "drive the route from its end to its start")
    private static let destination = Option.value(
        "destination", "LAT,LON[,NAME]", "where to go; without a route the planner is asked for one"
    )
    private static let source = Option.value(
        "source", "LAT,LON", "where to start from (default: the vehicle's newest position)")
    private static let via = Option.value(
        "via", "LAT,LON[,NAME]", "a via point; repeat it for more, in order", repeats: true)
    private static let profile = Option.value(
        "profile", "PROFILE", "driving, truck, biking or walking")
    private static let option = Option.value(
        "option", "NAME=VALUE", "a tracking option for this trip, as arrival_radius_m=30",
        repeats: true)

    static let manual = Manual(
        name: "assign", summary: "give a vehicle a trip",
        operands: [.vehicle],
        options: [
            file, trip, route, precision, viaFromFile, reverse, destination, source, via, profile,
            option,
        ] + CommandSender.options,
        details: """
            Publishes {root}/VEHICLE/command/assign. A trip needs a route or a destination. An active \
            trip of the vehicle ends first. Prints the command's id and topic, or with --wait the \
            event that answers it.

            --via-from-file takes waypoints (wpt), named route points (rtept) and KML placemarks that \
            are no farther from the line than deviation_distance_m. One at its end is the destination, \
            one at its start is left out.
            """,
        example:
            "waygate assign van-7 --destination 47.239,9.527 --via 47.166,9.51,Depot")

    private let sender: CommandSender
    private let request: () throws -> CommandRequest

    init(_ arguments: Arguments) throws(UsageError) {
        sender = try CommandSender(arguments)
        let vehicleID = try arguments.vehicleID()
        if let file = arguments.text(Self.file) {
            let others = [
                Self.trip, Self.route, Self.viaFromFile, Self.reverse, Self.destination,
                Self.source, Self.via, Self.profile, Self.option,
            ]
            if let other = others.first(where: arguments.has) {
                throw UsageError(
                    "\(other.written) has no place beside --file, which is the whole assignment")
            }
            request = { try CommandRequest(.assign, vehicleID: vehicleID, file: file) }
        } else {
            let draft = try Draft(arguments)
            request = { try draft.request(for: vehicleID) }
        }
    }

    func run() throws {
        try sender.send(request())
    }

    /// An assignment from the command line.
    private struct Draft {
        private let tripID: String
        private let routeFile: String?
        private let precision: Int
        private let takesPlaces: Bool
        private let isReversed: Bool
        private let settings: ConfigurationSource
        private let destination: Target?
        private let source: Target?
        private let viaPoints: [Target]
        private let profile: String?
        private let options: [(name: String, value: OptionValue)]

        init(_ arguments: Arguments) throws(UsageError) {
            tripID = arguments.text(AssignCommand.trip) ?? Identifier.random()
            routeFile = arguments.text(AssignCommand.route)
            precision = try arguments.integer(AssignCommand.precision, in: 5...6) ?? 5
            takesPlaces = arguments.has(AssignCommand.viaFromFile)
            isReversed = arguments.has(AssignCommand.reverse)
            settings = arguments.configuration()
            destination = try arguments.place(AssignCommand.destination)
            source = try arguments.place(AssignCommand.source)
            viaPoints = try arguments.places(AssignCommand.via)
            profile = arguments.text(AssignCommand.profile)
            options = try arguments.tripOptions(AssignCommand.option)
            guard routeFile != nil || destination != nil else {
                throw UsageError("a trip needs --route FILE or --destination LAT,LON (or --file)")
            }
            for option in [AssignCommand.viaFromFile, AssignCommand.reverse]
            where routeFile == nil && arguments.has(option) {
                throw UsageError("\(option.written) needs --route FILE")
            }
            guard !takesPlaces || routeFile != "-" else {
                throw UsageError("--via-from-file reads the file again: name it, instead of '-'")
            }
            guard !takesPlaces || viaPoints.isEmpty else {
                throw UsageError("--via has no place beside --via-from-file: where in its order?")
            }
            guard routeFile == nil || source == nil else {
                throw UsageError("--source has no place beside --route, which has its own start")
            }
        }

        func request(for vehicleID: String) throws -> CommandRequest {
            let line = try routeFile.map(line)
            let stops = try line.flatMap(stops)
            let viaPoints = stops?.viaPoints ?? viaPoints
            let destination = destination ?? stops?.destination
            return CommandRequest(.assign, vehicleID: vehicleID) { json in
                json.member("trip_id", tripID)
                if let line { json.route(line) }
                if let source { json.member("source", given: source.coordinate) }
                if let destination {
                    json.key("destination")
                    json.target(destination)
                }
                if !viaPoints.isEmpty {
                    json.key("via_points")
                    json.array { json in
                        for place in viaPoints { json.target(place) }
                    }
                }
                if let profile { json.member("profile", profile) }
                guard !options.isEmpty else { return }
                json.key("options")
                json.object { json in
                    for option in options {
                        json.key(text: option.name)
                        json.option(option.value)
                    }
                }
            }
        }

        private func line(of file: String) throws -> [Coordinate] {
            let lines = try RouteFile.read(file, precision: precision)
            guard lines.count == 1, let line = lines.first else {
                throw CommandFailure(
                    "\(file): holds \(lines.count) lines, and a trip drives one")
            }
            return isReversed ? line.coordinates.reversed() : line.coordinates
        }

        /// What the file marks along the line; `nil` where that is not asked for.
        private func stops(along coordinates: [Coordinate]) throws -> PlannedStops? {
            guard takesPlaces, let file = routeFile, let line = RouteLine(coordinates) else {
                return nil
            }
            let places = try RouteFile.places(file)
            var rules = try settings.load().tracking
            for option in options {
                try TripOptionTable.set(
                    option.name, option.value, scope: .assignment, in: &rules)
            }
            let stops = PlannedStops(
                places, along: line, isReversed: isReversed,
                limit: rules.deviationDistance, radius: rules.arrivalRadius)
            if !stops.strays.isEmpty {
                let names = stops.strays.map { "'\($0.name ?? "without a name")'" }
                Process.complain(
                    "\(file): farther than \(rules.deviationDistance.shown) m from the line, and left out: "
                        + names.joined(separator: ", "))
            }
            return stops
        }
    }
}

extension JSONWriter {
    /// Writes a member `route` with a line's coordinates.
    mutating func route(_ line: [Coordinate]) {
        key("route")
        object { json in
            json.key("coordinates")
            json.positions(line)
        }
    }

    /// Writes the value of a setting of the tracking rules.
    mutating func option(_ value: OptionValue) {
        switch value {
        case .number(let number): self.number(number)
        case .flag(let flag): bool(flag)
        case .text(let text): string(text)
        case .other: null()
        }
    }
}

extension Operand {
    /// The vehicle that a command is for.
    static let vehicle = Operand(
        placeholder: "VEHICLE", help: "the vehicle's id, as its topics name it")
}

extension Arguments {
    /// Returns the first operand as a vehicle's id.
    ///
    /// - Throws: ``UsageError`` when it cannot stand in a topic.
    func vehicleID() throws(UsageError) -> String {
        let id = operands[0]
        guard id.isVehicleID else {
            throw UsageError(
                "VEHICLE must be 1 to 128 bytes without '/', '+', '#' and control characters, not '\(id)'"
            )
        }
        return id
    }

    /// Returns an option's value as a place, or `nil` when it was not given.
    func place(_ option: Option) throws(UsageError) -> Target? {
        guard let text = text(option) else { return nil }
        return try Self.place(text, of: option)
    }

    /// Returns the values of an option that may be repeated as places.
    func places(_ option: Option) throws(UsageError) -> [Target] {
        try texts(option).map { text throws(UsageError) in try Self.place(text, of: option) }
    }

    /// Returns the values of an option that may be repeated as settings of the tracking rules.
    func tripOptions(
        _ option: Option
    ) throws(UsageError) -> [(name: String, value: OptionValue)] {
        try texts(option).map { text throws(UsageError) in
            let (name, value) = try Self.setting(text, of: option)
            var options = TripOptions()
            do throws(Refusal) {
                try TripOptionTable.set(name, value, scope: .assignment, in: &options)
            } catch {
                throw UsageError("\(option.written): \(error.detail)")
            }
            return (name, value)
        }
    }

    /// Returns the values of an option that may be repeated as settings of alarms.
    func alarmSettings(
        _ option: Option
    ) throws(UsageError) -> [(name: String, value: OptionValue)] {
        try texts(option).map { text throws(UsageError) in
            let (name, value) = try Self.setting(text, of: option)
            var settings = AlarmSettings()
            do throws(Refusal) {
                try AlarmSettingTable.set(name, value, in: &settings)
            } catch {
                throw UsageError("\(option.written): \(error.detail)")
            }
            return (name, value)
        }
    }

    /// Reads `NAME=VALUE`.
    private static func setting(
        _ text: String, of option: Option
    ) throws(UsageError) -> (name: String, value: OptionValue) {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
            throw UsageError("\(option.written) must be NAME=VALUE, not '\(text)'")
        }
        let value: OptionValue =
            switch parts[1] {
            case "true": .flag(true)
            case "false": .flag(false)
            default: decimal(parts[1]).map(OptionValue.number) ?? .text(parts[1])
            }
        return (parts[0], value)
    }

    private static func place(_ text: String, of option: Option) throws(UsageError) -> Target {
        let parts = text.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, let latitude = decimal(parts[0]), let longitude = decimal(parts[1]),
            (-90...90).contains(latitude), (-180...180).contains(longitude)
        else {
            throw UsageError(
                "\(option.written) must be a latitude and a longitude in degrees, as in 47.14,9.52, "
                    + "not '\(text)'")
        }
        return Target(
            coordinate: Coordinate(latitude: latitude, longitude: longitude),
            name: parts.count == 3 ? String(parts[2]) : nil)
    }
}
