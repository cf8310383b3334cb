/// What a publisher's turn has found out.
package enum PublisherEvent: Equatable, Sendable {
    /// Messages can leave.
    case connected(version: MQTTSettings.ProtocolVersion, memory: BrokerMemory)
    /// The broker has these QoS 1 messages.
    case acknowledged([UInt64])
    /// The broker does not take this QoS 1 message now; the publisher does not send it again.
    ///
    /// Its reason is `notAccepted` where the broker said so, `tooLarge` where the packet is larger than it
    /// takes, `lost` where it ended five connections over it, and `invalid` where no broker would take it.
    case refused(token: UInt64, reason: MQTTError)
    case connectFailed(MQTTError, retryIn: Double)
    case lost(MQTTError, retryIn: Double)
}

/// The sending connection, without a session: keeps each QoS 1 message until the broker has it.
///
/// Driven by one thread. QoS 1 messages reach the broker in order and at least once, also across
/// connections, but for one that the broker seems to hang up on, which comes after those behind it; QoS 0
/// messages only while there is a connection, and may overtake the others.
package final class Publisher {
    /// How many messages to send ahead of their acknowledgement: the library walks through all of
    /// them for each, and more gain nothing.
    private static let mostInFlight = 200

    private let link: Link
    private let will: Will?
    private let window: Int
    private var queue = OutgoingQueue()
    private var watch = PoisonWatch()
    private var isolated: Isolated?
    /// Runs until it is known whether the broker has kept our will.
    private var recall: WillRecall?
    /// The mark of the will of the newest connection that stood.
    private var lastWillMark: String?
    private var acceptance: Connection.Acceptance?
    private var limit = 0
    /// QoS 0 messages that the socket has not taken yet.
    private var unwritten = 0
    private var lastID: Int32 = 0
    private var events: [PublisherEvent] = []
    private var acknowledged: [UInt64] = []

    /// Tells that messages can leave.
    package var isConnected: Bool { link.isUp && recall == nil }
    /// How many QoS 1 messages the broker has not acknowledged, sent or not.
    package var inFlight: Int { queue.count + (isolated == nil ? 0 : 1) }

    /// A message that is sent alone, to see whether the broker hangs up on it.
    private struct Isolated {
        var message: OutgoingQueue.Message
        /// Its number on this connection, once it is sent.
        var id: Int32?
        /// How many others go before it.
        var ahead: Int
    }

    /// Creates a publisher, which connects in its first turn.
    ///
    /// - Parameters:
    ///   - will: What the broker publishes when the connection ends without a goodbye.
    ///   - window: How many messages to hold that the broker has not got yet.
    package init(clientID: String, settings: MQTTSettings, will: Will?, window: Int = 1000) {
        link = Link(clientID: clientID, settings: settings, isPersistent: false, will: will)
        self.will = will
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
            guard inFlight < window else { return false }
            queue.append(
                .init(token: token, topic: topic, payload: Array(payload), isRetained: retain))
            return true
        }
        guard isConnected, let connection = link.connection, unwritten < window, isNextIDFree
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
        if link.isUp { read(connection) }
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
        while link.isUp, inFlight > 0, now() < end {
            outcome += turn(timeout: 100, wake: -1)
        }
        link.stop(within: 1)
        return outcome
    }

    /// The library numbers QoS 0 and 1 alike and reuses numbers without looking.
    private var isNextIDFree: Bool {
        let next = lastID % 65535 + 1
        return !queue.isInFlight(next) && isolated?.id != next
    }

    private func takeEvents() -> [PublisherEvent] {
        defer {
            events.removeAll(keepingCapacity: true)
            acknowledged.removeAll(keepingCapacity: true)
        }
        return acknowledged.isEmpty ? events : [.acknowledged(acknowledged)] + events
    }
}

// Sending, and what the broker says to it.
extension Publisher {
    private func feed(_ connection: Connection) {
        guard isConnected else { return }
        let most = watch.isCautious ? 1 : limit
        while queue.inFlight < most, isNextIDFree, mayFeed, let message = queue.unsent {
            switch send(message, on: connection) {
            case .success(let id):
                queue.markSent(id)
                isolated?.ahead -= 1
            case .failure(let error):
                guard error.reason != .lost, let token = queue.refuseUnsent() else { return }
                events.append(.refused(token: token, reason: error))
            }
        }
        feedIsolated(connection)
        connection.flush()
    }

    /// Whether others may go before, or without, the message that is sent alone.
    private var mayFeed: Bool { isolated.map { $0.ahead > 0 && $0.id == nil } ?? true }

    private func feedIsolated(_ connection: Connection) {
        guard let alone = isolated, alone.id == nil, queue.inFlight == 0, isNextIDFree,
            alone.ahead <= 0 || queue.unsent == nil
        else { return }
        switch send(alone.message, on: connection) {
        case .success(let id):
            isolated?.id = id
        case .failure(let error):
            guard error.reason != .lost else { return }
            isolated = nil
            events.append(.refused(token: alone.message.token, reason: error))
        }
    }

    private func send(
        _ message: OutgoingQueue.Message, on connection: Connection
    ) -> Result<Int32, MQTTError> {
        let size = message.watched.size
        if watch.isTooLarge(size, at: now()) {
            return .failure(
                MQTTError(.tooLarge, "it hangs up on packets as large (\(size) bytes)"))
        }
        let result = message.payload.withUnsafeBytes {
            connection.publish(
                topic: message.topic, payload: $0, qos: 1, retain: message.isRetained)
        }
        switch result {
        case .success(let id):
            lastID = id
        case .failure(let error) where error.reason == .tooLarge:
            let most = acceptance?.maximumPacketSize.map { "\($0)" } ?? "fewer"
            return .failure(
                MQTTError(.tooLarge, "it takes packets up to \(most) bytes, not \(size)"))
        case .failure:
            break
        }
        return result
    }

    private func digestAnswers(of connection: Connection) {
        for answer in connection.takeAnswers() {
            switch answer {
            case .published(let id, let code): settle(id, code)
            case .subscribed(_, let granted):
                if granted.contains(where: { $0 >= 128 }) { conclude(.unknown, on: connection) }
            case .unsubscribed: continue
            }
        }
        if let memory = recall?.judge(silentAt: now()) { conclude(memory, on: connection) }
    }

    private func settle(_ id: Int32, _ code: Int32) {
        let token: UInt64
        if let alone = isolated, alone.id == id {
            token = alone.message.token
            watch.acknowledged(alone.message.watched)
            isolated = nil
        } else if let message = queue.message(sentAs: id), queue.settle(id) != nil {
            token = message.token
            watch.acknowledged(message.watched)
        } else {
            unwritten = max(0, unwritten - 1)
            return
        }
        if code < 128 {
            acknowledged.append(token)
        } else {
            events.append(.refused(token: token, reason: .notAccepted(code: code)))
        }
    }
}

// What becomes of the connection.
extension Publisher {
    private func note(_ event: Link.Event?, from connection: Connection? = nil) {
        switch event {
        case .connected(let acceptance):
            begin(acceptance)
        case .connectFailed(let error, let retryIn):
            events.append(.connectFailed(error, retryIn: retryIn))
        case .lost(let error, let retryIn):
            recall = nil
            let isTheirs = connection?.wasHungUp ?? false
            judgeLoss(error, isTheirs: isTheirs)
            events.append(.lost(error, retryIn: retryIn))
        case nil:
            break
        }
    }

    private func begin(_ acceptance: Connection.Acceptance) {
        self.acceptance = acceptance
        limit = min(acceptance.receiveMaximum, Self.mostInFlight)
        lastID = 0
        unwritten = 0
        isolated?.ahead = queue.count
        let isFirst = lastWillMark == nil
        let mark = lastWillMark
        lastWillMark = link.willMark
        guard let will, will.isRetained, let connection = link.connection else {
            return conclude(.unknown, on: nil)
        }
        if !acceptance.keepsMessages {
            events.append(.connectFailed(.keepsNothing, retryIn: Link.patience))
        }
        guard !isFirst else { return conclude(.unknown, on: nil) }
        recall = WillRecall(of: will, mark: acceptance.version == .v5 ? mark : nil, at: now())
        _ = connection.subscribe(to: [will.topic])
        connection.flush()
    }

    /// Reads answers; and, while that is asked for, what is kept under the will's topic.
    private func read(_ connection: Connection) {
        var memory: BrokerMemory?
        connection.onMessage = { [recall, will] message in
            guard message.isRetained, message.topic.elementsEqual((will?.topic ?? "").utf8) else {
                return
            }
            memory = recall?.judge(kept: message.payload, mark: connection.willMark)
        }
        connection.read(limit: 1)
        connection.onMessage = nil
        if let memory { conclude(memory, on: connection) }
    }

    private func conclude(_ memory: BrokerMemory, on connection: Connection?) {
        guard let version = acceptance?.version else { return }
        if recall != nil, let will { _ = connection?.unsubscribe(from: [will.topic]) }
        guard recall != nil || connection == nil else { return }
        recall = nil
        events.append(.connected(version: version, memory: memory))
    }

    private func judgeLoss(_ error: MQTTError, isTheirs: Bool) {
        let alone = isolated.flatMap { $0.id == nil ? nil : $0.message.watched }
        let flying = queue.flying + (alone.map { [$0] } ?? [])
        let verdict = isTheirs ? watch.hungUp(inFlight: flying, at: now()) : .none
        queue.sendAgain()
        isolated?.id = nil
        switch verdict {
        case .none: break
        case .isolate(let token):
            isolated = queue.takeOut(token).map { Isolated(message: $0, id: nil, ahead: 0) }
        case .tooLarge(let message):
            isolated = nil
            let words = "it hangs up on a packet of \(message.size) bytes"
            events.append(.refused(token: message.token, reason: MQTTError(.tooLarge, words)))
        case .giveUpFirst:
            guard let token = queue.refuseUnsent() else { break }
            events.append(.refused(token: token, reason: error))
        }
    }
}
