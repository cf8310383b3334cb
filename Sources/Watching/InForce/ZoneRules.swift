public import Tracking

/// The rules of one time zone: the only thing that a watch asks of the outside.
public protocol ZoneRules: Sendable {
    /// Returns how many seconds the zone's clocks are ahead of UTC at a moment; negative west of Greenwich.
    func offset(at moment: Timestamp) -> Int
}

extension ActiveHours {
    /// Whether a moment belongs to them: rule W9.
    ///
    /// The end of a window does not belong to it.
    ///
    /// - Parameter rules: Those of the zone; without any, all hours of the week belong to them.
    func contains(_ moment: Timestamp, in rules: (any ZoneRules)?) -> Bool {
        if let since, moment < since { return false }
        if let until, moment >= until { return false }
        guard let rules, !weekly.isEmpty else { return true }
        let clock = LocalClock(zone: rules)
        let today = clock.day(at: moment)
        return weekly.contains { window in
            [today - 1, today].contains { day in
                guard window.days & (1 << LocalClock.weekday(of: day)) != 0 else { return false }
                let (from, to) = (Int64(window.from), Int64(window.to))
                return clock.moment(day, minute: from) <= moment
                    && moment < clock.moment(day, minute: to > from ? to : to + 1440)
            }
        }
    }
}

/// Wall times of a zone as moments.
private struct LocalClock {
    let zone: any ZoneRules

    /// The local day of a moment, counted from 1970-01-01.
    func day(at moment: Timestamp) -> Int64 {
        let local = moment.microseconds + Int64(zone.offset(at: moment)) * 1_000_000
        return Self.floor(local, over: 86_400_000_000)
    }

    /// The day of the week, 0 for Monday.
    static func weekday(of day: Int64) -> Int64 { day + 3 - floor(day + 3, over: 7) * 7 }

    /// The moment of a wall time, by minutes from a day's midnight.
    ///
    /// Of times that a clock change doubles it is the first; for those that it skips, the change itself.
    func moment(_ day: Int64, minute: Int64) -> Timestamp {
        let local = day * 86_400 + minute * 60
        // Clocks do not change twice within two days.
        let before = offset(at: local - 86_400)
        let after = offset(at: local + 86_400)
        let early = local - before
        if offset(at: early) == before { return Self.timestamp(early) }
        let late = local - after
        if offset(at: late) == after { return Self.timestamp(late) }
        return Self.timestamp(change(from: before, between: late, and: early))
    }

    /// The first second of the interval in which the clocks do not show `offset` any more.
    private func change(from offset: Int64, between start: Int64, and end: Int64) -> Int64 {
        var (low, high) = (start, end)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if self.offset(at: middle) == offset { low = middle } else { high = middle }
        }
        return high
    }

    private func offset(at seconds: Int64) -> Int64 {
        Int64(zone.offset(at: Self.timestamp(seconds)))
    }

    private static func timestamp(_ seconds: Int64) -> Timestamp {
        Timestamp(microseconds: seconds * 1_000_000)
    }

    private static func floor(_ value: Int64, over divisor: Int64) -> Int64 {
        value >= 0 ? value / divisor : -((divisor - 1 - value) / divisor)
    }
}
