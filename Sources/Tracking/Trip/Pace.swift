/// How fast a trip has been getting on in the last minutes, for the time of arrival.
struct Pace: Equatable, Sendable {
    /// After this many seconds, what was before counts for half.
    private static let memory = 120.0
    /// Slower than this, in metres per second, is standing.
    private static let standing = 0.3

    /// Metres per second along the route; `nil` before two matches.
    @Compact private(set) var speed: Double? = nil
    /// When the last match was.
    @Compact private(set) var last: Timestamp? = nil

    init() {}

    init(speed: Double?, last: Timestamp?) {
        self.speed = speed
        self.last = last
    }

    /// Notes a match, `way` metres after the one before it.
    mutating func note(_ way: Double, at time: Timestamp) {
        defer { last = time }
        guard let last else { return }
        let seconds = time.elapsed(since: last)
        guard seconds > 0 else { return }
        let current = max(way, 0) / seconds
        let weight = seconds / (seconds + Self.memory)
        speed = speed.map { $0 + (current - $0) * weight } ?? current
    }

    /// Leaves the time until the next match out: the vehicle was held.
    mutating func pause() {
        last = nil
    }

    /// Seconds for `distance` metres; `nil` when the vehicle stands, or nothing is known.
    func time(for distance: Double) -> Double? {
        guard let speed, speed > Self.standing else { return nil }
        return distance / speed
    }
}
