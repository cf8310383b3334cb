import MQTT
import Worker

/// A broker with one subscriber's session and one publisher, that loses connections, acknowledgements and what it
/// was given to keep, counts its packet ids anew, and refuses messages.
final class SimulatedBroker {
    struct Message: Equatable {
        var topic: String
        var payload: String
    }

    private struct Delivery {
        var packetID: UInt16
        var message: Message
    }

    /// What devices and operations have sent and the worker has not acknowledged.
    private var queue: [Message] = []
    /// What was delivered on this connection or an earlier one, and not acknowledged.
    private var inFlight: [Delivery] = []
    /// What was acknowledged lately; a broker that is killed may have forgotten that.
    private var acknowledged: [Delivery] = []
    private var lastPacketID: UInt16 = 0
    /// What the worker's acknowledgements stand for.
    private(set) var taken: [Message] = []
    /// What the worker has published, in order, copies included.
    private(set) var published: [Message] = []
    /// Whether connections can be made.
    var isThere = true
    private(set) var generation = 0
    /// What it keeps for new subscribers, by topic.
    private(set) var kept: [String: String] = [:]
    /// Whether it has lost what it kept, and the publisher has not been told.
    private var hasLostKept = false
    /// Parts of topics that the access list forbids.
    var forbidden: Set<String> = []

    /// Takes a message from a device or from operations.
    func send(_ topic: String, _ payload: String) {
        queue.append(Message(topic: topic, payload: payload))
    }

    /// Ends all connections.
    func cut() {
        generation += 1
    }

    /// Ends all connections, and forgets the newest acknowledgements.
    func forgetAcknowledgements() {
        cut()
        inFlight = acknowledged + inFlight
        acknowledged = []
    }

    /// Ends all connections, and delivers the newest messages once more, as if they were new ones.
    func deliverUnderNewIDs() {
        cut()
        queue = acknowledged.map(\.message) + inFlight.map(\.message) + queue
        acknowledged = []
        inFlight = []
    }

    /// Ends all connections, and begins with the lowest packet id again.
    func countAnew() {
        cut()
        lastPacketID = inFlight.map(\.packetID).max() ?? 0
    }

    /// Ends all connections, and forgets what it was to keep.
    func loseKept() {
        cut()
        kept = [:]
        hasLostKept = true
    }

    /// What a publisher finds out when it connects.
    func recall() -> BrokerMemory {
        defer { hasLostKept = false }
        return hasLostKept ? .lost : .kept
    }

    /// Whether the access list forbids a topic.
    func refuses(_ topic: String) -> Bool { forbidden.contains { topic.contains($0) } }

    var isDrained: Bool { queue.isEmpty && inFlight.isEmpty }

    /// What is delivered again on a new connection.
    func resume() -> Int { inFlight.count }

    /// Delivers the `index`-th message of a connection.
    func deliver(at index: Int, _ handler: (ReceivedMessage) -> Void) -> Bool {
        if index >= inFlight.count {
            guard !queue.isEmpty else { return false }
            lastPacketID = lastPacketID == 300 ? 1 : lastPacketID + 1
            inFlight.append(Delivery(packetID: lastPacketID, message: queue.removeFirst()))
        }
        let delivery = inFlight[index]
        var topic = delivery.message.topic
        var payload = delivery.message.payload
        topic.withUTF8 { topic in
            payload.withUTF8 { payload in
                handler(
                    ReceivedMessage(
                        topic: UnsafeRawBufferPointer(topic),
                        payload: UnsafeRawBufferPointer(payload), qos: 1, isRetained: false,
                        packetID: delivery.packetID))
            }
        }
        return true
    }

    /// Takes the acknowledgements of the first `count` messages of a connection.
    func acknowledge(_ count: Int) {
        let done = inFlight.prefix(count)
        taken += done.map(\.message)
        acknowledged = Array((acknowledged + done).suffix(20))
        inFlight.removeFirst(count)
    }

    /// Takes a message of the worker's.
    func receive(_ topic: String, _ payload: [UInt8], isRetained: Bool) {
        let text = String(decoding: payload, as: UTF8.self)
        published.append(Message(topic: topic, payload: text))
        if isRetained { kept[topic] = text.isEmpty ? nil : text }
    }
}

/// The worker's subscription.
final class SimulatedSubscriber: IntakeConnection {
    private let broker: SimulatedBroker
    private var generation: Int?
    private var read = 0

    init(broker: SimulatedBroker) {
        self.broker = broker
    }

    var isReady: Bool { generation == broker.generation }

    func turn(
        timeout: Int32, wake: Int32, paused: Bool, maxMessages: Int,
        handler: (ReceivedMessage) -> Void
    ) -> [SubscriberEvent] {
        if let generation, generation != broker.generation {
            abandon()
            return [.lost(Self.gone, retryIn: 0)]
        }
        guard !paused else { return [] }
        guard generation != nil else {
            guard broker.isThere else { return [.connectFailed(Self.gone, retryIn: 0)] }
            generation = broker.generation
            read = 0
            return [.connected(sessionPresent: true, version: .v5), .ready]
        }
        for _ in 0..<min(maxMessages, 7) where broker.deliver(at: read, handler) { read += 1 }
        return []
    }

    func acknowledge() {
        guard isReady else { return }
        broker.acknowledge(read)
        read = 0
    }

    func abandon() {
        generation = nil
        read = 0
    }

    func disconnect() { abandon() }

    fileprivate static let gone = MQTTError(
        reason: .lost, message: "simulated", isTransient: true)
}

/// The worker's publishing connection: keeps what the broker has not acknowledged, and sends it again.
final class SimulatedPublisher: EventConnection {
    private struct Outgoing {
        var topic: String
        var payload: [UInt8]
        var isRetained: Bool
        var token: UInt64
    }

    private let broker: SimulatedBroker
    private var random: Randomness
    private var generation: Int?
    private var queue: [Outgoing] = []

    init(broker: SimulatedBroker, random: Randomness) {
        self.broker = broker
        self.random = random
    }

    var isConnected: Bool { generation == broker.generation }
    var inFlight: Int { queue.count }

    func publish(
        topic: String, payload: [UInt8], qos: Int, retain: Bool, token: UInt64
    ) -> Bool {
        guard qos == 1 else {
            guard isConnected else { return false }
            broker.receive(topic, payload, isRetained: retain)
            return true
        }
        guard queue.count < 50 else { return false }
        queue.append(
            Outgoing(topic: topic, payload: payload, isRetained: retain, token: token))
        return true
    }

    func turn(timeout: Int32, wake: Int32) -> [PublisherEvent] {
        if let generation, generation != broker.generation {
            self.generation = nil
            return [
                .lost(
                    MQTTError(reason: .lost, message: "simulated", isTransient: true), retryIn: 0)
            ]
        }
        guard generation != nil else {
            guard broker.isThere else { return [] }
            generation = broker.generation
            return [.connected(version: .v5, memory: broker.recall())]
        }
        let count = queue.isEmpty ? 0 : Int.random(in: 0...queue.count, using: &random)
        for outgoing in queue.prefix(count) where !broker.refuses(outgoing.topic) {
            broker.receive(outgoing.topic, outgoing.payload, isRetained: outgoing.isRetained)
        }
        // Some reach the broker and are not acknowledged before the connection ends.
        let heard = count == 0 ? 0 : Int.random(in: 0...count, using: &random)
        let answered = queue.prefix(heard)
        queue.removeFirst(heard)
        let tokens = answered.filter { !broker.refuses($0.topic) }.map(\.token)
        let refusals = answered.filter { broker.refuses($0.topic) }.map {
            PublisherEvent.refused(token: $0.token, reason: Self.forbidden)
        }
        return (tokens.isEmpty ? [] : [.acknowledged(tokens)]) + refusals
    }

    private static let forbidden = MQTTError(
        reason: .notAccepted, message: "simulated", isTransient: false)

    func disconnect(final: Will?) -> [PublisherEvent] { [] }
}
