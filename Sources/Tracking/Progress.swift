public import Geometry

/// Where a trip stands after its newest input.
public struct Progress: Equatable, Sendable {
    /// What a trip is doing.
    public enum State: String, CaseIterable, Sendable {
        /// The vehicle has no trip.
        case idle
        /// No route has come yet.
        case awaitingRoute = "awaiting_route"
        /// Under way.
        case tracking
        /// At a via point, until told to proceed.
        case held
        /// Under way while a new route is being asked for.
        case rerouting
        /// At the destination; final.
        case arrived
        /// Ended otherwise; final.
        case stopped
    }

    /// What the trip is doing.
    public var state: State
    /// Time of the newest fix that counted, or of the input that changed the trip since.
    public var time: Timestamp
    /// On the route, clamped to the leg that was being driven when the fix came; `nil` before the
    /// first match.
    public var location: Coordinate?
    /// As the device sent it; `nil` before the first fix.
    public var reported: Coordinate?
    /// Metres from the reported place to the route; `nil` while there is no route or fix.
    public var deviation: Double?
    /// Metres driven along the trip's routes.
    public var travelledDistance: Double
    /// Metres of route still ahead; `nil` while there is no route.
    public var remainingDistance: Double?
    /// Driven share of the trip, 0 to 1; `nil` while there is no route.
    public var fraction: Double?
    /// Expected time of arrival; `nil` when it cannot be told.
    public var eta: Timestamp?
    /// As reported, in metres per second.
    public var speed: Double?
    /// As reported, or else the route's course, in degrees clockwise from north.
    public var course: Double?
    /// As reported.
    public var level: Level?
    /// The held via point, or else the next unvisited one; `nil` when none is left.
    public var activeWaypoint: TripEvent.Waypoint?
    /// How many via points are unvisited, the active one included unless it is held at.
    public var remainingWaypoints: Int
    /// Whether the vehicle is held.
    public var waitsAtWaypoint: Bool
    /// Number of the route in force; 0 before the first.
    public var routeRevision: Int
    /// How long a map should take to move the marker here, in seconds.
    public var animationDuration: Double

    /// Creates the progress of a trip of which nothing but its state is known.
    public init(state: State, time: Timestamp) {
        self.state = state
        self.time = time
        self.travelledDistance = 0
        self.remainingWaypoints = 0
        self.waitsAtWaypoint = false
        self.routeRevision = 0
        self.animationDuration = 2
    }

    /// Creates the progress of a vehicle without a trip.
    ///
    /// - Parameter newest: Its newest position.
    public init(idleAt newest: Fix) {
        self.init(state: .idle, time: newest.time)
        location = newest.coordinate
        reported = newest.coordinate
        speed = newest.speed
        course = newest.course
        level = newest.level
    }
}
