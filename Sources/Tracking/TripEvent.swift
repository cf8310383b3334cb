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
        /// A trip started; the request is there where a first route is needed, the roadblocks are those that an
        /// assigned route drives on.
        case tripAssigned(routeRevision: Int, request: RouteRequest?, roadblocks: [String] = [])
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
        /// A roadblock that cannot be avoided is `distance` metres ahead on the route.
        case roadblockAhead(PlaceLabel, distance: Double)
        /// There is a better route, for now.
        case betterRouteFound(Proposal)
        /// The better route is no longer on offer.
        case betterRouteGone(proposal: Int, ProposalEnd)
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
            /// A road ahead was closed.
            case roadblock
            /// A piece of the route was closed for this trip.
            case avoid
        }

        /// What led to the question.
        public var reason: Reason
        /// Ids of the roadblocks that led to it.
        public var roadblocks: [String]
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
            request: RouteRequest, roadblocks: [String] = []
        ) {
            self.reason = reason
            self.roadblocks = roadblocks
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
            /// A road ahead had been closed.
            case roadblock
            /// A piece of the one before had been closed for this trip.
            case avoid
            /// A better route was accepted.
            case better
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
        /// Ids of the roadblocks that it drives on all the same, in its order.
        public var roadblocks: [String]

        /// Creates a description of a new route.
        public init(
            revision: Int, reason: Reason, length: Double, duration: Double?,
            deviationPath: [Coordinate] = [], roadblocks: [String] = []
        ) {
            self.revision = revision
            self.reason = reason
            self.length = length
            self.duration = duration
            self.deviationPath = deviationPath
            self.roadblocks = roadblocks
        }
    }

    /// A better route on offer.
    public struct Proposal: Equatable, Sendable {
        /// Its number, which is that of the request that brought it.
        public var number: Int
        /// Seconds that it saves; `nil` where it is better only since it avoids a roadblock.
        public var gain: Double?
        /// Its driving time in seconds, where known.
        public var duration: Double?
        /// Its length in metres.
        public var length: Double
        /// Where it leaves the route in force.
        public var branch: Coordinate
        /// Metres from the vehicle to there along the route in force.
        public var branchDistance: Double
        /// Until when it is on offer.
        public var validUntil: Timestamp

        /// Creates a proposal.
        public init(
            number: Int, gain: Double?, duration: Double?, length: Double, branch: Coordinate,
            branchDistance: Double, validUntil: Timestamp
        ) {
            self.number = number
            self.gain = gain
            self.duration = duration
            self.length = length
            self.branch = branch
            self.branchDistance = branchDistance
            self.validUntil = validUntil
        }
    }

    /// Why a better route is no longer on offer.
    public enum ProposalEnd: String, CaseIterable, Sendable {
        /// It is in force now.
        case accepted
        /// It was turned down.
        case declined
        /// The vehicle has driven past where it begins.
        case passed
        /// Nobody answered in time.
        case expired
        /// Another route is in force now.
        case rerouted
        /// There is another better route.
        case superseded
        /// The trip is over.
        case ended
    }
}

/// A question to a planner: all that it needs.
public struct RouteRequest: Equatable, Sendable {
    /// What a route is asked for.
    public enum Purpose: String, CaseIterable, Sendable {
        /// The trip's first route.
        case initial
        /// The vehicle had left its route.
        case deviation
        /// By command.
        case requested
        /// A road ahead was closed.
        case roadblock
        /// A piece of the route was closed for this trip.
        case avoid
        /// There may be a better one than the route in force.
        case better
    }

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
    /// What it is for.
    public var purpose: Purpose
    /// The closed roads that the route is to avoid, the nearest first.
    public var avoid: [ClosedRoad]
    /// How large and heavy the vehicle is; `nil` where that is unknown.
    @Seldom public var vehicle: VehicleSize?

    /// Creates a question.
    public init(
        number: Int, from: Coordinate, course: Double?, viaPoints: [TripEvent.Waypoint],
        destination: Target, profile: TripOptions.Profile, deviationPathStart: Coordinate? = nil,
        purpose: Purpose = .initial, avoid: [ClosedRoad] = [], vehicle: VehicleSize? = nil
    ) {
        self.number = number
        self.from = from
        self.course = course
        self.viaPoints = viaPoints
        self.destination = destination
        self.profile = profile
        self.deviationPathStart = deviationPathStart
        self.purpose = purpose
        self.avoid = avoid
        self.vehicle = vehicle
    }
}
