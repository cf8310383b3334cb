import Glibc

/// What a subscriber's turn has found out, besides messages.
package enum SubscriberEvent: Equatable, Sendable {
    /// The broker has accepted the connection; without a session nothing sent before comes again.
    case connected(sessionPresent: Bool, version: MQTTSettings.ProtocolVersion)
    /// All filters are subscribed, and the former ones are not.
    case ready
    /// The broker does not let us subscribe to a filter.
    case subscriptionRefused(filter: String, MQTTError)
    case connectFailed(MQTTError, retryIn: Double)
    case lost(MQTTError, retryIn: Double)
}

/// The receiving connection: a persistent session whose acknowledgements leave only when told to.
///
/// Driven by one thread, turn by turn. Nothing leaves between reading a QoS 1 message and
/// `acknowledge`, not even a ping, since acknowledgements and pings share one queue.
package final class Subscriber {
    private let link: Link
    private let filters: [String]
    private let formerFilters: [String]
    /// QoS 1 messages handed on since the last acknowledgement.
    private var unacknowledged = 0
    private var hasSubscribed = false
    private var awaited: Set<Int32> = []
    private var refusals = 0
    private var acceptance: Connection.Acceptance?

    /// Tells that all filters are subscribed on a connection that stands.
    package private(set) var isReady = false

    /// Creates a subscriber, which connects in its first turn.
    ///
    /// - Parameters:
    ///   - clientID: Names the session at the broker.
    ///   - filters: What to subscribe to, with QoS 1.
    ///   - formerFilters: What the session may still be subscribed to; those not in `filters` are
    ///     unsubscribed.
    package init(
        clientID: String, settings: MQTTSettings, filters: [String], formerFilters: [String]
    ) {
        self.filters = filters
        self.formerFilters = formerFilters.filter { !filters.contains($0) }
        link = Link(clientID: clientID, settings: settings, isPersistent: true, will: nil)
    }

    /// Seconds of silence that the broker allows; a longer pause of the intake needs `abandon`.
    package var keepalive: Int? { acceptance?.keepalive }

    /// Takes one turn: connects when due, waits for the broker or `wake`, and reads what has come.
    ///
    /// Returns early when something has happened or `wake` can be read, which is left to the caller.
    /// No message is handed on in the turn that reports `connected`.
    /// - Parameters:
    ///   - timeout: The longest wait, in milliseconds.
    ///   - wake: A descriptor to wait for as well, or -1.
    ///   - paused: Neither reads from the broker nor connects.
    ///   - maxMessages: How many messages to read; on an encrypted connection a few more may come.
    ///   - handler: Takes each message in order; the message is valid only until it returns.
    package func turn(
        timeout: Int32, wake: Int32, paused: Bool, maxMessages: Int,
        handler: (ReceivedMessage) -> Void
    ) -> [SubscriberEvent] {
        var events: [SubscriberEvent] = []
        if !paused { note(link.open(), in: &events) }
        guard let connection = link.connection else {
            let limit = paused ? timeout : link.timeout(atMost: timeout)
            if events.isEmpty { sleep(limit, wake: wake) }
            return events
        }
        if link.isUp, unacknowledged == 0 { connection.flush() }
        connection.wait(timeout: timeout, wake: wake, reading: !paused)
        if link.isUp, !paused {
            withoutActuallyEscaping(handler) { handler in
                connection.onMessage = { [self] message in
                    if message.qos > 0 { unacknowledged += 1 }
                    handler(message)
                }
                connection.read(limit: maxMessages)
                connection.onMessage = nil
            }
        }
        digestAnswers(of: connection, into: &events)
        note(link.settle(), in: &events)
        if link.isUp, unacknowledged == 0 { connection.flush() }
        return events
    }

    /// Acknowledges every message read so far: call it only once all of them are durable.
    package func acknowledge() {
        unacknowledged = 0
        link.connection?.flush()
    }

    /// Closes the socket without writing a byte: what is not acknowledged will come again.
    ///
    /// Connects again after a pause, by a turn that is not paused.
    package func abandon() {
        link.abandon()
        forgetConnection()
    }

    /// Says goodbye and closes for good; without a goodbye where messages are not acknowledged.
    package func disconnect() {
        link.stop(within: unacknowledged == 0 ? 2 : 0)
        forgetConnection()
    }

    private func note(_ event: Link.Event?, in events: inout [SubscriberEvent]) {
        switch event {
        case .connected(let acceptance):
            self.acceptance = acceptance
            events.append(
                .connected(
                    sessionPresent: acceptance.isSessionPresent, version: acceptance.version))
            subscribe(acceptance, into: &events)
        case .connectFailed(let error, let retryIn):
            events.append(.connectFailed(error, retryIn: retryIn))
        case .lost(let error, let retryIn):
            forgetConnection()
            events.append(.lost(error, retryIn: retryIn))
        case nil:
            break
        }
    }

    private func forgetConnection() {
        unacknowledged = 0
        awaited = []
        refusals = 0
        acceptance = nil
        isReady = false
    }

    private func subscribe(
        _ acceptance: Connection.Acceptance, into events: inout [SubscriberEvent]
    ) {
        guard let connection = link.connection else { return }
        if !hasSubscribed || !acceptance.isSessionPresent {
            awaited = connection.subscribe(to: filters)
            if acceptance.isSessionPresent {
                awaited.formUnion(connection.unsubscribe(from: formerFilters))
            }
        }
        becomeReady(&events)
    }

    private func digestAnswers(
        of connection: Connection, into events: inout [SubscriberEvent]
    ) {
        for answer in connection.takeAnswers() {
            switch answer {
            case .subscribed(let id, let granted):
                awaited.remove(id)
                for (filter, code) in zip(filters, granted) where code >= 128 {
                    refusals += 1
                    events.append(.subscriptionRefused(filter: filter, .notAccepted(code: code)))
                }
            case .unsubscribed(let id):
                awaited.remove(id)
            case .published:
                continue
            }
            becomeReady(&events)
        }
    }

    private func becomeReady(_ events: inout [SubscriberEvent]) {
        guard awaited.isEmpty, refusals == 0, !isReady else { return }
        isReady = true
        hasSubscribed = true
        events.append(.ready)
    }
}

/// Sleeps up to `timeout` milliseconds, or until `wake` can be read.
func sleep(_ timeout: Int32, wake: Int32) {
    var descriptor = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
    poll(&descriptor, 1, timeout)
}
