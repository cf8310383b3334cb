import MQTT
import Store
import Synchronization
import Telemetry
import Tracking

/// Sends what the tracking stage hands over, in order, and keeps count of what the broker has.
package final class PublishStage {
    private let connection: any EventConnection
    private let shared: WorkerState
    private let clock: any WorkerClock
    private let statusTopic: String
    private let listener: (any PublicationListener)?
    /// What waits for room on the connection.
    private var waiting: [Publication] = []
    private var next = 0
    /// QoS 1 messages on their way, by token; tokens count up.
    private var sent: [UInt64: Publication] = [:]
    private var nextToken: UInt64 = 1
    private var oldestToken: UInt64 = 1
    private var floor = PublishedFloor()
    private var isOnlineSaid = false

    /// Creates a stage.
    ///
    /// - Parameter statusTopic: Where `online` and `offline` are said.
    package init(
        connection: any EventConnection, shared: WorkerState, clock: any WorkerClock,
        statusTopic: String, listener: (any PublicationListener)?
    ) {
        self.connection = connection
        self.shared = shared
        self.clock = clock
        self.statusTopic = statusTopic
        self.listener = listener
    }

    /// One turn: sends what there is room for, and takes acknowledgements.
    ///
    /// - Parameter timeout: How long to wait for something to do, in milliseconds.
    package func step(timeout: Int32) {
        let mayWait = waiting.isEmpty || !connection.isConnected || connection.inFlight > 0
        for event in connection.turn(
            timeout: mayWait ? timeout : 0, wake: shared.outgoing.signal.descriptor)
        {
            note(event)
        }
        shared.outgoing.signal.clear()
        take()
        send()
        sayOnline()
        keepFloor()
    }

    /// Whether the broker has everything.
    package var isIdle: Bool { waiting.isEmpty && sent.isEmpty && shared.outgoing.count == 0 }

    /// Says `offline` and goodbye.
    package func stop() {
        let farewell = Will(
            topic: statusTopic, payload: WorkerStatus.offline.payload, qos: 1, isRetained: true)
        for event in connection.disconnect(final: farewell) { note(event) }
    }

    private func take() {
        // What waits already is bounded, and so is what is taken: the queue fills while the broker is away.
        guard waiting.count < 1000 else { return }
        let taken = shared.outgoing.take()
        guard !taken.isEmpty else { return }
        waiting.append(contentsOf: taken)
        for publication in taken { listener?.published(publication) }
        shared.tracking.raise()
    }

    private func send() {
        while next < waiting.count {
            let publication = waiting[next]
            let token = nextToken
            guard
                connection.publish(
                    topic: publication.topic, payload: publication.payload,
                    qos: publication.isAcknowledged ? 1 : 0, retain: publication.isRetained,
                    token: token)
            else { break }
            if publication.isAcknowledged {
                sent[token] = publication
                nextToken += 1
            }
            next += 1
        }
        waiting.removeFirst(next)
        next = 0
    }

    private func note(_ event: PublisherEvent) {
        switch event {
        case .connected:
            isOnlineSaid = false
            shared.metrics.withLock { $0.isPublisherConnected = true }
        case .connectFailed(let error, let retryIn):
            shared.report(error, retryIn: retryIn)
        case .lost(let error, let retryIn):
            shared.metrics.withLock {
                $0.reconnects["publish", default: 0] += 1
                $0.isPublisherConnected = false
            }
            shared.report(error, retryIn: retryIn)
        case .acknowledged(let tokens):
            acknowledge(tokens)
        case .refused(let token, let reason):
            shared.log.error(
                "the broker refused a message",
                ["topic": sent[token]?.topic ?? statusTopic, "reason": reason.message])
            acknowledge([token])
        }
    }

    private func acknowledge(_ tokens: [UInt64]) {
        let now = clock.now.microseconds
        for token in tokens {
            guard let publication = sent.removeValue(forKey: token) else { continue }
            if case .event(let id, let home) = publication.content {
                shared.acknowledgements.append(
                    AcknowledgedEvent(
                        home: home, vehicleID: publication.subject.vehicleID, eventID: id,
                        publishedAt: now),
                    position: publication.position)
                shared.metrics.withLock {
                    $0.eventDelay.observe(Double(now - publication.receivedAt) / 1e6)
                }
            }
        }
        while oldestToken < nextToken, sent[oldestToken] == nil { oldestToken += 1 }
    }

    /// Says `online` once the intake is subscribed and the trips' state is loaded.
    private func sayOnline() {
        guard !isOnlineSaid, connection.isConnected, shared.isTracking, !shared.isStopping,
            shared.metrics.withLock({ $0.isSubscribed })
        else { return }
        isOnlineSaid = connection.publish(
            topic: statusTopic, payload: WorkerStatus.online.payload, qos: 1, retain: true,
            token: 0)
    }

    private func keepFloor() {
        let oldest = sent[oldestToken]?.position ?? waiting.first?.position
        let tracked = shared.trackedPosition ?? 0
        shared.publishedPosition = floor.note(
            oldest.map { $0 - 1 } ?? (shared.outgoing.count == 0 ? tracked : nil),
            at: clock.uptime)
        shared.metrics.withLock { $0.publishBacklog = waiting.count + sent.count }
    }
}

/// Up to where everything published has reached the broker, told late enough that progress has too.
///
/// Progress waits for its turn for up to a second and is not acknowledged; so a position is believed only
/// two seconds after it was seen.
struct PublishedFloor {
    private var seen: [(position: Int64, at: Double)] = []
    private var believed: Int64 = 0

    /// Notes the floor as it is now, `nil` when unknown, and returns the one to believe.
    mutating func note(_ position: Int64?, at now: Double) -> Int64 {
        if let position, now - (seen.last?.at ?? -.infinity) > 0.5 {
            seen.append((position, now))
        }
        while let first = seen.first, now - first.at >= 2 {
            believed = max(believed, first.position)
            seen.removeFirst()
        }
        return believed
    }
}

/// Hears of everything that is published, on the publishing thread; must not wait.
package protocol PublicationListener: Sendable {
    func published(_ publication: Publication)
}

extension Publication {
    /// Whether the broker has to acknowledge it.
    var isAcknowledged: Bool {
        switch content {
        case .event, .route, .command: true
        case .progress: false
        }
    }

    /// Whether the broker keeps it for new subscribers.
    var isRetained: Bool {
        switch content {
        case .route, .progress: true
        case .event, .command: false
        }
    }
}
