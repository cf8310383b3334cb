import Geometry
import Tracking

/// What becomes true of a vehicle's speed.
enum SpeedChange: Equatable, Sendable {
    /// It is too fast, and has been so for long enough.
    case began(Speeding)
    /// It no longer is.
    case ended(SpeedingEnd)
}

/// Tells when a vehicle is too fast: rules S2 and S4 to S6.
struct SpeedWatch: Equatable, Sendable {
    /// What the vehicle is doing.
    enum State: Equatable, Sendable {
        /// It keeps to the limits, or there are none; a fix over leads to `counting`.
        case lawful
        /// It is over; having been so for long enough leads to `speeding`, one fix that is not back to `lawful`.
        indirect case counting(Excess)
        /// It was told; a lawful fix, a gap or the end of all limits leads to `lawful`.
        indirect case speeding(SpeedingStart, Excess)
    }

    private(set) var state = State.lawful
    /// The newest fixes, from the one that the next is measured from.
    private(set) var spots = SpeedSpots()
    /// The limit at the newest fix, in metres per second; `nil` where none is known.
    @Compact private(set) var limit: Double? = nil
    /// When the last episode began: two never begin at the same time.
    @Compact private(set) var lastBeginning: Timestamp? = nil

    init() {}

    init(state: State, spots: SpeedSpots, limit: Double?, lastBeginning: Timestamp?) {
        self.state = state
        self.spots = spots
        self.limit = limit
        self.lastBeginning = lastBeginning
    }

    /// Whether an episode goes on that was told.
    var isSpeeding: Bool {
        if case .speeding = state { return true }
        return false
    }

    /// When the clock would end an episode, in the vehicle's own time; `nil` without one.
    ///
    /// - Parameter newest: Time of the last usable fix.
    func deadline(after newest: Timestamp, _ settings: WatchSettings) -> Timestamp? {
        // Longer than the greatest gap, not just as long.
        isSpeeding ? newest.advanced(by: settings.speedGap + 1e-6) : nil
    }

    /// Ends an episode of a vehicle that has been silent for too long.
    ///
    /// - Parameters:
    ///   - now: The vehicle's own time.
    ///   - newest: Time of its last usable fix.
    mutating func look(
        at now: Timestamp, after newest: Timestamp, _ settings: WatchSettings
    ) -> [SpeedChange] {
        guard let deadline = deadline(after: newest, settings), now >= deadline else { return [] }
        return end()
    }

    /// Judges a usable fix.
    ///
    /// - Parameters:
    ///   - speed: As reported, where that can be believed; `nil` otherwise.
    ///   - limit: That at the fix; `nil` where none is known.
    mutating func judge(
        _ step: Step, speed: Double?, limit: SpeedLimit?, settings: WatchSettings
    ) -> [SpeedChange] {
        self.limit = limit?.value
        if limit == nil, step.now.match == nil, spots.isEmpty, case .lawful = state { return [] }
        let base = spots.base(for: step.now.time)
        var changes: [SpeedChange] = []
        if let limit {
            let bound = base?.bound(to: step, limit: limit, settings)
            if let gap = step.gap, gap > settings.speedGap, !(bound?.isOver ?? false) {
                changes += end()
            }
            let judgement = Judgement(
                speed: speed, limit: limit, bound: bound, isNews: isNews(since: base?.time),
                settings)
            changes += take(judgement, step, settings)
        } else {
            changes += end()
        }
        spots.add(SpeedSpot(step, limit: limit))
        return changes
    }

    /// Whether a way that began at `time` tells more than the fixes that are known to be over.
    ///
    /// Otherwise the average of the last seconds would show an excess that the reported speeds say has ended.
    private func isNews(since time: Timestamp?) -> Bool {
        switch state {
        case .lawful: true
        case .counting(let excess), .speeding(_, let excess):
            (time ?? excess.until) >= excess.until
        }
    }

    private mutating func take(
        _ judgement: Judgement, _ step: Step, _ settings: WatchSettings
    ) -> [SpeedChange] {
        switch state {
        case .lawful:
            guard let reading = judgement.readings.last else { return [] }
            var excess = Excess(reading, at: step, from: start(of: reading, step))
            excess.raise(judgement.readings, at: step.now.coordinate)
            return count(excess, judgement, step, settings)
        case .counting(var excess):
            guard !judgement.readings.isEmpty || judgement.isNeutral else { return endLawfully() }
            excess.go(on: step, judgement.readings)
            return count(excess, judgement, step, settings)
        case .speeding(let start, var excess):
            guard !judgement.isLawful else { return endLawfully() }
            excess.go(on: step, judgement.readings)
            state = .speeding(start, excess)
            return []
        }
    }

    /// The fix before, where the way from there is over; `nil` where only the fix itself is.
    private func start(of reading: SpeedReading, _ step: Step) -> Whereabouts? {
        guard reading.basis == .distance, let before = step.before,
            before.time != lastBeginning
        else { return nil }
        return before
    }

    /// Tells an excess that has lasted long enough, and else goes on counting.
    private mutating func count(
        _ excess: Excess, _ judgement: Judgement, _ step: Step, _ settings: WatchSettings
    ) -> [SpeedChange] {
        guard let reading = judgement.readings.first,
            step.now.time.elapsed(since: excess.since) >= settings.speedDuration
        else {
            state = .counting(excess)
            return []
        }
        let start = SpeedingStart(
            speed: reading.speed, basis: reading.basis, limit: excess.limit.value,
            limitFrom: excess.limit.source, place: excess.limit.place, since: excess.since)
        state = .speeding(start, excess)
        lastBeginning = excess.since
        return [.began(Speeding(start: start, location: excess.topLocation))]
    }

    /// Ends what goes on by a fix that says so: what was driven before it begins nothing new.
    private mutating func endLawfully() -> [SpeedChange] {
        spots.forget()
        return end()
    }

    /// Ends what goes on; only an episode that was told is told to end.
    private mutating func end() -> [SpeedChange] {
        defer { state = .lawful }
        guard case .speeding(let start, let excess) = state else { return [] }
        return [.ended(excess.end(start))]
    }
}
