import Geometry
import Tracking

/// A usable fix with the one before it: what all rules behind usability look at.
struct Step: Sendable {
    /// The usable fix before; `nil` for the vehicle's first.
    let before: Whereabouts?
    /// The fix.
    let now: Whereabouts
    /// As the device reported it, in metres per second; `nil` when it did not.
    let speed: Double?
    /// As the device reported it, in degrees clockwise from north; `nil` when it did not.
    let course: Double?
    /// The trip that the vehicle is on; `nil` without one.
    let trip: TripView?
    /// Metres from the fix before in a straight line; 0 where there is none.
    let straight: Double

    /// When the fix was received.
    var receivedAt: Timestamp { now.receivedAt }

    /// Seconds since the fix before; `nil` where there is none.
    var gap: Double? { before.map { now.time.elapsed(since: $0.time) } }

    /// Metres driven since the fix before: along the route where that is known, else in a straight line.
    var way: Double {
        route?.length ?? straight
    }

    /// The piece of the trip's route that was driven since the fix before: rule W5.
    ///
    /// `nil` where the two were not both matched well, on one route and not backwards: then only the straight line
    /// between them is known.
    var route: RoutePiece? { route(from: before?.match) }

    /// The piece of the trip's route that was driven since an earlier fix, whose match this was.
    func route(from start: Whereabouts.Match?) -> RoutePiece? {
        guard let start, let end = now.match, let line = trip?.line,
            start.assignedAt == end.assignedAt, start.revision == end.revision,
            start.offset <= end.offset
        else { return nil }
        return RoutePiece(line: line, start: start.offset, end: end.offset)
    }
}

/// A piece of a route, from one offset to another, in metres.
struct RoutePiece: Equatable, Sendable {
    let line: RouteLine
    let start: Double
    let end: Double

    /// How long it is, in metres.
    var length: Double { end - start }
}
