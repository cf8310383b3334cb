/// What a client's turn has found out, besides messages.
package enum ClientEvent: Equatable, Sendable {
    /// The broker has accepted the connection.
    case connected
    /// All filters are subscribed.
    case ready
    /// The broker does not let us subscribe to a filter.
    case subscriptionRefused(filter: String, MQTTError)
    /// The broker will never take this message; it is not sent again.
    case refused(token: UInt64, reason: MQTTError)
    /// There is no connection; the next attempt is due in so many seconds.
    case connectFailed(MQTTError, retryIn: Double)
    /// The connection is gone; messages without an acknowledgement are sent again on the next one.
    case lost(MQTTError, retryIn: Double)
}

/// One connection without a session that both subscribes and publishes: for tools that come and go.
///
/// Driven by one thread. What is received is acknowledged at once, and nothing comes again.
package final class Client {
    /// How many messages to send ahead of their acknowledgement.
    private static let mostInFlight = 200

    private let link: Link
    private let filters: [String]
    private var queue = OutgoingQueue()
    private var limit = 0
    private var awaited: Set<Int32> = []
    private var refusals = 0
    private var lastToken: UInt64 = 0
    private var events: [ClientEvent] = []

    /// Tells that all filters are subscribed on a connection that stands.
    package private(set) var isReady = false
    /// The largest packet that the broker takes, in bytes; `nil` where it does not say.
    package private(set) var maximumPacketSize: Int?
    /// Whether the broker keeps messages for later subscribers, as far as it says.
    package private(set) var keepsMessages = true
    /// How many messages the broker has not acknowledged, sent or not.
    package var inFlight: Int { queue.count }

    /// Creates a client, which connects in its first turn.
    ///
    /// - Parameter filters: What to subscribe to, with QoS 1.
    package init(clientID: String, settings: MQTTSettings, filters: [String]) {
        link = Link(clientID: clientID, settings: settings, isPersistent: false, will: nil)
        self.filters = filters
    }

    /// Takes a QoS 1 message to be sent, and returns the token that names it in events.
    @discardableResult
    package func publish(topic: String, payload: [UInt8], isRetained: Bool = false) -> UInt64 {
        lastToken += 1
        queue.append(
            .init(token: lastToken, topic: topic, payload: payload, isRetained: isRetained))
        return lastToken
    }

    /// Takes one turn: connects when due, sends what was taken, and reads what has come.
    ///
    /// - Parameters:
    ///   - timeout: The longest wait, in milliseconds.
    ///   - wake: A descriptor to wait for as well, or -1; reading it is left to the caller.
    ///   - handler: Takes each message in order; the message is valid only until it returns.
    package func turn(
        timeout: Int32, wake: Int32 = -1, handler: (ReceivedMessage) -> Void
    ) -> [ClientEvent] {
        defer { events = [] }
        note(link.open())
        guard let connection = link.connection else {
            if events.isEmpty { sleep(link.timeout(atMost: timeout), wake: wake) }
            return events
        }
        feed(connection)
        connection.wait(timeout: timeout, wake: wake, reading: true)
        if link.isUp {
            withoutActuallyEscaping(handler) { handler in
                connection.onMessage = handler
                connection.read(limit: 500)
                connection.onMessage = nil
            }
        }
        digestAnswers(of: connection)
        note(link.settle())
        feed(connection)
        return events
    }

    /// Says goodbye and closes for good, within a second.
    package func disconnect() {
        link.stop(within: 1)
    }

    private func feed(_ connection: Connection) {
        guard link.isUp else { return }
        while queue.inFlight < limit, let message = queue.unsent {
            let result = message.payload.withUnsafeBytes {
                connection.publish(
                    topic: message.topic, payload: $0, qos: 1, retain: message.isRetained)
            }
            switch result {
            case .success(let id): queue.markSent(id)
            case .failure(let error):
                guard error.reason != .lost, let token = queue.refuseUnsent() else { return }
                events.append(.refused(token: token, reason: error))
            }
        }
        connection.flush()
    }

    private func digestAnswers(of connection: Connection) {
        for answer in connection.takeAnswers() {
            switch answer {
            case .subscribed(let id, let granted):
                awaited.remove(id)
                for (filter, code) in zip(filters, granted) where code >= 128 {
                    refusals += 1
                    events.append(.subscriptionRefused(filter: filter, .notAccepted(code: code)))
                }
                becomeReady()
            case .published(let id, let code):
                guard let token = queue.settle(id), code >= 128 else { continue }
                events.append(.refused(token: token, reason: .notAccepted(code: code)))
            case .unsubscribed:
                continue
            }
        }
    }

    private func note(_ event: Link.Event?) {
        switch event {
        case .connected(let acceptance):
            limit = min(acceptance.receiveMaximum, Self.mostInFlight)
            maximumPacketSize = acceptance.maximumPacketSize
            keepsMessages = acceptance.keepsMessages
            refusals = 0
            awaited = link.connection?.subscribe(to: filters) ?? []
            events.append(.connected)
            becomeReady()
        case .connectFailed(let error, let retryIn):
            events.append(.connectFailed(error, retryIn: retryIn))
        case .lost(let error, let retryIn):
            isReady = false
            queue.sendAgain()
            events.append(.lost(error, retryIn: retryIn))
        case nil:
            break
        }
    }

    private func becomeReady() {
        guard awaited.isEmpty, refusals == 0, !isReady else { return }
        isReady = true
        events.append(.ready)
    }
}
