import Geometry

/// One trip of one vehicle: the rules of tracking, as a value.
///
/// It reads no clock and does no I/O, so that equal inputs always give equal outputs; the time of an input
/// is its reception. What must be measured by a clock (a planner's silence, an expiry) comes in as an input.
public struct Trip: Sendable {
    /// What the trip is doing; each case holds what is valid only in it.
    enum Phase: Equatable, Sendable {
        /// No route has come yet; the first one leads to `underway`.
        case awaitingRoute
        /// A via point that closes the leg leads to `held`, the destination to `arrived`.
        case underway
        /// `proceed` leads back to `underway`.
        case held(index: Int, isBreached: Bool)
        /// Final.
        case arrived
        /// Final.
        case stopped(StopReason)
    }

    /// What never changes.
    let plan: Plan
    /// The route in force.
    var record: RouteRecord?
    var phase: Phase
    /// Whether it was told that the destination is near.
    var isDestinationApproached = false
    /// What became of each via point.
    var visits: [Visit]
    /// The offset of the last visited via point, or the route's start: where the leg begins.
    var legStart = 0.0
    var filter = UsabilityFilter()
    var matcher = RouteMatcher()
    var requests = RequestLine()
    var dwell = DwellClock()
    var pace = Pace()
    var skipAdvice = SkipAdvice()
    /// Fixes in a row that were off the route.
    var strays = 0
    /// What it remembers of the roads; `nil` where that is nothing.
    @Seldom var roads: RoadState? = nil
    /// Whether it remembers anything of the roads; told without a copy of that.
    public var hasRoads: Bool { !_roads.isAbsent }
    /// How many events there were.
    var sequence = 0
    /// The newest usable fix.
    var newest: Fix?
    /// Seconds from the usable fix before it to the newest one.
    @Compact var interval: Double? = nil
    /// Metres from the newest judged fix to the route.
    @Compact var deviation: Double? = nil
    /// Where the vehicle is on its route, clamped to its leg; `nil` before the route's first match.
    @Compact var place: Double? = nil
    /// What to add to `place` for the metres driven since the trip began.
    var travelledBefore = 0.0
    /// Reception of the newest fix, or of the assignment: when this is long ago, the trip may expire.
    public internal(set) var lastReception: Timestamp
    /// Time of the input that moved the trip last; of the last one, once it is over.
    var asOf: Timestamp

    init(plan: Plan, record: RouteRecord?, visits: [Visit]) {
        self.plan = plan
        self.record = record
        self.visits = visits
        phase = record == nil ? .awaitingRoute : .underway
        lastReception = plan.assignedAt
        asOf = plan.assignedAt
    }

    /// The trip's name.
    public var id: String { plan.id }
    /// The vehicle that drives it.
    public var vehicleID: String { plan.vehicleID }
    /// The settings of the rules, as resolved at the assignment.
    public var options: TripOptions { plan.options }
    /// When it was assigned: when the command was given, as far as it says so.
    public var assignedAt: Timestamp { plan.assignedAt }
    /// Where it ends.
    public var destination: Target { plan.destination }
    /// Number of the route in force; 0 before the first.
    public var routeRevision: Int { record?.revision ?? 0 }
    /// Whether it has arrived or was stopped; nothing comes after that.
    public var isOver: Bool {
        switch phase {
        case .arrived, .stopped: true
        case .awaitingRoute, .underway, .held: false
        }
    }

    /// When the trip ended; `nil` while it is active.
    public var endedAt: Timestamp? { isOver ? asOf : nil }

    /// The request for a route that is out, but for the roads that it is to avoid, and the reception that led to it.
    public var outstandingRequest: (request: RouteRequest, since: Timestamp)? {
        requests.open.map { ($0.question, $0.since) }
    }

    /// The request for a route that is out, as it is to be asked now; `nil` where none is.
    public func question(among conditions: RoadConditions) -> RouteRequest? {
        guard var question = requests.open?.question else { return nil }
        question.avoid = roadsToAvoid(from: question.from, among: conditions)
        return question
    }

    /// Applies one input.
    ///
    /// - Parameters:
    ///   - received: When the worker took it.
    ///   - conditions: The closed roads.
    /// - Returns: What became true because of it; a refusal where a command was not carried out.
    public mutating func handle(
        _ input: TripInput, at received: Timestamp, among conditions: RoadConditions = .open
    ) -> TripOutcome {
        guard !isOver else { return afterTheEnd(input) }
        switch input {
        case .fix(let fix): return judge(fix, received, among: conditions)
        case .proceed(let index): return proceed(index, received)
        case .skip(let index): return skip(index, received)
        case .reroute: return reroute(received, among: conditions)
        case .avoid(let start, let length):
            return avoid(start: start, length: length, received, among: conditions)
        case .accept(let number): return accept(number, received, among: conditions)
        case .decline(let number): return decline(number, received)
        case .roadsClosed(let ids): return closeRoads(ids, received, among: conditions)
        case .roadsOpened(let ids): return openRoads(ids, received, among: conditions)
        case .clock: return tick(received, among: conditions)
        case .route(let route, let request, let path):
            return take(route, request: request, path: path, received, among: conditions)
        case .routeFailed(let request, let reason):
            guard requests.open?.question.number == request else { return TripOutcome() }
            return failRequest(reason, received)
        case .stop(let reason): return stop(reason, received)
        }
    }

    private func afterTheEnd(_ input: TripInput) -> TripOutcome {
        var outcome = TripOutcome()
        switch input {
        case .fix: outcome.disposition = .history(.noTrip)
        case .proceed, .skip, .reroute, .stop, .route, .avoid, .accept, .decline:
            outcome.refusal = Refusal(.noActiveTrip, "trip \(id) is over")
        case .routeFailed, .roadsClosed, .roadsOpened, .clock: break
        }
        return outcome
    }

    /// Appends an event to the outcome, with the trip as it is now.
    mutating func tell(
        _ kind: TripEvent.Kind, at time: Timestamp, in outcome: inout TripOutcome
    ) {
        sequence += 1
        asOf = time
        outcome.events.append(
            TripEvent(
                sequence: sequence, kind: kind, time: time, location: location,
                remainingDistance: remainingDistance, remainingWaypoints: remainingWaypoints))
    }

    /// Where the vehicle is on its route.
    var location: Coordinate? {
        guard let place, let record else { return nil }
        return record.line.point(at: place)
    }

    /// Metres of route still ahead; the whole route before its first match.
    var remainingDistance: Double? {
        record.map { max($0.line.length - (place ?? 0), 0) }
    }

    /// How many via points are unvisited.
    var remainingWaypoints: Int {
        visits.reduce(0) { $0 + ($1.status == .pending ? 1 : 0) }
    }

    /// The next unvisited via point.
    var next: Int? { visits.firstIndex { $0.status == .pending } }

    /// A via point with its index.
    func waypoint(_ index: Int) -> TripEvent.Waypoint {
        TripEvent.Waypoint(index: index, target: plan.viaPoints[index])
    }

    /// All unvisited via points.
    var unvisited: [TripEvent.Waypoint] {
        visits.indices.filter { visits[$0].status == .pending }.map(waypoint)
    }
}

/// What never changes of a trip.
final class Plan: Sendable {
    let id: String
    let vehicleID: String
    let viaPoints: [Target]
    let destination: Target
    /// Where the trip begins, for the first request.
    let source: Coordinate?
    let options: TripOptions
    let assignedAt: Timestamp
    /// How large and heavy the vehicle is; `nil` where that was not said.
    let vehicle: VehicleSize?

    init(
        id: String, vehicleID: String, viaPoints: [Target], destination: Target,
        source: Coordinate?,
        options: TripOptions, assignedAt: Timestamp, vehicle: VehicleSize?
    ) {
        self.id = id
        self.vehicleID = vehicleID
        self.viaPoints = viaPoints
        self.destination = destination
        self.source = source
        self.options = options
        self.assignedAt = assignedAt
        self.vehicle = vehicle
    }
}

/// What became of a via point.
struct Visit: Equatable, Sendable {
    var status = WaypointState.Status.pending
    @Compact var reachedAt: Timestamp? = nil
    @Compact var resumedAt: Timestamp? = nil
    /// Whether it was told that the vehicle is near.
    var isApproached = false
}
