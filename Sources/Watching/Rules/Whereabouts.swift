import Geometry
import Tracking

/// A usable fix as a watch remembers it until the next one.
struct Whereabouts: Equatable, Sendable {
    /// Where the trip found the fix on its route: kept as it was when the fix came.
    struct Match: Equatable, Sendable {
        /// Offset on the route, in metres, not clamped to a leg.
        var offset: Double
        /// The trip, by when it was assigned.
        var assignedAt: Timestamp
        /// The trip's route, by its number.
        var revision: Int32
    }

    /// Farther from the route than this and the accuracy together, the way is not known to be the route.
    static let matchDistance = 15.0

    /// When the device says it was there.
    var time: Timestamp
    /// When that was received.
    var receivedAt: Timestamp
    /// Where the device says it was.
    var coordinate: Coordinate
    /// The device's own error estimate, in metres; `nil` when not reported.
    @Compact var accuracy: Double? = nil
    /// The floor; `nil` when not reported.
    var level: Level?
    /// Where it is on the route; `nil` where it was not tracked, or is too far from the route.
    var match: Match?
    /// Whether the ignition was on; `nil` when not reported.
    var ignition: Bool?

    init(_ watched: WatchedFix, receivedAt: Timestamp) {
        time = watched.fix.time
        self.receivedAt = receivedAt
        coordinate = watched.fix.coordinate
        accuracy = watched.fix.accuracy
        level = watched.fix.level
        ignition = watched.ignition
        guard let trip = watched.trip, let match = trip.match,
            match.distance <= Self.matchDistance + (accuracy ?? 0)
        else { return }
        self.match = Match(
            offset: match.offset, assignedAt: trip.assignedAt,
            revision: Int32(truncatingIfNeeded: trip.routeRevision))
    }

    init(
        time: Timestamp, receivedAt: Timestamp, coordinate: Coordinate, accuracy: Double?,
        level: Level?, match: Match?, ignition: Bool?
    ) {
        self.time = time
        self.receivedAt = receivedAt
        self.coordinate = coordinate
        self.accuracy = accuracy
        self.level = level
        self.match = match
        self.ignition = ignition
    }
}
