public import Geometry

/// What can happen to a trip; each comes with the time of its reception.
public enum TripInput: Equatable, Sendable {
    /// A device reported a position.
    case fix(Fix)
    /// Operations released the hold; a given index must be the held via point's.
    case proceed(waypointIndex: Int?)
    /// Operations dropped the next via point; a given index must be its.
    case skip(waypointIndex: Int?)
    /// Operations asked for a new route.
    case reroute
    /// Operations closed a piece of the route for this trip: `length` metres from `start` metres ahead on.
    case avoid(start: Double, length: Double)
    /// Operations took the better route on offer; a given number must be its.
    case accept(proposal: Int?)
    /// Operations turned the better route on offer down; a given number must be its.
    case decline(proposal: Int?)
    /// Roadblocks came into force, by the ids of their places.
    case roadsClosed([String])
    /// Roadblocks are no longer in force, by the ids of their places.
    case roadsOpened([String])
    /// A deadline of the trip may have come.
    case clock
    /// A planner answered request `request`, or another program handed over a route (`nil`).
    case route(ProvidedRoute, request: Int?, deviationPath: [Coordinate] = [])
    /// The planner failed or was silent for too long.
    case routeFailed(request: Int, reason: String)
    /// The trip ends before its destination.
    case stop(StopReason)
}

/// Why a trip ended before its destination.
public enum StopReason: String, Sendable {
    /// By command.
    case stopped
    /// Another trip was assigned to the vehicle.
    case superseded
    /// No fix came for too long.
    case expired
}

/// What one input did to a trip.
public struct TripOutcome: Equatable, Sendable {
    /// What became true, oldest first.
    public var events: [TripEvent] = []
    /// Why a command or route was refused; `nil` when it was carried out.
    public var refusal: Refusal?
    /// What became of the fix; `nil` for other inputs.
    public var disposition: FixDisposition?
    /// A route to be asked for now.
    public var request: RouteRequest?
    /// Where the fix was found on the route, not clamped to its leg; `nil` for other inputs, off the route, and
    /// while held.
    public var match: RouteLine.Pass?

    /// Creates an outcome in which nothing happened.
    public init() {}

    /// Adds what a further step of the same input did.
    mutating func append(_ other: TripOutcome) {
        events += other.events
        request = other.request ?? request
        match = other.match ?? match
    }

    /// A command that was not carried out.
    static func refused(_ reason: Refusal.Reason, _ detail: String) -> TripOutcome {
        var outcome = TripOutcome()
        outcome.refusal = Refusal(reason, detail)
        return outcome
    }
}

/// What became of a fix.
public enum FixDisposition: Equatable, Sendable {
    /// The fix was judged by the rules, also while held or off the route.
    case tracked
    /// The fix is history only.
    case history(HistoryReason)
}

/// Why a fix is history only.
public enum HistoryReason: String, CaseIterable, Sendable {
    /// At or before the trip's last time.
    case notNewer = "not_newer"
    /// From too long before the assignment.
    case beforeAssignment = "before_assignment"
    /// Too far ahead of its reception.
    case inFuture = "in_future"
    /// The device calls the position invalid, or worse than allowed.
    case inaccurate
    /// Not to be reached in the time since the last usable place.
    case spike
    /// At 0,0 or out of range.
    case invalidCoordinate = "invalid_coordinate"
    /// The vehicle has no active trip.
    case noTrip = "no_trip"
}

/// Why a command or route was refused.
public struct Refusal: Error, Equatable, Sendable {
    /// The reason, as consumers read it.
    public enum Reason: String, CaseIterable, Sendable {
        /// A member is missing, of the wrong kind or out of range.
        case invalidCommand = "invalid_command"
        /// No command has that name.
        case unknownCommand = "unknown_command"
        /// Retained commands would be carried out again at each subscription.
        case retainedCommand = "retained_command"
        /// The vehicle has no active trip.
        case noActiveTrip = "no_active_trip"
        /// The command names another trip than the active one.
        case tripMismatch = "trip_mismatch"
        /// The trip id was used before.
        case tripExists = "trip_exists"
        /// The vehicle is not held.
        case notHeld = "not_held"
        /// The command names another via point.
        case waypointMismatch = "waypoint_mismatch"
        /// No via point is left to skip.
        case noWaypointLeft = "no_waypoint_left"
        /// The route misses a via point.
        case waypointNotOnRoute = "waypoint_not_on_route"
        /// The route cannot be driven.
        case invalidRoute = "invalid_route"
        /// An option is unknown or out of range.
        case invalidOption = "invalid_option"
        /// The answer is not to the request that is out.
        case requestMismatch = "request_mismatch"
        /// No planner is configured.
        case noPlanner = "no_planner"
        /// Too little of the route is left.
        case noRouteAhead = "no_route_ahead"
        /// That better route is not on offer.
        case noProposal = "no_proposal"
        /// A member of a place is missing, of the wrong kind or out of range.
        case invalidPlace = "invalid_place"
        /// A place's shape is none.
        case invalidGeometry = "invalid_geometry"
        /// There is no room for another place.
        case tooManyPlaces = "too_many_places"
    }

    /// The reason to switch on.
    public var reason: Reason
    /// One sentence for a person: what is wrong, and where.
    public var detail: String

    /// Creates a refusal.
    public init(_ reason: Reason, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }
}
