import Geometry
import Tracking

/// All that can happen to a trip, at random: noise, gaps, spikes, detours, answers, failures and commands.
struct WildTrip {
    /// An input and its reception.
    struct Step {
        var input: TripInput
        var received: Timestamp
        var roads: RoadConditions
    }

    let story: RandomTrip
    private(set) var steps: [Step] = []
    private var roads = RoadConditions()

    /// Makes the inputs by driving a trip with them, since they depend on what it asks.
    init(_ story: RandomTrip, _ random: inout SeededGenerator) throws {
        self.story = story
        var trip = try story.start()
        let fixes = story.fixes(of: trip, noise: random.pick([0, 8, 40]), &random)
        roads.offersBetter = true
        if random.chance(0.2) { roads.policy = .forbid }
        var detour: Coordinate?
        for fix in fixes.prefix(60) {
            if random.chance(0.1) { continue }
            if random.chance(0.04) { detour = random.place(near: fix.coordinate, within: 3000) }
            if random.chance(0.2) { detour = nil }
            var fix = fix
            if let detour { fix.coordinate = random.place(near: detour, within: 30) }
            if random.chance(0.02) { fix.coordinate = Coordinate(latitude: 0, longitude: 0) }
            if random.chance(0.02) { fix.accuracy = random.pick([-1, 5, 900]) }
            add(.fix(fix), at: fix.time, to: &trip)
            let next: TripInput? =
                switch random.index(below: 20) {
                case 0: .skip(waypointIndex: nil)
                case 1: .reroute
                case 2...6: answer(trip, fix, &random)
                case 7...13: .proceed(waypointIndex: nil)
                case 14: changeRoads(near: fix.coordinate, &random)
                case 15: .clock
                case 16: .accept(proposal: nil)
                case 17: .decline(proposal: nil)
                case 18: .avoid(start: random.pick([0, 50]), length: random.pick([10, 200]))
                default: nil
                }
            if let next { add(next, at: fix.time.advanced(by: 0.1), to: &trip) }
        }
    }

    private mutating func add(_ input: TripInput, at received: Timestamp, to trip: inout Trip) {
        steps.append(Step(input: input, received: received, roads: roads))
        _ = trip.handle(input, at: received, among: roads)
    }

    /// Closes a road, or opens the one that was closed.
    private mutating func changeRoads(
        near place: Coordinate, _ random: inout SeededGenerator
    ) -> TripInput? {
        guard roads.closed.isEmpty else {
            roads.closed = []
            return .roadsOpened(["bridge"])
        }
        let center = random.place(near: place, within: 800)
        let area = try? Area(.circle(center: center, radius: random.pick([30, 300])))
        guard let closure = area.flatMap(RoadClosure.init) else { return nil }
        roads.closed = [ClosedRoad(place: .named("bridge"), closure: closure)]
        return .roadsClosed(["bridge"])
    }

    private func answer(
        _ trip: Trip, _ fix: Fix, _ random: inout SeededGenerator
    ) -> TripInput? {
        guard let request = trip.outstandingRequest?.request else { return nil }
        if random.chance(0.3) { return .routeFailed(request: request.number, reason: "timeout") }
        let places =
            [request.from] + request.viaPoints.map(\.target.coordinate)
            + [request.destination.coordinate]
        let kept = random.chance(0.1) ? [places[0], places[places.count - 1]] : places
        return .route(ProvidedRoute(coordinates: kept), request: request.number)
    }
}
