public import Geometry

/// Something that became true of a trip.
public struct TripEvent: Equatable, Sendable {
    /// 1, 2, 3 … for the trip, without gaps.
    public var sequence: Int
    /// What became true.
    public var kind: Kind
    /// Time of the fix, or of the reception of the command, answer or time-out that caused it.
    public var time: Timestamp
    /// Where the vehicle is on its route; `nil` before the first match.
    public var location: Coordinate?
    /// Metres of route still ahead; `nil` while there is no route.
    public var remainingDistance: Double?
    /// How many via points are unvisited after this event.
    public var remainingWaypoints: Int

    /// Creates an event.
    public init(
        sequence: Int, kind: Kind, time: Timestamp, location: Coordinate?,
        remainingDistance: Double?, remainingWaypoints: Int
    ) {
        self.sequence = sequence
        self.kind = kind
        self.time = time
        self.location = location
        self.remainingDistance = remainingDistance
        self.remainingWaypoints = remainingWaypoints
    }

    /// The kinds of events, each with what only it tells.
    public enum Kind: Equatable, Sendable {
        /// A trip started; the request is there where a first route is needed.
        case tripAssigned(routeRevision: Int, request: RouteRequest?)
        /// The via point that closes the leg is reached, `distance` metres from the reported place.
        case waypointReached(Waypoint, held: Bool, distance: Double)
        /// `proceed` released the hold.
        case waypointResumed(Waypoint)
        /// `skip` dropped the via point.
        case waypointSkipped(Waypoint)
        /// A route is being asked for.
        case willReroute(RerouteCause)
        /// A new route is in force.
        case rerouted(NewRoute)
        /// The request for a route failed.
        case rerouteFailed(error: String)
        /// The vehicle came back to its route before the answer.
        case rerouteCancelled
        /// The destination is reached.
        case arrived(destination: Target)
        /// The trip ended otherwise.
        case tripStopped(StopReason)
        /// Little is left of the route to a via point or the destination.
        case waypointApproached(Goal, Approach)
        /// The vehicle drives on without its next via point: it is `distance` metres from it, and was `nearest`.
        case skipSuggested(Waypoint, distance: Double, nearest: Double)
        /// A held vehicle is `distance` metres from its via point.
        case holdBreached(Waypoint, distance: Double)
    }

    /// A via point with its place in the list given to `assign`.
    public struct Waypoint: Equatable, Sendable {
        /// Its index for the whole trip.
        public var index: Int
        /// The via point.
        public var target: Target

        /// Creates a numbered via point.
        public init(index: Int, target: Target) {
            self.index = index
            self.target = target
        }
    }

    /// What a trip comes near to.
    public enum Goal: Equatable, Sendable {
        /// A via point.
        case waypoint(Waypoint)
        /// The trip's end.
        case destination(Target)
    }

    /// How near a trip is to a goal.
    public struct Approach: Equatable, Sendable {
        /// Metres along the route.
        public var distance: Double
        /// When the vehicle gets there; `nil` where it cannot be told.
        public var eta: Timestamp?

        /// Creates an approach.
        public init(distance: Double, eta: Timestamp?) {
            self.distance = distance
            self.eta = eta
        }
    }

    /// Why a route is being asked for, and the question.
    public struct RerouteCause: Equatable, Sendable {
        /// What led to the question.
        public enum Reason: String, Sendable {
            /// The vehicle left its route.
            case deviation
            /// By command.
            case requested
        }

        /// What led to the question.
        public var reason: Reason
        /// Metres from the route to the reported place; `nil` when no fix has come yet.
        public var deviation: Double?
        /// Where the device said it was; `nil` when no fix has come yet.
        public var reported: Coordinate?
        /// Indexes of the via points that the new route must pass.
        public var carriedWaypoints: [Int]
        /// The question.
        public var request: RouteRequest

        /// Creates a cause.
        public init(
            reason: Reason, deviation: Double?, reported: Coordinate?, carriedWaypoints: [Int],
            request: RouteRequest
        ) {
            self.reason = reason
            self.deviation = deviation
            self.reported = reported
            self.carriedWaypoints = carriedWaypoints
            self.request = request
        }
    }

    /// A route that came into force.
    public struct NewRoute: Equatable, Sendable {
        /// Where a new route came from.
        public enum Reason: String, Sendable {
            /// The trip's first.
            case initial
            /// The vehicle had left the one before.
            case deviation
            /// By command.
            case requested
            /// Handed over by another program, unasked.
            case external
        }

        /// 1, 2, 3 … for the trip; 0 is "no route yet".
        public var revision: Int
        /// Where it came from.
        public var reason: Reason
        /// Its length in metres.
        public var length: Double
        /// Its driving time in seconds, where known.
        public var duration: Double?
        /// Road path from the last point on the old route to the stray fix; empty when not asked for.
        public var deviationPath: [Coordinate]

        /// Creates a description of a new route.
        public init(
            revision: Int, reason: Reason, length: Double, duration: Double?,
            deviationPath: [Coordinate] = []
        ) {
            self.revision = revision
            self.reason = reason
            self.length = length
            self.duration = duration
            self.deviationPath = deviationPath
        }
    }
}

/// A question to a planner: all that it needs.
public struct RouteRequest: Equatable, Sendable {
    /// 1, 2, 3 … for the trip.
    public var number: Int
    /// Where the route must start.
    public var from: Coordinate
    /// Which way the vehicle faces, in degrees clockwise from north.
    public var course: Double?
    /// The unvisited via points, in order.
    public var viaPoints: [TripEvent.Waypoint]
    /// Where the route must end.
    public var destination: Target
    /// What kind of road user it is for.
    public var profile: TripOptions.Profile
    /// The last point on the route, where the road path from it to `from` is wanted too.
    public var deviationPathStart: Coordinate?

    /// Creates a question.
    public init(
        number: Int, from: Coordinate, course: Double?, viaPoints: [TripEvent.Waypoint],
        destination: Target, profile: TripOptions.Profile, deviationPathStart: Coordinate? = nil
    ) {
        self.number = number
        self.from = from
        self.course = course
        self.viaPoints = viaPoints
        self.destination = destination
        self.profile = profile
        self.deviationPathStart = deviationPathStart
    }
}
