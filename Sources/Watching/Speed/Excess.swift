import Geometry
import Tracking

/// A fix over a limit: how fast, how that is known, and over which limit.
struct SpeedReading: Equatable, Sendable {
    /// Metres per second.
    var speed: Double
    var basis: SpeedBasis
    var limit: SpeedLimit
}

/// A stretch over the limit.
struct Excess: Equatable, Sendable {
    /// When it began.
    let since: Timestamp
    /// The limit with which it began.
    let limit: SpeedLimit
    /// The last fix over.
    private(set) var until: Timestamp
    /// Metres driven up to there.
    private(set) var distance: Double
    /// Metres driven since.
    private(set) var wayOn = 0.0
    /// The greatest speed, in metres per second.
    private(set) var topSpeed: Double
    /// The most above the limit of the moment, in metres per second.
    private(set) var topExcess: Double
    /// Where that was.
    private(set) var topLocation: Coordinate

    /// Begins with a fix over.
    ///
    /// - Parameter start: The fix before, where the way from there is over; `nil` where only the fix itself is.
    init(_ reading: SpeedReading, at step: Step, from start: Whereabouts?) {
        since = start?.time ?? step.now.time
        limit = reading.limit
        until = step.now.time
        distance = start == nil ? 0 : step.way
        topSpeed = reading.speed
        topExcess = reading.speed - reading.limit.value
        topLocation = step.now.coordinate
    }

    init(
        since: Timestamp, limit: SpeedLimit, until: Timestamp, distance: Double, wayOn: Double,
        topSpeed: Double, topExcess: Double, topLocation: Coordinate
    ) {
        self.since = since
        self.limit = limit
        self.until = until
        self.distance = distance
        self.wayOn = wayOn
        self.topSpeed = topSpeed
        self.topExcess = topExcess
        self.topLocation = topLocation
    }

    /// Goes on with a later fix, over or not.
    mutating func go(on step: Step, _ readings: [SpeedReading]) {
        wayOn += step.way
        guard !readings.isEmpty else { return }
        until = step.now.time
        distance += wayOn
        wayOn = 0
        raise(readings, at: step.now.coordinate)
    }

    /// Takes note of how far over a fix is.
    mutating func raise(_ readings: [SpeedReading], at location: Coordinate) {
        for reading in readings {
            topSpeed = max(topSpeed, reading.speed)
            let excess = reading.speed - reading.limit.value
            guard excess > topExcess else { continue }
            topExcess = excess
            topLocation = location
        }
    }

    /// How it ends as an episode.
    func end(_ start: SpeedingStart) -> SpeedingEnd {
        SpeedingEnd(
            start: start, until: until, distance: distance, topSpeed: topSpeed,
            topExcess: topExcess, topLocation: topLocation)
    }
}
