/// What a publisher's turn has found out.
package enum PublisherEvent: Equatable, Sendable {
    case connected(version: MQTTSettings.ProtocolVersion)
    /// The broker has these QoS 1 messages.
    case acknowledged([UInt64])
    /// The broker will never take this QoS 1 message; it is not sent again.
    case refused(token: UInt64, reason: MQTTError)
    case connectFailed(MQTTError, retryIn: Double)
    case lost(MQTTError, retryIn: Double)
}

/// The sending connection, without a session: keeps each QoS 1 message until the broker has it.
///
/// Driven by one thread. QoS 1 messages reach the broker in order and at least once, also across
/// connections; QoS 0 messages only while there is a connection, and may overtake the others.
package final class Publisher {
    /// How many messages to send ahead of their acknowledgement: the library walks through all of
    /// them for each, and more gain nothing.
    private static let mostInFlight = 200

    private let link: Link
    private let window: Int
    private var queue = OutgoingQueue()
    private var watch = PoisonWatch()
    private var limit = 0
    /// QoS 0 messages that the socket has not taken yet.
    private var unwritten = 0
    private var lastID: Int32 = 0
    private var events: [PublisherEvent] = []
    private var acknowledged: [UInt64] = []

    /// Tells that messages can leave.
    package var isConnected: Bool { link.isUp }
    /// How many QoS 1 messages the broker has not acknowledged, sent or not.
    package var inFlight: Int { queue.count }

    /// Creates a publisher, which connects in its first turn.
    ///
    /// - Parameters:
    ///   - will: What the broker publishes when the connection ends without a goodbye.
    ///   - window: How many messages to hold that the broker has not got yet.
    package init(clientID: String, settings: MQTTSettings, will: Will?, window: Int = 1000) {
        link = Link(clientID: clientID, settings: settings, isPersistent: false, will: will)
        self.window = window
    }

    /// Takes a message to be sent; returns whether it was taken.
    ///
    /// A QoS 1 message is not taken while `window` of them are unacknowledged. A QoS 0 message is not
    /// taken, and should be forgotten, without a connection or while the broker is slow to read.
    /// - Parameter token: Names a QoS 1 message in the events about it.
    package func publish(
        topic: String, payload: UnsafeRawBufferPointer, qos: Int, retain: Bool, token: UInt64
    ) -> Bool {
        guard qos == 0 else {
            guard queue.count < window else { return false }
            queue.append(
                .init(token: token, topic: topic, payload: Array(payload), isRetained: retain))
            return true
        }
        guard link.isUp, let connection = link.connection, unwritten < window, isNextIDFree
        else { return false }
        let result = connection.publish(topic: topic, payload: payload, qos: 0, retain: retain)
        guard case .success(let id) = result else { return false }
        lastID = id
        unwritten += 1
        return true
    }

    /// Takes a message to be sent; returns whether it was taken.
    package func publish(
        topic: String, payload: [UInt8], qos: Int, retain: Bool, token: UInt64
    ) -> Bool {
        payload.withUnsafeBytes {
            publish(topic: topic, payload: $0, qos: qos, retain: retain, token: token)
        }
    }

    /// Takes one turn: connects when due, sends what was taken, and waits for answers or `wake`.
    ///
    /// - Parameters:
    ///   - timeout: The longest wait, in milliseconds.
    ///   - wake: A descriptor to wait for as well, or -1; reading it is left to the caller.
    package func turn(timeout: Int32, wake: Int32) -> [PublisherEvent] {
        note(link.open())
        guard let connection = link.connection else {
            if events.isEmpty { sleep(link.timeout(atMost: timeout), wake: wake) }
            return takeEvents()
        }
        feed(connection)
        connection.wait(timeout: events.isEmpty ? timeout : 0, wake: wake, reading: true)
        if link.isUp { connection.read(limit: 1) }
        digestAnswers(of: connection)
        note(link.settle(), from: connection)
        feed(connection)
        return takeEvents()
    }

    /// Sends what is left and one last message, says goodbye, and closes for good.
    ///
    /// Takes at most about three seconds. The broker does not publish the will then.
    @discardableResult
    package func disconnect(final: Will?) -> [PublisherEvent] {
        if let final, link.isUp {
            queue.append(
                .init(
                    token: .max, topic: final.topic, payload: final.payload,
                    isRetained: final.isRetained))
        }
        var outcome: [PublisherEvent] = []
        let end = now() + 2
        while link.isUp, queue.count > 0, now() < end {
            outcome += turn(timeout: 100, wake: -1)
        }
        link.stop(within: 1)
        return outcome
    }

    /// The library numbers QoS 0 and 1 alike and reuses numbers without looking.
    private var isNextIDFree: Bool { !queue.isInFlight(lastID % 65535 + 1) }

    private func feed(_ connection: Connection) {
        guard link.isUp else { return }
        let most = watch.isCautious ? 1 : limit
        while queue.inFlight < most, isNextIDFree, let message = queue.unsent {
            let result = message.payload.withUnsafeBytes {
                connection.publish(
                    topic: message.topic, payload: $0, qos: 1, retain: message.isRetained)
            }
            switch result {
            case .success(let id):
                lastID = id
                queue.markSent(id)
            case .failure(let error):
                guard error.reason == .notAccepted, let token = queue.refuseUnsent() else { return }
                events.append(.refused(token: token, reason: error))
            }
        }
        connection.flush()
    }

    private func digestAnswers(of connection: Connection) {
        for case .published(let id, let code) in connection.takeAnswers() {
            guard let token = queue.settle(id) else {
                unwritten = max(0, unwritten - 1)
                continue
            }
            watch.acknowledged()
            if code < 128 {
                acknowledged.append(token)
            } else {
                events.append(.refused(token: token, reason: .notAccepted(code: code)))
            }
        }
    }

    private func note(_ event: Link.Event?, from connection: Connection? = nil) {
        switch event {
        case .connected(let acceptance):
            limit = min(acceptance.receiveMaximum, Self.mostInFlight)
            lastID = 0
            unwritten = 0
            events.append(.connected(version: acceptance.version))
        case .connectFailed(let error, let retryIn):
            events.append(.connectFailed(error, retryIn: retryIn))
        case .lost(let error, let retryIn):
            let isTheirs = connection?.wasHungUp ?? false
            let givesUp = isTheirs && watch.hungUp(inFlight: queue.inFlight)
            queue.sendAgain()
            if givesUp, let token = queue.refuseUnsent() {
                events.append(.refused(token: token, reason: error))
            }
            events.append(.lost(error, retryIn: retryIn))
        case nil:
            break
        }
    }

    private func takeEvents() -> [PublisherEvent] {
        defer {
            events.removeAll(keepingCapacity: true)
            acknowledged.removeAll(keepingCapacity: true)
        }
        return acknowledged.isEmpty ? events : [.acknowledged(acknowledged)] + events
    }
}
