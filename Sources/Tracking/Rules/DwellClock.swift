/// Measures how long a vehicle stands at its destination: the last part of rule 7.
struct DwellClock: Equatable, Sendable {
    /// Since when its matched fixes have stayed within the radius.
    @Compact private(set) var since: Timestamp? = nil
    /// Whether the vehicle had been farther from the destination than the deviation limit.
    private(set) var hasBeenFar = false

    init() {}

    init(hasBeenFar: Bool, since: Timestamp?) {
        self.hasBeenFar = hasBeenFar
        self.since = since
    }

    /// Notes a usable fix, `distance` from the destination.
    ///
    /// - Parameter distance: Measured only where it matters.
    mutating func note(distance: @autoclosure () -> Double, options: TripOptions) {
        if hasBeenFar, since == nil { return }
        let distance = distance()
        if distance > options.deviationDistance { hasBeenFar = true }
        if distance > options.arrivalRadius { since = nil }
    }

    /// Notes a matched fix within the radius with no via point left, and tells whether that is arrival.
    mutating func stands(at time: Timestamp, options: TripOptions) -> Bool {
        let begun = since ?? time
        since = begun
        return hasBeenFar && time.elapsed(since: begun) >= options.arrivalDwell
    }

    /// Forgets the standing, but not that the vehicle had been away.
    mutating func restart() {
        since = nil
    }
}
