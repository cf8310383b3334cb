import Geometry

extension Trip {
    /// Starts a trip.
    ///
    /// - Parameters:
    ///   - newest: The vehicle's newest position, from where a first route is asked for by default.
    ///   - received: When the assignment was received.
    ///   - conditions: The closed roads.
    /// - Returns: The trip, with its `trip_assigned` event, and the request for a first route where one is
    ///   needed.
    /// - Throws: A refusal: `invalid_command`, `invalid_option`, `invalid_route`, `waypoint_not_on_route`.
    public static func start(
        _ assignment: Assignment, newest: Fix?, at received: Timestamp,
        among conditions: RoadConditions = .open
    ) throws(Refusal) -> (trip: Trip, outcome: TripOutcome) {
        let count = assignment.viaPoints.count
        let first = assignment.options.startWaypointIndex
        guard first >= 0, first <= count else {
            throw Refusal(
                .invalidOption,
                "start_waypoint_index is \(first), but there are \(count) via points")
        }
        let line = try line(of: assignment)
        guard
            let destination = assignment.destination
                ?? line.map({ Target(coordinate: $0.point(at: $0.length)) })
        else {
            throw Refusal(.invalidCommand, "destination is missing, and there is no route to end")
        }
        let plan = Plan(
            id: assignment.tripID, vehicleID: assignment.vehicleID,
            viaPoints: assignment.viaPoints, destination: destination, source: assignment.source,
            options: assignment.options, assignedAt: min(assignment.givenAt ?? received, received),
            vehicle: assignment.vehicle)
        let visits = (0..<count).map { Visit(status: $0 < first ? .visited : .pending) }
        var trip = Trip(plan: plan, record: nil, visits: visits)
        trip.lastReception = received
        var outcome = TripOutcome()
        var roadblocks: [String] = []
        if let line, let route = assignment.route {
            try trip.adopt(line, route)
            trip.planQuestion(after: received)
            roadblocks = trip.roadblocks(on: line, among: conditions)
        } else {
            guard let start = assignment.source ?? newest?.coordinate else {
                throw Refusal(
                    .invalidCommand,
                    "source is missing, and no position of the vehicle is known to start from")
            }
            let course = assignment.source == nil ? newest?.course : nil
            outcome.request = trip.ask(
                for: .initial, from: start, course: course, received, among: conditions)
        }
        trip.tell(
            .tripAssigned(
                routeRevision: trip.routeRevision, request: outcome.request, roadblocks: roadblocks),
            at: received, in: &outcome)
        return (trip, outcome)
    }

    private static func line(of assignment: Assignment) throws(Refusal) -> RouteLine? {
        guard let route = assignment.route else { return nil }
        guard let line = RouteLine(route.coordinates) else { throw .unusableRoute }
        return line
    }

    /// Puts the assigned route in force, if all via points are on it.
    private mutating func adopt(_ line: RouteLine, _ route: ProvidedRoute) throws(Refusal) {
        let limit = options.deviationDistance
        let placed = visits.indices.filter { index in
            guard visits[index].status == .visited else { return true }
            let place = plan.viaPoints[index].coordinate
            let nearest = line.nearest(to: place, from: 0, to: line.length, hint: nil)
            return nearest.distance <= limit
        }
        let placement = WaypointPlacement(
            line: line, limit: limit, radius: options.arrivalRadius)
        let spots: [WaypointPlacement.Spot]
        switch placement.place(placed.map { plan.viaPoints[$0].coordinate }) {
        case .success(let found): spots = found
        case .failure(let unplaced):
            throw .notOnRoute(placed[unplaced.index], distance: unplaced.distance, limit: limit)
        }
        var offsets = [Double?](repeating: nil, count: visits.count)
        for (index, spot) in zip(placed, spots) {
            if visits[index].status == .pending,
                spot.distance > spot.nearest + options.arrivalRadius
            {
                throw .outOfOrder(index)
            }
            offsets[index] = spot.offset
        }
        record = RouteRecord(line: line, revision: 1, route: route, spots: offsets)
        phase = .underway
        legStart =
            visits.indices.filter { visits[$0].status == .visited }
            .compactMap { offsets[$0] }.last ?? 0
    }
}

extension Refusal {
    /// A route of fewer than two places, or with one out of range.
    static let unusableRoute = Refusal(
        .invalidRoute, "a route needs two coordinates or more, all of them in range")

    /// A via point that the route misses.
    static func notOnRoute(_ index: Int, distance: Double, limit: Double) -> Refusal {
        guard distance < .infinity else { return outOfOrder(index) }
        return Refusal(
            .waypointNotOnRoute,
            "via point \(index) is \(distance.inMetres) from the route; at most \(limit.inMetres) "
                + "is allowed")
    }

    /// A via point that the route passes, but not after the ones before it.
    static func outOfOrder(_ index: Int) -> Refusal {
        Refusal(
            .waypointNotOnRoute,
            "the route does not pass via point \(index) after the ones before it")
    }
}

extension Double {
    /// The distance as a text, in whole metres.
    var inMetres: String { "\(Int(Swift.min(self, 1e9).rounded())) m" }
}
