import Routing
import Spool
import Synchronization
import Tracking
import Watching

/// Decodes and tracks what was spooled, and hands on what follows from it.
package final class TrackingStage {
    private let shared: WorkerState
    private let spool: any SpoolReading
    private let clock: any WorkerClock
    private let limits: TrackingLimits
    private var fleet: Fleet?
    private var pace: ProgressPace
    private var timers = TripTimers()
    private var suspicion = ClockSuspicion()
    private var reannouncement = Reannouncement()
    private var watchTimers = WatchTimers()
    /// Seconds of uptime at which the clock spoke for the roadblocks last.
    private var spokeOfRoads = -Double.infinity
    /// The end of the spool when the state was taken: what lies before it is a replay.
    private var replayEnd: Int64 = 0

    /// Creates a stage that waits for its state.
    package init(
        shared: WorkerState, spool: any SpoolReading, clock: any WorkerClock, limits: TrackingLimits
    ) {
        self.shared = shared
        self.spool = spool
        self.clock = clock
        self.limits = limits
        pace = ProgressPace(interval: limits.progressInterval)
    }

    /// One turn: applies what there is, within bounds.
    ///
    /// - Returns: Seconds until there is something to do besides what a signal tells; 0 to be called again
    ///   at once.
    package func step() -> Double {
        guard let fleet = fleet ?? begin() else {
            shared.queries.answer(nil)
            return 1
        }
        guard !shared.outgoing.isFull else { return 0.01 }
        let hasMore = advance(fleet)
        let now = clock.uptime
        announce(fleet, now)
        ring(fleet, now)
        reannounce(fleet, now)
        let isHandedOver = handOver(fleet)
        shared.queries.answer(fleet)
        if !isHandedOver { return 0.01 }
        if hasMore { return 0 }
        finishReplay(fleet)
        return min(
            pace.wait(now), timers.wait(now), watchTimers.wait(uptime: now),
            max(roadWait(fleet), 0.05),
            reannouncement.isEmpty ? 1 : 0.01)
    }

    /// Whether everything spooled has been applied and handed over.
    package var isIdle: Bool {
        guard let fleet else { return true }
        return fleet.position >= shared.tail.end && pace.isEmpty && fleet.hasNothingToHandOver
            && (reannouncement.isEmpty || shared.isStopping)
    }

    private func begin() -> Fleet? {
        guard let restored = shared.handover.takeRestored() else { return nil }
        fleet = restored.fleet
        replayEnd = shared.tail.end
        shared.outgoing.append(restored.unpublished)
        announceAgain(restored)
        shared.trackedPosition = restored.fleet.position
        return restored.fleet
    }

    /// Publishes the newest state of what the broker may have an older one of.
    private func announceAgain(_ restored: RestoredFleet) {
        let fleet = restored.fleet
        var position = restored.published
        var touched: Set<Publication.Subject> = []
        while position < fleet.position {
            guard let batches = try? spool.read(from: position, maxBytes: limits.readBytes),
                let last = batches.last
            else { break }
            for batch in batches.map(EntryBatch.init) {
                batch.forEach(from: position, to: fleet.position) { entry in
                    if let subject = fleet.subject(of: entry) { touched.insert(subject) }
                }
            }
            position = last.first + Int64(last.count)
        }
        fleet.announceAgain(touched, published: restored.published)
        shared.outgoing.append(fleet.outbox.publications)
        fleet.outbox.publications.removeAll()
    }

    private func advance(_ fleet: Fleet) -> Bool {
        let batches =
            shared.tail.batches(from: fleet.position, limit: limits.batches) ?? readSpool(fleet)
        for batch in batches {
            guard fleet.changesWeight <= limits.maxChanges else { break }
            fleet.uptime = clock.uptime
            fleet.apply(batch)
            send(fleet)
        }
        shared.trackedPosition = fleet.position
        return fleet.position < shared.tail.end
    }

    private func readSpool(_ fleet: Fleet) -> [EntryBatch] {
        do throws(SpoolError) {
            return try spool.read(from: fleet.position, maxBytes: limits.readBytes)
                .map(EntryBatch.init)
        } catch {
            shared.log.error("cannot read the spool", ["error": error.message])
            return []
        }
    }

    private func send(_ fleet: Fleet) {
        let now = clock.uptime
        for vehicle in fleet.outbox.announced { vehicle.announcement.sentAt = now }
        for vehicle in fleet.outbox.moved { pace.add(vehicle, now) }
        for step in fleet.outbox.clockSteps { follow(step, fleet) }
        for vehicle in fleet.outbox.timed { timers.add(vehicle, now, at: clock.now) }
        watch(fleet, now)
        shared.outgoing.append(fleet.outbox.publications)
        if shared.isTracking { shared.questions.append(fleet.outbox.questions) }
        for complaint in fleet.outbox.complaints {
            shared.log.warning(
                "rejected a message", about: "\(complaint.topic) \(complaint.reason)",
                ["topic": complaint.topic, "reason": complaint.reason])
        }
        for place in fleet.outbox.unreadable {
            shared.log.error(
                "a stored place cannot be read, and is left out",
                ["place": place.placeID, "detail": place.detail])
        }
        fleet.outbox = Outbox()
        let tally = fleet.tally
        fleet.tally = FleetTally()
        suspect(tally)
        let roadblocks = fleet.activeRoadblocks
        shared.metrics.withLock {
            $0.add(tally)
            $0.activeRoadblocks = roadblocks
        }
    }

    /// Notes that the machine's clock was set.
    private func follow(_ step: Double, _ fleet: Fleet) {
        suspicion.reset()
        shared.metrics.withLock { $0.isClockSuspected = false }
        // A silence from before the start was measured by two clocks, of which one was wrong.
        for vehicle in fleet.vehicles.values {
            timers.shorten(vehicle, by: abs(step))
            watchTimers.shorten(vehicle, by: abs(step))
        }
    }

    private func suspect(_ tally: FleetTally) {
        let before = suspicion.isRaised
        suspicion.note(tally)
        let isRaised = suspicion.isRaised
        guard isRaised != before else { return }
        shared.metrics.withLock { $0.isClockSuspected = isRaised }
        if isRaised {
            shared.log.error("all positions are refused for their time: set this machine's clock")
        }
    }

    /// Publishes the progress of the vehicles whose turn it is.
    private func announce(_ fleet: Fleet, _ now: Double) {
        let due = pace.due(now)
        guard !due.isEmpty else { return }
        shared.outgoing.append(due.compactMap { fleet.progress(of: $0) })
    }

    /// Publishes again what the broker may have lost, while there is little else on its way.
    private func reannounce(_ fleet: Fleet, _ now: Double) {
        guard shared.isTracking else { return }
        if let extent = shared.reannouncement.take() { reannouncement.begin(extent, fleet) }
        guard !reannouncement.isEmpty, shared.outgoing.count < limits.quietOutgoing,
            shared.metrics.withLock({ $0.publishBacklog }) < limits.quietOutgoing
        else { return }
        shared.outgoing.append(reannouncement.next(fleet, now))
    }

    /// Spools what the timers say.
    private func ring(_ fleet: Fleet, _ now: Double) {
        // What is spooled already may still end a silence.
        guard shared.isTracking, !shared.isStopping, fleet.position >= shared.tail.end else {
            return
        }
        let listening = shared.listening.withLock { $0 }
        for entry in timers.due(now, listening, at: clock.now) { shared.inbox.post(entry) }
        guard listening.isSettled(after: fleet.settle, at: now) else { return }
        for entry in watchTimers.due(fleet.book.surroundings, uptime: now) {
            shared.inbox.post(entry)
        }
        // Said again a second later when it was lost.
        if roadWait(fleet) <= 0, now >= spokeOfRoads + 1 {
            spokeOfRoads = now
            shared.inbox.post(.roadClock(at: clock.now))
        }
    }

    /// Seconds until the next roadblock begins or ends.
    private func roadWait(_ fleet: Fleet) -> Double {
        fleet.nextRoadChange.map { $0.elapsed(since: clock.now) } ?? .infinity
    }

    /// Notes when vehicles were heard, and plans when the clock speaks for them next.
    private func watch(_ fleet: Fleet, _ now: Double) {
        let wall = clock.now
        for vehicle in fleet.outbox.watched {
            plan(vehicle, fleet, wall, now)
        }
    }

    private func plan(_ vehicle: Vehicle, _ fleet: Fleet, _ wall: Timestamp, _ now: Double) {
        if let heard = vehicle.watch.lastReception, heard != vehicle.watchTimer.heard {
            // What is worked through late was received earlier; a clock that was set back changes nothing.
            vehicle.watchTimer.heardAt = now - max(wall.elapsed(since: heard), 0)
            vehicle.watchTimer.heard = heard
        }
        watchTimers.add(vehicle, fleet.book.surroundings, uptime: now)
    }

    /// Returns whether tracking may go on.
    private func handOver(_ fleet: Fleet) -> Bool {
        let handover = shared.handover
        // The store found that they do not follow on what the tables hold.
        if handover.flow == .lost, fleet.changes != nil { fleet.dropChanges() }
        if fleet.changes == nil {
            if handover.flow == .wanted {
                fleet.changes = StoreChanges(from: fleet.position)
                handover.flow = .joined(from: fleet.position)
                shared.store.raise()
            }
            return true
        }
        if handover.isFree, let changes = fleet.takeChanges() {
            _ = handover.offer(changes)
            shared.store.raise()
            return true
        }
        guard fleet.changesWeight > limits.maxChanges else { return true }
        // A database that is only slow is waited for; then the broker keeps what is not taken.
        if clock.uptime - handover.storeSeenAt < limits.storePatience { return false }
        fleet.dropChanges()
        handover.flow = .lost
        shared.log.warning(
            "the database is away: its rows will be made again from the spool",
            ["position": "\(fleet.position)"])
        return true
    }

    /// The time now, by the machine's clock or the database's: by the one that makes silences shorter, as one of
    /// the two may be wrong.
    private var earliestNow: Timestamp {
        let now = clock.now
        let ahead = shared.metrics.withLock { $0.clockDifference(clock) } ?? 0
        return ahead > WorkerMetrics.tolerance ? now.advanced(by: -ahead) : now
    }

    /// Once the spool is worked through for the first time, asks again what was being asked.
    private func finishReplay(_ fleet: Fleet) {
        guard !shared.isTracking, fleet.position >= replayEnd else { return }
        let now = earliestNow
        for vehicle in fleet.vehicles.values {
            guard let trip = vehicle.trip else { continue }
            timers.resume(
                vehicle, silence: now.elapsed(since: trip.lastReception), clock.uptime,
                at: clock.now)
        }
        watchTimers.begin(clock.uptime)
        for vehicle in fleet.vehicles.values { plan(vehicle, fleet, now, clock.uptime) }
        if fleet.settings.planner == .engine {
            shared.questions.append(fleet.openQuestions)
        }
        shared.isTracking = true
        // The broker may have lost what it had, or have been another one, while nobody was here to notice.
        shared.reannouncement.ask(.everything)
        shared.outgoing.signal.raise()
        shared.log.info(
            "tracking",
            [
                "vehicles": "\(fleet.vehicles.count)", "trips": "\(fleet.activeTrips)",
                "position": "\(fleet.position)",
            ])
    }
}

/// The tracking stage's bounds.
package struct TrackingLimits: Sendable {
    /// Rows that are collected for the store before tracking waits or drops them.
    package var maxChanges = 50_000
    /// Seconds without a sign of the database after which it counts as away.
    package var storePatience = 3.0
    /// Most batches in a turn.
    package var batches = 32
    /// Bytes that are read from the spool at once.
    package var readBytes = 4 << 20
    /// Messages on their way to the broker below which the retained ones may be published again.
    package var quietOutgoing = 100
    /// Seconds between two progress messages of a vehicle.
    package var progressInterval = 1.0

    package init() {}
}
