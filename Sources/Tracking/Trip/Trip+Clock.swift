/// What a step of the machine's clock does to a trip.
extension Trip {
    /// Follows the machine's clock, which was set.
    ///
    /// Receptions are moved with it, so that pauses last as long as they would have. Fixes that lie in the future
    /// of the new time bear the wrong clock's time too, and are moved with it: else the trip would be deaf until
    /// that time comes.
    /// - Parameters:
    ///   - seconds: How far it was set forward; negative when it was set back.
    ///   - now: The new time.
    public mutating func followClock(by seconds: Double, to now: Timestamp) {
        lastReception = lastReception.advanced(by: seconds)
        requests.followClock(by: seconds)
        roads?.followClock(by: seconds)
        let limit = now.advanced(by: options.maxFutureSkew)
        if asOf > limit { asOf = asOf.advanced(by: seconds) }
        filter.followClock(by: seconds, limit)
        guard let newest, newest.time > limit else { return }
        self.newest?.time = newest.time.advanced(by: seconds)
        matcher.followClock(by: seconds)
        dwell.followClock(by: seconds)
        pace.followClock(by: seconds)
    }
}

extension Trip {
    /// The assignment's time, for what belongs to the trip; the last reception where that is earlier, as it is
    /// once a clock that was ahead at the assignment has been set right.
    var belongsFrom: Timestamp { min(assignedAt, lastReception) }
}

extension RequestLine {
    fileprivate mutating func followClock(by seconds: Double) {
        let open = open.map { open in
            Open(question: open.question, since: open.since.advanced(by: seconds))
        }
        self = RequestLine(
            lastNumber: lastNumber, open: open, pausedUntil: pausedUntil?.advanced(by: seconds),
            failures: failures, trial: trial?.advanced(by: seconds))
    }
}

extension RoadState {
    fileprivate mutating func followClock(by seconds: Double) {
        nextQuestion = nextQuestion?.advanced(by: seconds)
        if let until = offer?.proposal.validUntil {
            offer?.proposal.validUntil = until.advanced(by: seconds)
        }
        for index in declined.indices {
            declined[index].until = declined[index].until.advanced(by: seconds)
        }
    }
}

extension UsabilityFilter {
    fileprivate mutating func followClock(by seconds: Double, _ limit: Timestamp) {
        guard let spike, spike.time > limit else { return }
        self = UsabilityFilter(
            spike: Whereabouts(
                coordinate: spike.coordinate, time: spike.time.advanced(by: seconds)))
    }
}

extension RouteMatcher {
    fileprivate mutating func followClock(by seconds: Double) {
        guard hypotheses.count > 0 else { return }
        var lastGood = lastGood
        lastGood.time = lastGood.time.advanced(by: seconds)
        self = RouteMatcher(
            hypotheses: hypotheses, time: time.advanced(by: seconds), lastGood: lastGood)
    }
}

extension DwellClock {
    fileprivate mutating func followClock(by seconds: Double) {
        self = DwellClock(hasBeenFar: hasBeenFar, since: since?.advanced(by: seconds))
    }
}

extension Pace {
    fileprivate mutating func followClock(by seconds: Double) {
        self = Pace(speed: speed, last: last?.advanced(by: seconds))
    }
}
