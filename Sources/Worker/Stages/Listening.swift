/// Since when the worker hears what vehicles and dispatchers say; times in seconds of uptime.
///
/// Only then can somebody be called silent: a broker's outage is nobody's silence, and what it has queued
/// comes first.
struct Listening: Equatable, Sendable {
    /// Seconds of a subscription in which no vehicle is called silent: what was queued comes first.
    static let settle = 30.0

    /// When the subscription began; `nil` without one.
    private(set) var subscribedAt: Double?
    /// When the intake first had nothing left to read on it.
    private(set) var drainedAt: Double?

    /// Notes a turn of the intake.
    ///
    /// - Parameter hasMore: Whether it may have left something to read.
    mutating func note(isSubscribed: Bool, hasMore: Bool, at now: Double) {
        guard isSubscribed else {
            self = Listening()
            return
        }
        guard subscribedAt != nil else {
            subscribedAt = now
            return
        }
        if !hasMore, drainedAt == nil { drainedAt = now }
    }

    /// From when on vehicles may be called silent.
    var settledAt: Double { (subscribedAt ?? 0) + Self.settle }

    /// Whether the subscription has lasted for `seconds`, and what was queued is read.
    func isSettled(after seconds: Double, at now: Double) -> Bool {
        guard let subscribedAt, drainedAt != nil else { return false }
        return now - subscribedAt >= seconds
    }
}
