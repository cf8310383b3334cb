import Spool
import Store
import Synchronization
import Tracking

/// Writes what the tracking stage hands over, and brings the tables up to date from the spool where that
/// was dropped.
package final class StoreStage {
    private let database: any Database
    private let shared: WorkerState
    private let spool: any SpoolReading
    private let clock: any WorkerClock
    private let limits: StoreLimits
    private let identity: StoreIdentity
    private var session: (any DatabaseSession)?
    /// Handed over, and not known to be committed.
    private var pending: StoreBatch?
    /// Makes the rows that were dropped while the database was away.
    private var catchUp: Fleet?
    /// The spool position that the tables hold; `nil` before the first claim.
    private var checkpoint: Int64?
    private var health: StoreHealth
    private var committedAt = 0.0
    private var heardAt = 0.0
    /// Seconds of uptime at which the next round of maintenance is due.
    private var maintainAt = 0.0

    /// Creates a stage that is not connected yet.
    package init(
        database: any Database, shared: WorkerState, spool: any SpoolReading,
        clock: any WorkerClock, limits: StoreLimits, identity: StoreIdentity
    ) {
        self.database = database
        self.shared = shared
        self.spool = spool
        self.clock = clock
        self.limits = limits
        self.identity = identity
        health = StoreHealth(limits)
    }

    /// One turn: connects when due, and writes what there is.
    ///
    /// - Returns: Seconds until there is something to do besides what a signal tells.
    package func step() -> Double {
        do {
            guard let session = try session ?? connect() else {
                return max(health.retryAt - clock.uptime, 0.01)
            }
            shared.hasTriedStore = true
            return try work(session)
        } catch {
            lose(error)
            shared.hasTriedStore = true
            return max(health.retryAt - clock.uptime, 0.01)
        }
    }

    /// Whether everything handed over is committed, acknowledgements by the broker included.
    package var isIdle: Bool {
        pending == nil && catchUp == nil && shared.handover.isFree
            && shared.handover.flow == .flowing
            && !shared.acknowledgements.hasAny(upTo: checkpoint ?? 0)
    }

    /// Gives the database up, so that another worker need not wait for this one's silence.
    package func stop() {
        do {
            try session?.release()
        } catch {
            shared.log.warning("cannot give the database up", ["error": error.message])
        }
    }

    private func work(_ session: any DatabaseSession) throws -> Double {
        if pending != nil {
            try commitPending(session)
        } else if clock.uptime >= maintainAt {
            // Also under steady traffic: a round is bounded.
            try maintain(session)
        } else if case let early = committedAt + limits.commitInterval - clock.uptime, early > 0,
            !shared.isStopping
        {
            // A moment's patience makes one transaction of many under a light load.
            return early
        } else if let changes = takeChanges() {
            pending = changes.batch(spoolID: identity.spoolID, published: shared.publishedPosition)
            try commitPending(session)
        } else if let fleet = catchUp {
            try advance(fleet, session)
        } else if isBehind {
            catchUp = try load(session, at: checkpoint ?? 0, isLive: false).fleet
        } else {
            return try idle(session)
        }
        return 0
    }

    /// Whether rows have to be made again from the spool.
    private var isBehind: Bool {
        switch shared.handover.flow {
        case .flowing: return false
        case .lost, .wanted: return true
        case .joined(let from):
            if from == checkpoint { shared.handover.flow = .flowing }
            return from != checkpoint
        }
    }

    /// Takes what was handed over, if it follows on what the tables hold.
    private func takeChanges() -> StoreChanges? {
        guard catchUp == nil, let from = shared.handover.offeredFrom else { return nil }
        if case .joined = shared.handover.flow, from != checkpoint { return nil }
        let changes = shared.handover.take()
        shared.tracking.raise()
        if from == checkpoint { return changes }
        shared.handover.flow = .lost
        return nil
    }

    private func commitPending(_ session: any DatabaseSession) throws(StoreError) {
        guard var batch = pending else { return }
        // A second try keeps what the first one was to say.
        batch.acknowledged += shared.acknowledgements.take(upTo: batch.to)
        pending = batch
        let begun = clock.uptime
        do throws(StoreError) {
            try session.commit(batch)
        } catch  where error.reason == .dataRefused {
            try commitWithoutCulprits(&batch, session, error)
        }
        pending = nil
        checkpoint = batch.to
        shared.savedPosition = min(batch.to, batch.published)
        seen()
        committedAt = begun
        shared.metrics.withLock { $0.committed(batch, seconds: clock.uptime - begun) }
    }

    private func commitWithoutCulprits(
        _ batch: inout StoreBatch, _ session: any DatabaseSession, _ refusal: StoreError
    ) throws(StoreError) {
        var sieve = PoisonSieve(session: session, checkpoint: batch.from, message: message)
        batch = try sieve.cleaned(batch)
        pending = batch
        let count = sieve.count
        shared.log.error(
            "the database refuses rows; their messages are filed as store_refused",
            ["rows": count, "error": count == 0 ? refusal.message : sieve.words])
        try session.commit(batch)
        shared.metrics.withLock { $0.refusedRows += count }
    }

    /// The message that lies at a spool position, as a row that tells of its refusal.
    private func message(at position: Int64) -> RejectedRow? {
        var row: RejectedRow?
        for batch in (try? spool.read(from: position, maxBytes: 1)) ?? [] {
            EntryBatch(batch).forEach(from: position, to: position + 1) { entry in
                row = RejectedRow(entry, reason: "store_refused")
            }
        }
        return row
    }

    private func idle(_ session: any DatabaseSession) throws(StoreError) -> Double {
        let position = checkpoint ?? 0
        if shared.acknowledgements.hasAny(upTo: position)
            || shared.publishedPosition > shared.savedPosition,
            shared.isStopping || clock.uptime - committedAt > limits.acknowledgementInterval
        {
            pending = StoreBatch(
                spoolID: identity.spoolID, from: position, to: position,
                published: min(shared.publishedPosition, position))
            return 0
        }
        if clock.uptime - heardAt >= limits.heartbeatInterval {
            try session.heartbeat()
            seen()
        }
        return limits.acknowledgementInterval
    }

    /// One round of making partitions and deleting old rows; soon another one where that was not all.
    private func maintain(_ session: any DatabaseSession) throws(StoreError) {
        do throws(StoreError) {
            let report = try session.maintain(now: clock.now.microseconds)
            note(report.now)
            if report.isSuspended, !shared.metrics.withLock({ $0.isRetentionSuspended }) {
                shared.log.error(
                    "this machine's clock and the database's are a day apart: nothing old is deleted"
                )
            }
            shared.metrics.withLock { $0.isRetentionSuspended = report.isSuspended }
            let pause = report.isComplete ? limits.maintenanceInterval : limits.nextRoundInterval
            maintainAt = clock.uptime + pause
        } catch  where StoreTrouble(error) == .failing && error.reason != .fenced {
            // What vehicles send is more urgent, and may well be written.
            maintainAt = clock.uptime + limits.maintenancePause
            shared.log.error("cannot maintain the tables", ["error": error.description])
            return
        }
        seen()
    }

    private func seen() {
        heardAt = clock.uptime
        if health.succeed(at: clock.uptime) {
            shared.log.info("the database does its work again", [:])
        }
        shared.handover.storeSeenAt = clock.uptime
        shared.metrics.withLock {
            $0.isDatabaseConnected = true
            $0.databaseTrouble = nil
        }
    }
}

// Connecting, and what to do with what was under way.
extension StoreStage {
    private func connect() throws -> (any DatabaseSession)? {
        guard clock.uptime >= health.retryAt else { return nil }
        let session = try database.connect()
        let claim: StoreConnection.Claim
        do throws(StoreError) {
            claim = try session.claim(
                spoolID: identity.spoolID, takeOver: identity.takesOver && checkpoint == nil)
        } catch {
            if error.reason == .readOnly, checkpoint == nil {
                // Tracking needs the state, and not yet the right to write.
                try begin(with: try session.look(spoolID: identity.spoolID), session)
            }
            throw error
        }
        note(claim.now)
        try begin(with: claim.checkpoint, session)
        self.session = session
        health.connect(at: clock.uptime)
        if !health.isFailing {
            shared.log.info("connected to the database", ["checkpoint": "\(checkpoint ?? 0)"])
            seen()
        }
        return session
    }

    /// Notes what time the database has, and says when it is another one than ours.
    private func note(_ databaseNow: Microseconds?) {
        guard let databaseNow else { return }
        let origin = Double(databaseNow) / 1e6 - clock.uptime
        let ahead = shared.metrics.withLock { metrics in
            metrics.databaseOrigin = origin
            return metrics.clockDifference(clock) ?? 0
        }
        guard abs(ahead) > WorkerMetrics.tolerance else { return }
        shared.log.warning(
            "this machine's clock and the database's differ: set one of them",
            ["ahead_by_s": ahead.rounded()])
    }

    /// Goes on from what the tables hold of the spool.
    private func begin(
        with known: StoreConnection.Checkpoint?, _ session: any DatabaseSession
    ) throws {
        let held = try position(of: known, session)
        if checkpoint == nil {
            shared.handover.restore(try restored(known, session, at: held))
            shared.tracking.raise()
        } else {
            resume(at: held)
        }
        checkpoint = held
        // Nothing may have to be written before the spool can be trimmed: there may be no room to spool it.
        shared.savedPosition = min(held, max(known?.published ?? held, shared.publishedPosition))
    }

    /// The position to go on from, unless the spool does not have it.
    private func position(
        of known: StoreConnection.Checkpoint?, _ session: any DatabaseSession
    ) throws -> Int64 {
        let held = known?.position ?? 0
        let start = shared.spoolStart
        if held > shared.tail.end {
            throw StoreMismatch(
                message: "the database holds spool position \(held), but this spool ends at "
                    + "\(shared.tail.end): it is an older copy of the spool. Restore the newer one, or "
                    + "move this folder away to begin a new spool")
        }
        guard held < start else { return held }
        guard identity.acceptsGap else {
            throw StoreMismatch(
                message: "the database holds spool position \(held), but this spool begins at "
                    + "\(start): entries \(held) to \(start - 1) are in neither. Restore a newer "
                    + "database, or run once with --accept-gap to go on without them")
        }
        shared.log.error(
            "going on without lost entries", ["from": "\(held)", "to": "\(start - 1)"])
        try session.commit(
            StoreBatch(spoolID: identity.spoolID, from: held, to: start, published: start))
        return start
    }

    private func resume(at held: Int64) {
        catchUp = nil
        if let batch = pending {
            if batch.to == held, batch.from != held {
                // The commit whose answer was lost had succeeded.
                pending = nil
                return
            }
            if batch.from == held { return }
            shared.acknowledgements.append(batch.acknowledged, position: batch.to)
            pending = nil
        } else if held == checkpoint {
            return
        }
        shared.log.warning(
            "the database holds another position than before; making its rows again",
            ["position": "\(held)"])
        if shared.handover.flow == .flowing { shared.handover.flow = .lost }
    }

    private func load(
        _ session: any DatabaseSession, at position: Int64, isLive: Bool,
        settings: [UInt8]? = nil, published: Int64 = 0
    ) throws -> RestoredFleet {
        let known = try settings.map { try FleetSettings($0) } ?? identity.settings
        let fleet = Fleet(
            position: position, spoolID: identity.spoolID, settings: known, isLive: isLive)
        var unpublished: [Publication] = []
        var failure: (any Error)?
        try session.loadState { item in
            do {
                if case .unpublishedEvent(let row) = item {
                    unpublished.append(fleet.publication(of: row, published: published))
                } else {
                    try fleet.take(item)
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        fleet.changes = StoreChanges(from: position)
        return RestoredFleet(fleet: fleet, unpublished: unpublished, published: published)
    }

    private func restored(
        _ known: StoreConnection.Checkpoint?, _ session: any DatabaseSession, at position: Int64
    ) throws -> RestoredFleet {
        let published = max(known?.published ?? position, shared.spoolStart)
        return try load(
            session, at: position, isLive: true, settings: known?.settings,
            published: min(published, position))
    }

    private func advance(_ fleet: Fleet, _ session: any DatabaseSession) throws {
        let goal: Int64
        switch shared.handover.flow {
        case .joined(let from): goal = from
        case .flowing, .lost, .wanted: goal = shared.trackedPosition ?? fleet.position
        }
        while fleet.position < goal, fleet.changesWeight < limits.catchUpRows {
            let batches = try spool.read(from: fleet.position, maxBytes: limits.readBytes)
            guard !batches.isEmpty else { break }
            for batch in batches { fleet.apply(EntryBatch(batch), to: goal) }
        }
        if let changes = fleet.takeChanges() {
            pending = changes.batch(spoolID: identity.spoolID, published: shared.publishedPosition)
            return
        }
        if case .joined(let from) = shared.handover.flow, fleet.position >= from {
            catchUp = nil
            shared.handover.flow = .flowing
            shared.log.info("the database is up to date again", ["position": "\(from)"])
        } else if shared.handover.flow == .lost {
            shared.handover.flow = .wanted
            shared.tracking.raise()
        }
    }

    private func lose(_ error: any Error) {
        session = nil
        catchUp = nil
        let pause = health.fail(at: clock.uptime)
        if let error = error as? SpoolError, error.isTransient {
            return shared.log.error("cannot read the spool", ["error": error.message])
        }
        guard let error = error as? StoreError else { return shared.fail("\(error)") }
        if error.reason == .fenced || error.reason == .conflict
            || checkpoint == nil && !error.isTransient
        {
            return shared.fail(error.description)
        }
        let trouble = StoreTrouble(error)
        shared.metrics.withLock {
            $0.isDatabaseConnected = false
            $0.databaseTrouble = "\(trouble.words) (\(error.message))"
            $0.databaseFailures += 1
        }
        shared.log.tell(trouble, error, retryIn: pause)
    }
}
