import Telemetry

/// `waygate avoid`: closes a piece of a trip's route for it.
struct AvoidCommand: Subcommand {
    private static let start = Option.value(
        "start", "METRES", "where the piece begins, along the route from the vehicle; default 0")
    private static let length = Option.value(
        "length", "METRES", "how long the piece is, 10 to 50000")

    static let manual = Manual(
        name: "avoid",
        summary: "close a piece of a vehicle's route, and plan around it",
        operands: [.vehicle],
        options: [length, start, VehicleCommand.trip] + CommandSender.options,
        details: """
            Publishes {root}/VEHICLE/command/avoid. The piece stays closed until the trip ends. With \
            --wait it prints will_reroute, which says that the planner is being asked; rerouted or \
            reroute_failed follows ('waygate watch'). To close a road for all vehicles, put a place \
            with a roadblock ('waygate place put --help').
            """,
        example: "waygate avoid van-7 --length 800 --wait")

    private let command: VehicleCommand

    init(_ arguments: Arguments) throws(UsageError) {
        guard let length = try arguments.number(Self.length, in: 10...50_000) else {
            throw UsageError("--length is missing: how long is the piece, in metres?")
        }
        let start = try arguments.number(Self.start, in: 0...1_000_000)
        command = try VehicleCommand(.avoid, arguments) { json in
            json.member("start_m", exact: start ?? 0)
            json.member("length_m", exact: length)
        }
    }

    func run() throws { try command.run() }
}

/// `waygate accept`: puts the better route on offer in force.
struct AcceptCommand: Subcommand {
    static let manual = Manual(
        name: "accept", summary: "take the better route that a vehicle is offered",
        operands: [.vehicle],
        options: [VehicleCommand.proposal, VehicleCommand.trip] + CommandSender.options,
        details: """
            Publishes {root}/VEHICLE/command/accept. The offer is told by better_route_found and drawn \
            on the live map; it stands for five minutes. With --wait it prints rerouted, or \
            command_rejected where nothing is on offer any more, which is exit status 1.
            """,
        example: "waygate accept van-7 --proposal 4 --wait")

    private let command: VehicleCommand

    init(_ arguments: Arguments) throws(UsageError) {
        command = try VehicleCommand(.accept, arguments)
    }

    func run() throws { try command.run() }
}

/// `waygate decline`: turns the better route on offer down.
struct DeclineCommand: Subcommand {
    static let manual = Manual(
        name: "decline", summary: "turn the better route that a vehicle is offered down",
        operands: [.vehicle],
        options: [VehicleCommand.proposal, VehicleCommand.trip] + CommandSender.options,
        details: """
            Publishes {root}/VEHICLE/command/decline. The same way is not offered again for a quarter \
            of an hour. With --wait it prints better_route_gone.
            """,
        example: "waygate decline van-7 --proposal 4 --wait")

    private let command: VehicleCommand

    init(_ arguments: Arguments) throws(UsageError) {
        command = try VehicleCommand(.decline, arguments)
    }

    func run() throws { try command.run() }
}
