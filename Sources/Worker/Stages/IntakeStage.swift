import MQTT
package import Spool
import Synchronization
import Tracking

/// Takes messages from the broker into the spool, and acknowledges what is durable.
///
/// Nothing leaves for the broker while a message that was read is not synced: a failed write closes the
/// connection without a byte, and the broker delivers again.
package final class IntakeStage {
    private let connection: any IntakeConnection
    private let spool: any SpoolWriting
    private let shared: WorkerState
    private let clock: any WorkerClock
    private let limits: IntakeLimits
    private var batch = EntryBatch()
    private var marks: [Mark] = []
    private var redelivered: Redelivered
    /// Entries of the worker's own in the batch, kept until they are durable.
    private var own: [OwnEntry] = []
    /// Seconds of uptime at which the intake stopped reading; `nil` while it reads.
    private var pausedSince: Double?
    /// Whether a part of what was read in this turn could not be written.
    private var hasFailed = false
    /// Why the spool cannot be written; `nil` while it can.
    private var trouble: SpoolError?
    /// Whether that was said and nothing was written since.
    private var hasComplained = false
    /// Seconds of uptime before which the spool is not tried again.
    private var retrySpoolAt = 0.0
    private var trimmedAt = 0.0
    private var receptions: ReceptionClock
    /// The clock's origin as the spool remembers it; `nil` where it remembers none of the machine's run.
    private var rememberedOrigin: Double?
    /// Messages read in this turn.
    private var read = 0

    /// Creates a stage that spools `settings` before anything else.
    package init(
        connection: any IntakeConnection, spool: any SpoolWriting, shared: WorkerState,
        clock: any WorkerClock, limits: IntakeLimits, settings: FleetSettings
    ) throws(SpoolError) {
        self.connection = connection
        self.spool = spool
        self.shared = shared
        self.clock = clock
        self.limits = limits
        let memory = try spool.value(ClockMemory.key).flatMap(ClockMemory.init)
        rememberedOrigin =
            memory.flatMap { $0.boot == clock.boot ? $0.origin(at: spool.end) : nil }
        receptions = ReceptionClock(clock, origin: rememberedOrigin)
        redelivered = Redelivered(try spool.marks(), sources: try? settings.sourceTable())
        let (now, step) = receptions.read()
        let stepBefore = try stepSinceAnotherRun(now)
        if let step = step ?? stepBefore {
            shared.inbox.post(ClockStep(seconds: step).entry(at: now))
        }
        shared.inbox.post(
            OwnEntry(
                kind: .settings, receivedAt: clock.now, vehicleID: "",
                payload: settings.encoded()))
    }

    /// By how much the clock was set back since another run of the machine; forward nobody can know.
    private func stepSinceAnotherRun(_ now: Timestamp) throws(SpoolError) -> Double? {
        guard rememberedOrigin == nil, spool.end > spool.start,
            let last = try spool.time(at: spool.end - 1)
        else { return nil }
        let step = now.elapsed(since: Timestamp(microseconds: last))
        return step < -ReceptionClock.tolerance ? step : nil
    }

    /// One turn: reads what has arrived, makes it durable, acknowledges it.
    ///
    /// - Parameter timeout: How long to wait for something to arrive, in milliseconds.
    package func step(timeout: Int32) {
        let shortage = spool.shortage
        look(at: shortage)
        let paused = isPaused(shortage)
        // What could not be written comes again before what is read now: a step of the clock was before it.
        takeOwn()
        let events = connection.turn(
            timeout: shortage == nil ? timeout : min(timeout, limits.shortTurn),
            wake: shared.inbox.signal.descriptor, paused: paused,
            maxMessages: limits.maxMessages, handler: take)
        shared.inbox.signal.clear()
        for event in events { note(event) }
        takeOwn()
        flush()
        trimWhenDue(isShort: shortage != nil)
        let hasMore = paused || read >= limits.maxMessages
        shared.listening.withLock {
            $0.note(isSubscribed: connection.isReady, hasMore: hasMore, at: clock.uptime)
        }
        read = 0
        shared.metrics.withLock {
            $0.spoolBytes = spool.bytes
            $0.isSubscribed = connection.isReady
        }
    }

    /// Says goodbye to the broker once everything read is durable.
    package func stop() {
        flush()
        connection.disconnect()
    }

    /// Takes the worker's own inputs in; answers and time-outs are received now, by the same clock as messages.
    private func takeOwn() {
        let now = reception()
        for var entry in shared.inbox.take() {
            if entry.kind.isReceivedWhenSpooled { entry.receivedAt = now }
            batch.append(entry)
            own.append(entry)
        }
    }

    /// The time of a reception; where the clock was set since the last one, that is an input too, before it.
    private func reception() -> Timestamp {
        let (now, step) = receptions.read()
        if let step {
            shared.log.warning("the machine's clock was set", ["by_s": step])
            let entry = ClockStep(seconds: step).entry(at: now)
            batch.append(entry)
            own.append(entry)
        }
        return now
    }

    private func take(_ message: ReceivedMessage) {
        read += 1
        // What follows a part that is not durable comes again with it.
        guard !hasFailed else { return }
        if message.qos > 0 {
            let digest = Digest.of(message.topic, message.payload)
            if redelivered.recognises(message, digest: digest) {
                shared.metrics.withLock { $0.redelivered += 1 }
                return
            }
            marks.append(Mark(packetID: message.packetID, digest: digest))
        }
        let isTooLarge = message.payload.count > limits.maxPayloadBytes
        batch.append(
            .message, isRetained: message.isRetained, receivedAt: reception(), topic: message.topic,
            payload: isTooLarge
                ? UnsafeRawBufferPointer(rebasing: message.payload.prefix(IntakeLimits.keptPayload))
                : message.payload,
            payloadLength: message.payload.count)
        if batch.bytes.count >= limits.maxBatchBytes { hasFailed = !write() }
    }

    private func note(_ event: SubscriberEvent) {
        switch event {
        case .connected(let sessionPresent, let version):
            shared.log.info(
                "connected to the broker",
                ["version": "\(version)", "session": sessionPresent ? "kept" : "new"])
            redelivered.restart()
            if !sessionPresent { forgetMarks() }
        case .ready:
            shared.log.info("subscribed", [:])
        case .subscriptionRefused(let filter, let error):
            shared.fail(
                "the broker refuses the subscription to \(filter): \(error.message); "
                    + "grant it to the worker")
        case .connectFailed(let error, let retryIn):
            shared.report(error, retryIn: retryIn)
        case .lost(let error, let retryIn):
            shared.metrics.withLock { $0.reconnects["intake", default: 0] += 1 }
            shared.report(error, retryIn: retryIn)
        }
    }

    /// Packet ids of another session say nothing about this one's.
    private func forgetMarks() {
        redelivered.forget()
        do throws(SpoolError) {
            try spool.forgetMarks()
        } catch {
            shared.log.warning("cannot forget the old session's messages", ["error": error.message])
        }
    }

    private func flush() {
        if !hasFailed, write() { return connection.acknowledge() }
        hasFailed = false
        giveBack()
    }

    /// Makes what was collected durable; false when that cannot be done now.
    private func write() -> Bool {
        guard !batch.isEmpty else { return true }
        guard clock.uptime >= retrySpoolAt else { return false }
        do throws(SpoolError) {
            batch.first = try append()
        } catch {
            retrySpoolAt = clock.uptime + 1
            complain(error)
            return false
        }
        shared.tail.append(batch)
        shared.tracking.raise()
        redelivered.remember(marks)
        clear()
        recover()
        if hasComplained {
            shared.log.info("the spool can be written again", [:])
            hasComplained = false
        }
        return true
    }

    /// Notes that the disk has no room, or has it again.
    private func look(at shortage: SpoolError?) {
        if let shortage, shortage.reason == .diskFull {
            if trouble == nil { complain(shortage) }
        } else if trouble?.reason == .diskFull, clock.uptime >= retrySpoolAt {
            recover()
        }
    }

    private func recover() {
        guard trouble != nil else { return }
        trouble = nil
        shared.metrics.withLock { $0.spoolError = nil }
    }

    private func complain(_ error: SpoolError) {
        shared.log.error(
            "cannot write the spool; the intake stops until it can", ["error": error.message])
        let isNew = trouble == nil
        trouble = error
        hasComplained = true
        shared.metrics.withLock {
            $0.spoolError = error.message
            if isNew { $0.spoolFailures += 1 }
        }
    }

    /// Writes down first where the clock stands: the batch may hold the entry that says that it was set.
    private func rememberClock() throws(SpoolError) {
        let origin = receptions.origin
        if let rememberedOrigin,
            abs(origin - rememberedOrigin) <= ReceptionClock.tolerance / 2
        {
            return
        }
        let memory = ClockMemory(
            boot: clock.boot, before: rememberedOrigin ?? origin, after: origin,
            position: spool.end)
        try spool.setValue(ClockMemory.key, memory.bytes)
    }

    private func append() throws(SpoolError) -> Int64 {
        try rememberClock()
        let result = batch.bytes.withUnsafeBytes { bytes in
            Result { () throws(SpoolError) in
                // Only read while there was room, and the worker's own inputs always have some.
                try spool.append(
                    bytes, count: batch.count, at: clock.now.microseconds, marks: marks,
                    isUrgent: true)
            }
        }
        let position = try result.get()
        rememberedOrigin = receptions.origin
        return position
    }

    /// Returns what could not be made durable to where it came from.
    private func giveBack() {
        let mine = own
        if batch.count > mine.count { connection.abandon() }
        clear()
        shared.inbox.putBack(mine)
    }

    private func clear() {
        batch.removeAll()
        marks.removeAll(keepingCapacity: true)
        own.removeAll()
    }

    private func isPaused(_ shortage: SpoolError?) -> Bool {
        let pauses =
            shortage != nil || clock.uptime < retrySpoolAt || shared.isStopping
            || shared.trackingBacklog > limits.maxBacklog
        guard pauses else {
            pausedSince = nil
            return false
        }
        let since = pausedSince ?? clock.uptime
        pausedSince = since
        // Without reading, the keep-alive would end the connection anyway, and less orderly.
        if clock.uptime - since > limits.maxPause { connection.abandon() }
        return true
    }

    private func trimWhenDue(isShort: Bool) {
        guard clock.uptime - trimmedAt >= (isShort ? limits.shortTrimInterval : 1) else { return }
        trimmedAt = clock.uptime
        do throws(SpoolError) {
            try spool.trim(before: shared.savedPosition, keeping: limits.trimMargin)
            shared.spoolStart = spool.start
            let oldest = try spool.time(at: shared.savedPosition)
            shared.metrics.withLock { $0.oldestUnsaved = oldest }
        } catch {
            shared.log.warning("cannot trim the spool", ["error": error.message])
        }
    }
}

/// The intake's bounds.
package struct IntakeLimits: Sendable {
    /// How much of a payload that is too large is kept.
    static let keptPayload = 4096
    /// Most messages in a batch.
    package var maxMessages = 500
    /// Bytes after which what was read becomes a batch of its own: a disk that is nearly full takes it.
    package var maxBatchBytes = 256 << 10
    /// Milliseconds that a turn waits at most while the spool has no room.
    package var shortTurn: Int32 = 100
    /// Seconds between two attempts at trimming meanwhile.
    package var shortTrimInterval = 0.05
    /// Payloads above this many bytes are cut and rejected.
    package var maxPayloadBytes = 262_144
    /// Spooled entries that tracking may lie behind before the intake pauses.
    package var maxBacklog: Int64 = 20_000
    /// Seconds of a pause after which the connection is given up: half the keep-alive.
    package var maxPause = 30.0
    /// Bytes of the spool that are kept behind what the database has, for one restored from a backup.
    package var trimMargin: Int64 = 256 << 20

    package init() {}
}
