import Geometry
import Telemetry
import Tracking
import Watching
import Worker

/// Runs a recorded track or a scenario through the state machine, offline.
struct ReplayCommand: Subcommand {
    private static let scenario = Option.value(
        "scenario", "FILE", "run this scenario, or one of a list of them, instead of a track")
    private static let name = Option.value(
        "name", "NAME", "the scenario to pick from a list")
    private static let assign = Option.value(
        "assign", "FILE",
        "the payload of an assign command, - for standard input (default: the track is the route)")
    private static let option = Option.value(
        "option", "NAME=VALUE", "a tracking option, over those of the settings and the assignment",
        repeats: true)
    private static let vehicle = Option.value(
        "vehicle", "ID", "the vehicle, where a CSV file holds several (default: the first)")
    private static let places = Option.value(
        "places", "FILE",
        "the places around a track, in any format that 'place import' reads; tells alarms")
    private static let alarms = Option.value(
        "alarms", "NAME=VALUE", "a setting of alarms, over the defaults and the scenario's",
        repeats: true)
    private static let rows = Option.flag(
        "rows", "end with a line of the visits, speedings, stops and drives")
    private static let interval = Option.value(
        "interval", "SECONDS", "time between positions, where a track has no times (default: 1)")

    static let manual = Manual(
        name: "replay",
        summary: "run a track or scenario through the tracking rules, offline",
        operands: [
            Operand(
                placeholder: "TRACK",
                help: "GPX, KML, NMEA 0183, CSV with a header, or JSON lines; - for standard input",
                isOptional: true)
        ],
        options: [
            scenario, name, assign, option, vehicle, interval, places, alarms, rows, .config,
        ],
        details: """
            Prints one JSON line for each input: its index, the events and alarms that it caused \
            and the progress after it, as they would be published. A refused command has \
            "refused", and a position that is stored and not judged has "history", with the reason.

            Of a track, the trip is assigned at its first position. Nobody is asked for a route: a \
            vehicle that leaves its own keeps it. With --places and no --assign there is no trip, \
            and the clock's entries are among the inputs.
            """,
        example: "waygate replay track.gpx --assign trip.json --option wait_at_waypoints=false")

    /// What is to be run.
    private enum Subject {
        case scenario(file: String, name: String?)
        case track(
            file: String, assignment: String?, places: String?, vehicleID: String?,
            interval: Double)
    }

    private let subject: Subject
    private let options: [(name: String, value: OptionValue)]
    private let alarms: [(name: String, value: OptionValue)]
    private let wantsRows: Bool
    private let settings: ConfigurationSource

    init(_ arguments: Arguments) throws(UsageError) {
        settings = arguments.configuration()
        options = try arguments.tripOptions(Self.option)
        alarms = try arguments.alarmSettings(Self.alarms)
        wantsRows = arguments.has(Self.rows)
        let interval = try arguments.number(Self.interval, in: 0.001...86_400)
        let track = arguments.operands.first
        switch (arguments.text(Self.scenario), track) {
        case (let file?, nil):
            let own = [Self.assign, Self.vehicle, Self.interval, Self.places]
            for option in own where arguments.has(option) {
                throw UsageError("\(option.written) is for tracks, not for a scenario")
            }
            subject = .scenario(file: file, name: arguments.text(Self.name))
        case (nil, let file?):
            guard !arguments.has(Self.name) else {
                throw UsageError("--name picks a scenario: it needs --scenario FILE")
            }
            subject = .track(
                file: file, assignment: arguments.text(Self.assign),
                places: arguments.text(Self.places), vehicleID: arguments.text(Self.vehicle),
                interval: interval ?? 1)
        case (nil, nil):
            throw UsageError("TRACK or --scenario FILE is missing: \(Self.manual.usage)")
        case (_?, _?):
            throw UsageError("there is a track and a scenario: only one can be run")
        }
    }

    func run() throws {
        switch subject {
        case .scenario(let file, let name):
            try run(Self.scenario(file, name: name), newest: nil, planner: .steps)
        case .track(let file, let assignment, let places, let vehicleID, let interval):
            let fixes = try TrackFile.read(file, vehicleID: vehicleID, interval: interval)
            var scenario = try Self.scenario(
                fixes, assignment: assignment, vehicleID: vehicleID ?? "replay",
                defaults: settings.load().tracking)
            if let places {
                if assignment == nil { scenario.assignment = nil }
                scenario.places = try OfflinePlaces.read(places)
            }
            try run(
                scenario, newest: fixes.first, planner: .none,
                rings: places != nil || !alarms.isEmpty)
        }
    }

    /// - Parameter rings: Whether the clock speaks between the steps.
    private func run(
        _ scenario: Scenario, newest: Fix?, planner: Replay.Planner, rings: Bool = false
    ) throws {
        var scenario = scenario
        var replay: Replay
        do throws(Refusal) {
            if var assignment = scenario.assignment {
                for (name, value) in options {
                    try TripOptionTable.set(
                        name, value, scope: .assignment, prefix: "--option ",
                        in: &assignment.options)
                }
                scenario.assignment = assignment
            }
            for (name, value) in alarms {
                try AlarmSettingTable.set(
                    name, value, prefix: "--alarms ", in: &scenario.alarms)
            }
            replay = try Replay(
                scenario, newest: newest, planner: planner, zones: { SystemZone(named: $0) })
        } catch {
            throw CommandFailure("\(error.reason.rawValue): \(error.detail)")
        }
        let output = Output()
        var json = JSONWriter(capacity: 4096)
        let take = { (step: Scenario.Step) in
            json.reset()
            replay.take(step, into: &json)
            output.line(json.bytes)
        }
        var clock = ReplayClock()
        for step in scenario.steps {
            while rings, let entry = clock.entry(of: replay, before: step.receivedAt) {
                take(entry)
            }
            take(step)
        }
        if wantsRows {
            json.reset()
            replay.rows.encode(into: &json)
            output.line(json.bytes)
        }
        output.flush()
    }

    private static func scenario(_ file: String, name: String?) throws -> Scenario {
        do {
            return try TextFile.bytes(of: file).withUnsafeBytes { bytes in
                try ScenarioReader.scenario(in: bytes, name: name, limits: OfflinePlaces.limits)
            }
        } catch let error as ScenarioError {
            throw CommandFailure("\(file): \(error.message)")
        }
    }

    /// Makes a scenario of a track: each fix is received at its own time, or as late as the one before it.
    private static func scenario(
        _ fixes: [Fix], assignment file: String?, vehicleID: String, defaults: TripOptions
    ) throws(CommandFailure) -> Scenario {
        let first = fixes.first?.time ?? Timestamp(microseconds: 0)
        let assignment =
            try file.map { file throws(CommandFailure) in
                try Self.assignment(
                    file, vehicleID: vehicleID, receivedAt: first, defaults: defaults)
            }
            ?? Assignment(
                tripID: "replay", vehicleID: vehicleID,
                route: ProvidedRoute(coordinates: fixes.map(\.coordinate)), options: defaults)
        var receivedAt = first
        let steps = fixes.map { fix in
            receivedAt = max(receivedAt, fix.time)
            return Scenario.Step(fix, receivedAt: receivedAt)
        }
        return Scenario(assignment: assignment, assignedAt: first, steps: steps)
    }

    private static func assignment(
        _ file: String, vehicleID: String, receivedAt: Timestamp, defaults: TripOptions
    ) throws(CommandFailure) -> Assignment {
        let message = try TextFile.bytes(of: file).withUnsafeBytes { bytes in
            CommandDecoder().decode(
                name: Command.Name.assign.rawValue, payload: bytes, vehicleID: vehicleID,
                isRetained: false, receivedAt: receivedAt, defaults: defaults, maxBytes: .max)
        }
        switch message.outcome {
        case .success(.assign(let assignment)):
            guard assignment.route != nil else {
                throw CommandFailure("\(file): route is missing, and a replay asks no planner")
            }
            return assignment
        case .success:
            throw CommandFailure("\(file): this is not an assignment")
        case .failure(let refusal):
            throw CommandFailure("\(file): \(refusal.reason.rawValue): \(refusal.detail)")
        }
    }
}
