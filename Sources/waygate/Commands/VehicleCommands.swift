import Telemetry

/// What the commands to a vehicle under way share.
struct VehicleCommand {
    static let trip = Option.value("trip", "ID", "only if this is the vehicle's trip")
    static let waypoint = Option.value(
        "waypoint", "INDEX", "only if this is the via point's index in the assignment, from 0")

    static let proposal = Option.value(
        "proposal", "NUMBER", "only if this is the number of the offer")

    private let sender: CommandSender
    private let request: CommandRequest

    /// Creates a command to the vehicle that the arguments name.
    ///
    /// - Parameter members: Writes the members that only this command has.
    init(
        _ name: Command.Name, _ arguments: Arguments,
        members: (inout JSONWriter) -> Void = { _ in }
    ) throws(UsageError) {
        sender = try CommandSender(arguments)
        let vehicleID = try arguments.vehicleID()
        let tripID = arguments.text(Self.trip)
        let waypoint = try arguments.integer(Self.waypoint, in: 0...1_000_000)
        let proposal = try arguments.integer(Self.proposal, in: 1...1_000_000_000)
        request = CommandRequest(name, vehicleID: vehicleID) { json in
            if let tripID { json.member("trip_id", tripID) }
            if let waypoint { json.member("waypoint_index", waypoint) }
            if let proposal { json.member("proposal", proposal) }
            members(&json)
        }
    }

    func run() throws {
        try sender.send(request)
    }
}

/// `waygate proceed`: releases a held vehicle.
struct ProceedCommand: Subcommand {
    static let manual = Manual(
        name: "proceed", summary: "release a vehicle that is held at a via point",
        operands: [.vehicle],
        options: [VehicleCommand.waypoint, VehicleCommand.trip] + CommandSender.options,
        details: """
            Publishes {root}/VEHICLE/command/proceed. With --wait it prints the event that answers: \
            waypoint_resumed, or command_rejected with the reason, which is exit status 1.
            """,
        example: "waygate proceed van-7 --wait")

    private let command: VehicleCommand

    init(_ arguments: Arguments) throws(UsageError) {
        command = try VehicleCommand(.proceed, arguments)
    }

    func run() throws { try command.run() }
}

/// `waygate skip`: drops the next via point.
struct SkipCommand: Subcommand {
    static let manual = Manual(
        name: "skip", summary: "drop a vehicle's next via point unvisited",
        operands: [.vehicle],
        options: [VehicleCommand.waypoint, VehicleCommand.trip] + CommandSender.options,
        details: """
            Publishes {root}/VEHICLE/command/skip. For a held vehicle the next via point is the one \
            after the one where it stands; skip does not release it.
            """,
        example: "waygate skip van-7 --waypoint 1 --wait")

    private let command: VehicleCommand

    init(_ arguments: Arguments) throws(UsageError) {
        command = try VehicleCommand(.skip, arguments)
    }

    func run() throws { try command.run() }
}

/// `waygate reroute`: asks for a new route.
struct RerouteCommand: Subcommand {
    static let manual = Manual(
        name: "reroute", summary: "ask the planner for a new route from where a vehicle is",
        operands: [.vehicle], options: [VehicleCommand.trip] + CommandSender.options,
        details: """
            Publishes {root}/VEHICLE/command/reroute. With --wait it prints will_reroute, which says \
            that the planner is being asked; rerouted or reroute_failed follows ('waygate watch'). \
            While a request is out already, nothing happens and nothing answers.
            """,
        example: "waygate reroute van-7 --wait")

    private let command: VehicleCommand

    init(_ arguments: Arguments) throws(UsageError) {
        command = try VehicleCommand(.reroute, arguments)
    }

    func run() throws { try command.run() }
}

/// `waygate stop`: ends a trip.
struct StopCommand: Subcommand {
    static let manual = Manual(
        name: "stop", summary: "end a vehicle's trip before its destination",
        operands: [.vehicle], options: [VehicleCommand.trip] + CommandSender.options,
        details: "Publishes {root}/VEHICLE/command/stop. With --wait it prints trip_stopped.",
        example: "waygate stop van-7 --trip tour-42 --wait")

    private let command: VehicleCommand

    init(_ arguments: Arguments) throws(UsageError) {
        command = try VehicleCommand(.stop, arguments)
    }

    func run() throws { try command.run() }
}
