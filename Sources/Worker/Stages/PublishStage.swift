import MQTT
import Store
import Synchronization
import Telemetry
import Tracking

/// Sends what the tracking stage hands over, in order within each lane, and counts what the broker has.
///
/// What the broker refuses is tried again until it takes it. It does not hold up the published position: the
/// tables hold it without `published_at`, and a restart begins with it.
package final class PublishStage {
    /// How long before a loss was noticed progress may have gone nowhere, in seconds.
    private static let blindness = 30.0
    /// Pause before a status that was refused is said again, in seconds.
    private static let statusPause = 10.0

    private let connection: any EventConnection
    private let shared: WorkerState
    private let clock: any WorkerClock
    private let statusTopic: String
    private let listener: (any PublicationListener)?
    private var lanes = PublishLanes()
    private var floor = PublishedFloor()
    private var isOnlineSaid = false
    /// Seconds of uptime before which the status is not said; it was refused.
    private var sayOnlineAt = 0.0
    /// Seconds of uptime at which the last connection was lost; `nil` before there was one.
    private var lostAt: Double?
    /// Attempts in a row that failed while the intake's connection stood.
    private var failures = 0
    private var isTooLargeSaid = false

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
        let mayWait =
            lanes.next() == nil || !connection.isConnected || connection.inFlight > 0
        for event in connection.turn(
            timeout: mayWait ? timeout : 0, wake: shared.outgoing.signal.descriptor)
        {
            note(event)
        }
        shared.outgoing.signal.clear()
        take()
        if connection.isConnected { lanes.retry(at: clock.uptime) }
        send()
        sayOnline()
        keepFloor()
    }

    /// Whether the broker has everything that it takes.
    package var isIdle: Bool { lanes.isIdle && shared.outgoing.count == 0 }

    /// Says `offline` and goodbye.
    package func stop() {
        let farewell = Will(
            topic: statusTopic, payload: WorkerStatus.offline.payload, qos: 1, isRetained: true)
        for event in connection.disconnect(final: farewell) { note(event) }
    }

    private func take() {
        // What waits already is bounded, and so is what is taken: the queue fills while the broker is away.
        guard lanes.hasRoom else { return }
        let taken = shared.outgoing.take()
        guard !taken.isEmpty else { return }
        lanes.append(taken)
        for publication in taken { listener?.published(publication) }
        shared.tracking.raise()
    }

    private func send() {
        while let publication = lanes.next() {
            guard
                connection.publish(
                    topic: publication.topic, payload: publication.payload,
                    qos: publication.isAcknowledged ? 1 : 0, retain: publication.isRetained,
                    token: lanes.token)
            else { break }
            if publication.isAcknowledged { lanes.sendNext() } else { lanes.dropNext() }
        }
    }

    private func note(_ event: PublisherEvent) {
        switch event {
        case .connected(_, let memory):
            begin(memory)
        case .connectFailed(let error, let retryIn):
            explain(error)
            shared.report(error, retryIn: retryIn)
        case .lost(let error, let retryIn):
            lostAt = clock.uptime
            shared.metrics.withLock {
                $0.reconnects["publish", default: 0] += 1
                $0.isPublisherConnected = false
            }
            shared.report(error, retryIn: retryIn)
        case .acknowledged(let tokens):
            acknowledge(tokens)
        case .refused(let token, let reason):
            refused(token, reason)
        }
    }

    private func acknowledge(_ tokens: [UInt64]) {
        let now = clock.now.microseconds
        for token in tokens {
            if token == 0 { sayOnlineAt = 0 }
            guard let (publication, endsRefusal) = lanes.taken(token, at: clock.uptime) else {
                continue
            }
            if endsRefusal {
                shared.log.info(
                    "the broker takes again what it refused", ["topic": publication.topic])
            }
            guard case .event(let id, let home) = publication.content else { continue }
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

    private func keepFloor() {
        let oldest = lanes.oldestPosition
        let tracked = shared.trackedPosition ?? 0
        shared.publishedPosition = floor.note(
            oldest.map { $0 - 1 } ?? (shared.outgoing.count == 0 ? tracked : nil),
            at: clock.uptime)
        let isStatusRefused = sayOnlineAt > 0
        shared.metrics.withLock {
            $0.publishBacklog = lanes.count
            $0.refusedBacklog = lanes.refused + (isStatusRefused ? 1 : 0)
            if $0.refusedBacklog == 0 { $0.refusal = nil }
        }
    }
}

// The connection, and what is said at its beginning.
extension PublishStage {
    private func begin(_ memory: BrokerMemory) {
        isOnlineSaid = false
        failures = 0
        shared.metrics.withLock { $0.isPublisherConnected = true }
        lanes.retrySoon(at: clock.uptime)
        // At the start everything is published anyway.
        guard let lostAt else { return }
        if memory == .kept {
            shared.reannouncement.ask(.progress(since: lostAt - Self.blindness))
        } else {
            shared.log.warning("the broker has lost its retained messages; publishing them again")
            shared.reannouncement.ask(.everything)
        }
        shared.tracking.raise()
    }

    /// Says what may be wrong when this connection alone cannot be made.
    private func explain(_ error: MQTTError) {
        failures = shared.metrics.withLock { $0.isSubscribed } ? failures + 1 : 0
        guard failures == 3, error.isTransient else { return }
        shared.log.error(
            "the broker takes the subscription but not the publishing connection",
            [
                "error": error.message,
                "check": "does it keep retained messages (retain_available true), and may "
                    + "the client id that ends in -pub connect?",
            ])
    }

    /// Says `online` once the intake is subscribed and the trips' state is loaded.
    private func sayOnline() {
        guard !isOnlineSaid, connection.isConnected, shared.isTracking, !shared.isStopping,
            clock.uptime >= sayOnlineAt, shared.metrics.withLock({ $0.isSubscribed })
        else { return }
        isOnlineSaid = connection.publish(
            topic: statusTopic, payload: WorkerStatus.online.payload, qos: 1, retain: true,
            token: 0)
    }
}

// What the broker does not take.
extension PublishStage {
    private func refused(_ token: UInt64, _ reason: MQTTError) {
        guard let publication = lanes.publication(token) else {
            // The farewell's token is none of ours, and nobody is left to say it again.
            guard token == 0 else { return }
            count("status", statusTopic, reason)
            if sayOnlineAt == 0 { complain(statusTopic, reason) }
            isOnlineSaid = false
            sayOnlineAt = clock.uptime + Self.statusPause
            return
        }
        // What is known to be too large is not sent, so that only the last kind costs a connection each time.
        let isTooLarge = reason.reason == .tooLarge
        let isHungUpOn = reason.reason == .lost
        if publication.content == .route, isTooLarge || isHungUpOn, !publication.payload.isEmpty {
            return leaveOut(publication, token, reason)
        }
        count(publication.kind, publication.topic, reason)
        guard publication.isPatient, reason.reason != .invalid else {
            lanes.giveUp(token)
            shared.log.error(
                "the broker refused a message; it is not tried again",
                ["topic": publication.topic, "reason": reason.message])
            return
        }
        let isNew = lanes.refused(
            token, isHungUpOn ? .hangUp : .refusal, at: clock.uptime)
        if isNew { complain(publication.topic, reason) }
    }

    private func count(_ kind: String, _ topic: String, _ reason: MQTTError) {
        shared.metrics.withLock {
            $0.refusals[kind, default: 0] += 1
            if kind != "command" {
                $0.refusal = "the broker refuses \(topic): \(reason.message)"
            }
        }
    }

    private func complain(_ topic: String, _ reason: MQTTError) {
        shared.log.error(
            "the broker refuses a message; it is kept and tried again",
            ["topic": topic, "reason": reason.message])
    }

    /// Takes a route away that is too large, rather than leave an older one there or send half of it.
    private func leaveOut(_ publication: Publication, _ token: UInt64, _ reason: MQTTError) {
        shared.metrics.withLock { $0.routesLeftOut += 1 }
        lanes.replace(token, payload: [])
        guard !isTooLargeSaid else { return }
        isTooLargeSaid = true
        shared.log.warning(
            "a route is larger than the broker takes: it and others as large are left out",
            [
                "topic": publication.topic, "bytes": publication.payload.count,
                "broker": reason.message,
            ])
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
