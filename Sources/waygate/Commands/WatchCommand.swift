import Glibc
import Telemetry
import Worker

/// `waygate watch`: shows events as they come.
struct WatchCommand: Subcommand {
    private static let vehicle = Option.value("vehicle", "ID", "only this vehicle's events")
    private static let type = Option.value(
        "type", "TYPE", "only events of this type; repeat it for more", repeats: true)
    private static let json = Option.flag("json", "print each event as it is, a JSON object a line")
    private static let seconds = Option.value("seconds", "N", "end after N seconds")
    private static let count = Option.value("count", "N", "end after N events")

    static let manual = Manual(
        name: "watch", summary: "show events as they come",
        options: [vehicle, type, json, seconds, count, .config],
        details: """
            Subscribes to {root}/+/event/+ and prints a sentence an event; on a terminal the vehicles that \
            are held stand in the last line. With --json it prints what the worker publishes. Ends \
            with Ctrl-C.
            """,
        example: "waygate watch --json --type arrived")

    private let settings: ConfigurationSource
    private let vehicleID: String?
    private let types: Set<String>
    private let asJSON: Bool
    private let seconds: Double?
    private let count: Int?

    init(_ arguments: Arguments) throws(UsageError) {
        settings = arguments.configuration()
        vehicleID = arguments.text(Self.vehicle)
        types = Set(arguments.texts(Self.type))
        asJSON = arguments.has(Self.json)
        seconds = try arguments.number(Self.seconds, in: 0...1e9)
        count = try arguments.integer(Self.count, in: 1...Int.max)
        if let vehicleID, !vehicleID.isVehicleID {
            throw UsageError("--vehicle must be a vehicle's id, not '\(vehicleID)'")
        }
        let unknown = types.first { !Self.allTypes.contains($0) }
        if let unknown {
            let hint = suggestion(for: unknown, among: Self.allTypes)
            throw UsageError("--type: no event is called '\(unknown)'\(hint)")
        }
    }

    func run() throws {
        let configuration = try settings.load()
        let root = configuration.topicRoot
        let vehicle = vehicleID ?? "+"
        let filters =
            types.isEmpty
            ? ["\(root)/\(vehicle)/event/+"]
            : types.sorted().map { "\(root)/\(vehicle)/event/\($0)" }
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

    private static let allTypes = [
        "trip_assigned", "waypoint_reached", "waypoint_resumed", "waypoint_skipped", "will_reroute",
        "rerouted", "reroute_failed", "reroute_cancelled", "arrived", "trip_stopped",
        "waypoint_approached", "skip_suggested", "hold_breached", "command_rejected",
    ]
}

/// Shows events: as JSON, as plain lines, or on a terminal with the held vehicles below.
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

    /// Shows one message; returns whether it is an event.
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
            case "waypoint_reached", "hold_breached", "skip_suggested": 33
            case "will_reroute", "reroute_failed", "command_rejected": 31
            case "arrived": 32
            case "rerouted", "reroute_cancelled": 35
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
