import Geometry
import Tracking

/// Why a fix does nothing.
public enum FixObjection: String, CaseIterable, Sendable {
    /// At 0,0 or out of range.
    case invalidCoordinate = "invalid_coordinate"
    /// Too far ahead of its reception.
    case inFuture = "in_future"
    /// Not newer than the last usable one.
    case notNewer = "not_newer"
    /// The device calls the position invalid, or worse than allowed.
    case inaccurate
    /// Not to be reached in the time since the last usable place.
    case spike
}

/// Decides whether a fix is usable: rule W1.
///
/// Unlike a trip's filter it forgets at once what is not usable, but for the last spike.
struct FixFilter: Equatable, Sendable {
    /// A place where the vehicle may have been, and when.
    struct Sighting: Equatable, Sendable {
        var coordinate: Coordinate
        var time: Timestamp

        /// Whether `fix` is later, and can be reached from here at no more than `speed`.
        func reaches(_ fix: Fix, at speed: Double) -> Bool {
            let seconds = fix.time.elapsed(since: time)
            return seconds > 0 && coordinate.distance(to: fix.coordinate) <= speed * seconds
        }
    }

    /// The spike that a second one would confirm.
    @Seldom private(set) var spike: Sighting? = nil

    init() {}

    init(spike: Sighting?) { self.spike = spike }

    /// Judges a fix; `nil` when it is usable.
    ///
    /// - Parameters:
    ///   - newest: The last usable fix.
    ///   - way: Set to the metres from there to a usable fix.
    mutating func objection(
        to fix: Fix, after newest: Whereabouts?, received: Timestamp, settings: WatchSettings,
        way: inout Double
    ) -> FixObjection? {
        guard fix.coordinate.isValid, !fix.coordinate.isNullIsland else {
            return .invalidCoordinate
        }
        if fix.time.elapsed(since: received) > settings.maxFutureSkew { return .inFuture }
        if let newest, fix.time <= newest.time { return .notNewer }
        if let accuracy = fix.accuracy, accuracy < 0 || accuracy > settings.maxAccuracy {
            return .inaccurate
        }
        if let newest {
            way = newest.coordinate.distance(to: fix.coordinate)
            if way > settings.maxSpeed * fix.time.elapsed(since: newest.time),
                !(spike?.reaches(fix, at: settings.maxSpeed) ?? false)
            {
                spike = Sighting(coordinate: fix.coordinate, time: fix.time)
                return .spike
            }
        }
        if spike != nil { spike = nil }
        return nil
    }
}
