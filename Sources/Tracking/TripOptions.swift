/// The settings of the tracking rules for one trip.
///
/// Distances are metres, times seconds, speeds metres per second.
public struct TripOptions: Equatable, Sendable {
    /// What kind of road user the planner plans for.
    public enum Profile: String, CaseIterable, Sendable {
        /// A car.
        case driving
        /// A lorry.
        case truck
        /// A bicycle.
        case biking
        /// A pedestrian.
        case walking
    }

    /// What is done with a better route.
    public enum BetterRoute: String, CaseIterable, Sendable {
        /// It is not asked for.
        case off
        /// It is offered.
        case suggest
        /// It is put in force at once.
        case take
    }

    /// Distance from the route beyond which a fix has left it; more than 0.
    public var deviationDistance = 500.0
    /// Distance that counts as reached; more than 0.
    public var arrivalRadius = 50.0
    /// Fixes with a worse accuracy are stored, not judged; more than 0.
    public var maxAccuracy = 100.0
    /// A faster move between two fixes is a spike; more than 0.
    public var maxSpeed = 70.0
    /// How far a device's clock may be ahead of the reception; 0 or more.
    public var maxFutureSkew = 60.0
    /// Fixes from longer before the assignment do not belong to the trip; 0 or more.
    public var maxAgeAtAssignment = 300.0
    /// How many fixes in a row must be off the route; 1 or more.
    public var deviationConfirmations = 1
    /// Back within this share of the limit counts as back on the route; above 0, at most 1.
    public var offRouteReturnRatio = 0.8
    /// Pause after a failed request, doubling with each further one; 0 or more.
    public var rerouteRetryInterval = 30.0
    /// When a planner's silence becomes a failure, by the worker's clock; more than 0.
    public var rerouteTimeout = 20.0
    /// Standing this long within the destination's radius is arrival; 0 or more.
    public var arrivalDwell = 120.0
    /// How far a held vehicle may stray from its via point; more than 0.
    public var holdBreachDistance = 200.0
    /// No fix for this long, by the worker's clock, ends the trip; 0 for never.
    public var tripExpiry = 86_400.0
    /// The speed limit for this trip, above 0; `nil` for none.
    public var speedLimit: Double?
    /// So much of the route before a via point or the destination its approach is told; 0 for never.
    public var approachDistance = 0.0
    /// So long before a via point or the destination its approach is told; 0 for never.
    public var approachTime = 0.0
    /// Farther than when it was nearest by this, and nearer to what follows, a via point is suggested to be skipped;
    /// 50 to 50,000, or 0 for never.
    public var skipSuggestion = 0.0
    /// Index of the first via point to visit, for a vehicle already under way; 0 or more.
    public var startWaypointIndex = 0
    /// Whether the vehicle holds at each via point until told to proceed.
    public var waitsAtWaypoints = true
    /// Whether the planner is also asked for the road path from the last point on the route to the
    /// stray one.
    public var asksForDeviationPath = false
    /// What the planner plans for.
    public var profile = Profile.driving
    /// Whether a new route is asked for when a road ahead is closed.
    public var reroutesAtRoadblocks = true
    /// What is done with a better route.
    public var betterRoute = BetterRoute.off
    /// So often a better route is asked for; 120 to 86,400.
    public var betterRouteInterval = 300.0
    /// So much a better route must save, in seconds; 0 or more.
    public var betterRouteGain = 300.0
    /// The same as a share of what the route in force still takes; 0 to 1.
    public var betterRouteGainRatio = 0.1

    /// Creates the defaults.
    public init() {}
}
