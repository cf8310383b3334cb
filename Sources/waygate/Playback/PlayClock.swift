/// Counts the seconds of playing, without those of a pause.
struct PlayClock {
    /// A longer step is none of playing: the process had been stopped, or the machine slept.
    private static let longestStep = 2.0

    /// Seconds of playing.
    private(set) var seconds = 0.0
    private var last: ContinuousClock.Instant?

    /// Goes on to `now`.
    mutating func tick(_ now: ContinuousClock.Instant, isPaused: Bool) {
        defer { last = now }
        guard let last, !isPaused else { return }
        let step = last.duration(to: now) / .seconds(1)
        if step <= Self.longestStep { seconds += step }
    }
}
