import MQTT
import Telemetry
import Worker

/// Tries at the broker what the worker needs: to publish each kind of message, to have some kept, and room.
///
/// Each kind goes out on a topic of its own within the worker's patterns, and has to come back: a broker that
/// speaks MQTT 3.1.1 acknowledges what an access list forbids, and drops it in silence.
struct BrokerProbe {
    /// One kind of message.
    private struct Kind {
        var name: String
        var topic: String
        /// The topics that an access list has to allow.
        var pattern: String
        var isRetained: Bool
    }

    /// How long a message may take to come back, in seconds.
    private static let patience = 2.0
    /// Larger messages are not tried, in bytes.
    private static let largestProbe = 1 << 20
    /// Smaller packet limits are not told apart, in bytes.
    private static let smallestProbe = 4096

    private let configuration: Configuration
    private let kinds: [Kind]
    private let mark = Array("{\"check\":\"\(Identifier.random())\"}".utf8)

    init(_ configuration: Configuration) {
        self.configuration = configuration
        let root = configuration.topicRoot
        let name = "\(configuration.workerID.prefix(64))-check-\(Identifier.random().prefix(8))"
        kinds = [
            Kind(
                name: "event", topic: "\(root)/\(name)/event/check", pattern: "\(root)/+/event/+",
                isRetained: false),
            Kind(
                name: "alarm", topic: "\(root)/\(name)/alarm/check", pattern: "\(root)/+/alarm/+",
                isRetained: false),
            Kind(
                name: "progress", topic: "\(root)/\(name)/progress", pattern: "\(root)/+/progress",
                isRetained: true),
            Kind(
                name: "route", topic: "\(root)/\(name)/route", pattern: "\(root)/+/route",
                isRetained: true),
            Kind(
                name: "proposal", topic: "\(root)/\(name)/proposal", pattern: "\(root)/+/proposal",
                isRetained: true),
            Kind(
                name: "status", topic: "\(root)-worker/\(name)/status",
                pattern: "\(root)-worker/+/status", isRetained: true),
            Kind(
                name: "place definition", topic: "\(root)-place/\(name)/definition",
                pattern: "\(root)-place/+/definition", isRetained: true),
            Kind(
                name: "place event", topic: "\(root)-place/\(name)/event/check",
                pattern: "\(root)-place/+/event/+", isRetained: false),
        ]
    }

    /// Returns what is wrong, each with what to do; empty when nothing is.
    ///
    /// - Throws: ``CommandFailure`` when the broker goes away.
    func problems() throws -> [String] {
        let session = try ProbeSession(configuration, filters: kinds.map(\.topic))
        var problems: [String] = []
        var unheard = Set(session.unreadable)
        // One after the other, so that a hang-up has one cause.
        for kind in kinds {
            if kind.isRetained, !session.keepsMessages { continue }
            let fate = try session.fate(
                of: mark, on: kind.topic, isRetained: kind.isRetained, within: Self.patience)
            if fate != .cameBack { unheard.insert(kind.topic) }
            if kind.isRetained, fate == .hungUp { return problems + [Self.noRetain] }
            if let problem = problem(kind, fate) { problems.append(problem) }
        }
        defer { clear(session) }
        if !session.keepsMessages { problems.append(Self.noRetain) }
        let kept = kinds.filter { $0.isRetained && !unheard.contains($0.topic) }
        if session.keepsMessages, !kept.isEmpty, try !isKept(kept.map(\.topic)) {
            problems.append(Self.noRetain)
        }
        if let route = kinds.first(where: { $0.name == "route" }), !unheard.contains(route.topic),
            let problem = try sizeProblem(route.topic, session)
        {
            problems.append(problem)
        }
        return problems
    }

    private static let noRetain =
        "it keeps no retained messages, which progress, route, status and places are: turn them on "
        + "(mosquitto: retain_available true)"

    private func problem(_ kind: Kind, _ fate: ProbeSession.Fate) -> String? {
        let grant = "grant this user 'readwrite \(kind.pattern)'"
        switch fate {
        case .cameBack: return nil
        case .refused(let reason):
            return "it refuses \(kind.name) messages (\(reason)): \(grant)"
        case .silence:
            return "\(kind.name) messages do not come back, as an access list may drop or hide "
                + "them: \(grant)"
        case .hungUp:
            return "it hangs up on \(kind.name) messages: \(grant)"
        }
    }

    /// Whether a later subscriber gets what was published.
    private func isKept(_ topics: [String]) throws -> Bool {
        let later = try ProbeSession(configuration, filters: topics)
        return try later.wait(within: Self.patience) {
            topics.allSatisfy { later.kept.contains($0) }
        }
    }

    private func clear(_ session: ProbeSession) {
        for kind in kinds where kind.isRetained && session.keepsMessages {
            session.publish([], on: kind.topic, isRetained: true)
        }
        // Where this fails, the broker has been complained of.
        _ = try? session.wait(within: Self.patience) { session.isAnswered }
    }

    private func sizeProblem(_ topic: String, _ session: ProbeSession) throws -> String? {
        let wanted = configuration.limits.maxPayloadBytes
        let packet = wanted + topic.utf8.count + 16
        if let limit = session.maximumPacketSize {
            return limit >= packet ? nil : tooSmall("packets up to \(limit) bytes")
        }
        let most = min(wanted, Self.largestProbe)
        guard try fate(ofBytes: most, topic) != .cameBack else { return nil }
        var size = most / 2
        while size >= Self.smallestProbe, try fate(ofBytes: size, topic) != .cameBack { size /= 2 }
        return tooSmall("messages of \(max(size, Self.smallestProbe)) bytes, not of twice as many")
    }

    private func tooSmall(_ limit: String) -> String {
        let wanted = configuration.limits.maxPayloadBytes
        return "it takes \(limit), and limits.max_payload_bytes is \(wanted): larger positions "
            + "never arrive, and larger routes are left out. Raise the broker's limit (mosquitto: "
            + "max_packet_size, message_size_limit), or lower the setting"
    }

    private func fate(ofBytes size: Int, _ topic: String) throws -> ProbeSession.Fate {
        // A session each: on one that was hung up on, the message would go out again.
        let session = try ProbeSession(configuration, filters: [topic])
        let blank = [UInt8](repeating: UInt8(ascii: " "), count: max(size - mark.count, 0))
        return try session.fate(
            of: mark + blank, on: topic, isRetained: false, within: Self.patience)
    }
}

/// One connection of a probe, which keeps what comes of it.
private final class ProbeSession {
    /// What became of a message.
    enum Fate: Equatable {
        case cameBack
        /// The broker says no.
        case refused(String)
        /// Nothing came of it, but for its acknowledgement.
        case silence
        /// The broker ended the connection instead.
        case hungUp
    }

    private let client: Client
    private let address: String
    private var live: [BrokerMessage] = []
    private var refusals: [UInt64: String] = [:]
    private var losses = 0
    /// Topics of which something came that the broker had kept.
    private(set) var kept: Set<String> = []
    /// Filters that the broker does not let this user subscribe to.
    private(set) var unreadable: [String] = []

    /// Connects, and subscribes to topics as far as that is allowed.
    init(_ configuration: Configuration, filters: [String]) throws {
        let settings = try configuration.mqttSettings()
        address = "\(settings.host):\(settings.port)"
        let id = "\(configuration.workerID)-cli-\(Identifier.random().prefix(8))"
        client = Client(clientID: id, settings: settings, filters: filters)
        guard try wait(within: 15, until: { client.isReady || !unreadable.isEmpty }) else {
            throw CommandFailure("the broker at \(address) does not answer")
        }
    }

    deinit { client.disconnect() }

    /// Whether the broker keeps messages, as far as it says.
    var keepsMessages: Bool { client.keepsMessages }
    /// The largest packet that the broker takes; `nil` where it does not say.
    var maximumPacketSize: Int? { client.maximumPacketSize }
    /// Whether the broker has answered to all that was published.
    var isAnswered: Bool { client.inFlight == 0 }

    @discardableResult
    func publish(_ payload: [UInt8], on topic: String, isRetained: Bool) -> UInt64 {
        client.publish(topic: topic, payload: payload, isRetained: isRetained)
    }

    /// Publishes a message, and says what becomes of it.
    func fate(
        of payload: [UInt8], on topic: String, isRetained: Bool, within seconds: Double
    ) throws -> Fate {
        let before = losses
        let token = publish(payload, on: topic, isRetained: isRetained)
        // A connection may be lost by chance once.
        _ = try wait(within: seconds) {
            has(payload, on: topic) || refusals[token] != nil || losses >= before + 2
        }
        if let reason = refusals[token] { return .refused(reason) }
        if has(payload, on: topic) { return .cameBack }
        return losses > before && !isAnswered ? .hungUp : .silence
    }

    /// Takes turns until something is so; returns whether it is.
    func wait(within seconds: Double, until condition: () -> Bool) throws -> Bool {
        let end = ContinuousClock.now + .seconds(seconds)
        while !condition() {
            guard ContinuousClock.now < end else { return false }
            for event in turn() { note(event) }
        }
        return true
    }

    private func has(_ payload: [UInt8], on topic: String) -> Bool {
        live.contains { $0.topic == topic && $0.payload == payload }
    }

    private func turn() -> [ClientEvent] {
        client.turn(timeout: 50) { message in
            let topic = String(decoding: message.topic, as: UTF8.self)
            if message.isRetained {
                kept.insert(topic)
            } else {
                live.append(BrokerMessage(topic: topic, payload: Array(message.payload)))
            }
        }
    }

    private func note(_ event: ClientEvent) {
        switch event {
        case .refused(let token, let error): refusals[token] = error.message
        case .subscriptionRefused(let filter, _): unreadable.append(filter)
        case .lost: losses += 1
        case .connected, .ready, .connectFailed: break
        }
    }
}
