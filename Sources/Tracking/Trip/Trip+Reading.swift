import Geometry

/// A via point and what became of it.
public struct WaypointState: Equatable, Sendable {
    /// What became of it.
    public enum Status: String, CaseIterable, Sendable {
        /// Not visited yet.
        case pending
        /// The vehicle is held at it.
        case reached
        /// Visited.
        case visited
        /// Dropped by command.
        case skipped
    }

    /// Its index for the whole trip.
    public var index: Int
    /// The via point.
    public var target: Target
    /// What became of it.
    public var status: Status
    /// When it was reached.
    public var reachedAt: Timestamp?
    /// When `proceed` released the hold.
    public var resumedAt: Timestamp?
    /// Its place on the route in force, in metres; `nil` without a route, or when visited before it.
    public var offset: Double?
}

/// How a trip stands, for those who watch it.
extension Trip {
    /// The via points, in order.
    public var waypoints: [WaypointState] {
        visits.indices.map { index in
            WaypointState(
                index: index, target: plan.viaPoints[index], status: visits[index].status,
                reachedAt: visits[index].reachedAt, resumedAt: visits[index].resumedAt,
                offset: record?.spot(index))
        }
    }

    /// The route in force; `nil` before the first.
    public var route: RouteInForce? {
        record.map {
            RouteInForce(
                revision: $0.revision, line: $0.line, travelledOffset: place ?? 0,
                duration: $0.duration)
        }
    }

    /// What the trip is doing.
    public var state: Progress.State {
        switch phase {
        case .awaitingRoute: .awaitingRoute
        case .underway: requests.isOut ? .rerouting : .tracking
        case .held: .held
        case .arrived: .arrived
        case .stopped: .stopped
        }
    }

    /// Where the trip stands.
    public var progress: Progress {
        var progress = Progress(state: state, time: asOf)
        progress.location = location
        progress.reported = newest?.coordinate
        progress.deviation = deviation
        progress.travelledDistance = travelledDistance
        progress.remainingDistance = remainingDistance
        progress.fraction = fraction
        progress.eta = eta
        progress.speed = newest?.speed
        progress.course = newest?.course ?? place.flatMap { record?.line.course(at: $0) }
        progress.level = newest?.level
        progress.activeWaypoint = activeWaypoint
        progress.remainingWaypoints = remainingWaypoints
        progress.waitsAtWaypoint = state == .held
        progress.routeRevision = routeRevision
        progress.animationDuration = interval ?? 2
        return progress
    }

    /// Metres driven along the trip's routes.
    var travelledDistance: Double { max(travelledBefore + (place ?? 0), 0) }

    private var fraction: Double? {
        guard let remainingDistance else { return nil }
        let whole = travelledDistance + remainingDistance
        return whole > 0 ? min(travelledDistance / whole, 1) : 1
    }

    private var activeWaypoint: TripEvent.Waypoint? {
        if case .held(let index, _) = phase { return waypoint(index) }
        return isOver ? nil : next.map(waypoint)
    }

    /// When the vehicle arrives if it goes on now: by the route's durations, or else by its own pace.
    private var eta: Timestamp? {
        guard !isOver, let record, let remainingDistance, newest != nil else { return nil }
        let seconds =
            record.remainingDuration(from: place ?? 0) ?? pace.time(for: remainingDistance)
        return seconds.map { asOf.advanced(by: $0) }
    }
}
