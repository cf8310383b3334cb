import Glibc
import Telemetry
import Worker

/// `waygate watch`: shows events and alarms as they come.
struct WatchCommand: Subcommand {
    private static let vehicle = Option.value("vehicle", "ID", "only of this vehicle")
    private static let type = Option.value(
        "type", "TYPE", "only events or alarms of this type; repeat it for more", repeats: true)
    private static let alarms = Option.flag("alarms", "only alarms")
    private static let json = Option.flag("json", "print each as it is, a JSON object a line")
    private static let seconds = Option.value("seconds", "N", "end after N seconds")
    private static let count = Option.value("count", "N", "end after N events and alarms")

    static let manual = Manual(
        name: "watch", summary: "show events and alarms as they come",
        options: [vehicle, type, alarms, json, seconds, count, .config],
        details: """
            Subscribes to {root}/+/event/+ and {root}/+/alarm/+, and prints a sentence for each; on a terminal the vehicles that \
            are held stand in the last line. With --json it prints what the worker publishes. Ends \
            with Ctrl-C.
            """,
        example: "waygate watch --json --type arrived")

    private let settings: ConfigurationSource
    private let vehicleID: String?
    /// The last levels of the topics, by what comes before: `+` for all.
    private let types: [(kind: String, type: String)]
    private let asJSON: Bool
    private let seconds: Double?
    private let count: Int?

    init(_ arguments: Arguments) throws(UsageError) {
        settings = arguments.configuration()
        vehicleID = arguments.text(Self.vehicle)
        asJSON = arguments.has(Self.json)
        seconds = try arguments.number(Self.seconds, in: 0...1e9)
        count = try arguments.integer(Self.count, in: 1...Int.max)
        if let vehicleID, !vehicleID.isVehicleID {
            throw UsageError("--vehicle must be a vehicle's id, not '\(vehicleID)'")
        }
        types = try Self.types(arguments)
    }

    private static func types(
        _ arguments: Arguments
    ) throws(UsageError) -> [(kind: String, type: String)] {
        let onlyAlarms = arguments.has(alarms)
        let names = Set(arguments.texts(type)).sorted()
        guard !names.isEmpty else {
            return onlyAlarms ? [("alarm", "+")] : [("event", "+"), ("alarm", "+")]
        }
        return try names.map { name throws(UsageError) in
            if AlarmText.types.contains(name) { return ("alarm", name) }
            guard eventTypes.contains(name) else {
                let hint = suggestion(for: name, among: eventTypes + AlarmText.types)
                throw UsageError("--type: no event or alarm is called '\(name)'\(hint)")
            }
            guard !onlyAlarms else {
                throw UsageError("--type: '\(name)' is an event, and --alarms shows none")
            }
            return ("event", name)
        }
    }

    func run() throws {
        let configuration = try settings.load()
        let root = configuration.topicRoot
        let vehicle = vehicleID ?? "+"
        let filters = types.map { "\(root)/\(vehicle)/\($0.kind)/\($0.type)" }
        let interrupt = Interrupt()
        let session = try BrokerSession(configuration, filters: filters)
        let screen = WatchScreen(root: root, asJSON: asJSON)
        let end = seconds.map { ContinuousClock.now + .seconds($0) }
        var left = count ?? .max
        while !interrupt.isDue, left > 0, end.map({ ContinuousClock.now < $0 }) ?? true {
            for message in try session.turn(timeout: 100).prefix(left) {
                left -= screen.show(message) ? 1 : 0
            }
        }
        screen.finish()
    }

    private static let eventTypes = [
        "trip_assigned", "waypoint_reached", "waypoint_resumed", "waypoint_skipped", "will_reroute",
        "rerouted", "reroute_failed", "reroute_cancelled", "arrived", "trip_stopped",
        "waypoint_approached", "skip_suggested", "hold_breached", "roadblock_ahead",
        "better_route_found", "better_route_gone", "command_rejected",
    ]
}

/// Shows events and alarms: as JSON, as plain lines, or on a terminal with the held vehicles below.
final class WatchScreen {
    private let root: String
    private let asJSON: Bool
    private let output = Output(isLive: true)
    private let isTerminal = Output.isTerminal
    private let hasColours = Output.isTerminal && getenv("NO_COLOR") == nil
    private let parser = JSONParser()
    private var held: [(vehicleID: String, place: String)] = []

    init(root: String, asJSON: Bool) {
        self.root = root
        self.asJSON = asJSON
    }

    /// Shows one message; returns whether it is an event or alarm.
    func show(_ message: BrokerMessage) -> Bool {
        guard let event = WatchedEvent(message, root: root, parser: parser) else { return false }
        if asJSON {
            output.line(message.payload)
            return true
        }
        if isTerminal { output.text("\r\u{1B}[K") }
        let vehicle = event.vehicleID.padded(to: 12)
        output.line("\(event.clock)  \(coloured(vehicle, event.type))  \(event.sentence)")
        note(event)
        if isTerminal, !held.isEmpty { output.text(heldLine) }
        return true
    }

    /// Leaves the terminal as it was found.
    func finish() {
        if isTerminal, !asJSON { output.text("\r\u{1B}[K") }
        output.flush()
    }

    private func note(_ event: WatchedEvent) {
        if event.endsHold || event.heldAt != nil {
            held.removeAll { $0.vehicleID == event.vehicleID }
        }
        if let place = event.heldAt { held.append((event.vehicleID, place)) }
    }

    private var heldLine: String {
        let width = Output.width - 1
        let text = "held: " + held.map { "\($0.vehicleID) at \($0.place)" }.joined(separator: ", ")
        return text.count > width ? "\(text.prefix(width - 1))…" : text
    }

    private func coloured(_ text: String, _ type: String) -> String {
        guard hasColours else { return text }
        let colour =
            switch type {
            case "waypoint_reached", "hold_breached", "skip_suggested", "place_dwelled",
                "roadblock_ahead", "better_route_found":
                33
            case "will_reroute", "reroute_failed", "command_rejected", "speeding_started",
                "vehicle_silent":
                31
            case "arrived": 32
            case "rerouted", "reroute_cancelled": 35
            case _ where AlarmText.types.contains(type): 34
            default: 36
            }
        return "\u{1B}[\(colour)m\(text)\u{1B}[0m"
    }
}

extension String {
    /// The text with blanks after it, up to `width` characters.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    /// Whether the text can be the id of a vehicle, which is one level of topics.
    var isVehicleID: Bool {
        (1...128).contains(utf8.count)
            && unicodeScalars.allSatisfy {
                $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) && $0 != "/" && $0 != "+"
                    && $0 != "#"
            }
    }
}
