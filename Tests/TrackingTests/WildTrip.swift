import Geometry
import Tracking

/// All that can happen to a trip, at random: noise, gaps, spikes, detours, answers, failures and commands.
struct WildTrip {
    /// An input and its reception.
    struct Step {
        var input: TripInput
        var received: Timestamp
    }

    let story: RandomTrip
    private(set) var steps: [Step] = []

    /// Makes the inputs by driving a trip with them, since they depend on what it asks.
    init(_ story: RandomTrip, _ random: inout SeededGenerator) throws {
        self.story = story
        var trip = try story.start()
        let fixes = story.fixes(of: trip, noise: random.pick([0, 8, 40]), &random)
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
                case 7...15: .proceed(waypointIndex: nil)
                default: nil
                }
            if let next { add(next, at: fix.time.advanced(by: 0.1), to: &trip) }
        }
    }

    private mutating func add(_ input: TripInput, at received: Timestamp, to trip: inout Trip) {
        steps.append(Step(input: input, received: received))
        _ = trip.handle(input, at: received)
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
