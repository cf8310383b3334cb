import Geometry

/// Requests for a route and what comes of them: rules 8 and 9.
extension Trip {
    /// Sends a request out, and returns it.
    mutating func ask(
        for purpose: RouteRequest.Purpose, from start: Coordinate, course: Double?,
        _ received: Timestamp, among conditions: RoadConditions
    ) -> RouteRequest {
        let wantsPath = options.asksForDeviationPath && purpose == .deviation
        let question = RouteRequest(
            number: requests.nextNumber, from: start, course: course, viaPoints: unvisited,
            destination: destination, profile: options.profile,
            deviationPathStart: wantsPath ? location : nil, purpose: purpose,
            avoid: roadsToAvoid(from: start, among: conditions), vehicle: plan.vehicle)
        requests.ask(question, at: received)
        if purpose != .better, let roads, !roads.pending.isEmpty {
            roadState.asked += roads.pending
            roadState.pending = []
        }
        return question
    }

    /// Sends a request out with its `will_reroute`, and returns it.
    mutating func announceReroute(
        _ reason: TripEvent.RerouteCause.Reason, roadblocks: [String] = [], at time: Timestamp,
        _ received: Timestamp, among conditions: RoadConditions, _ outcome: inout TripOutcome
    ) -> RouteRequest? {
        guard let start = newest?.coordinate ?? plan.source ?? record?.line.point(at: 0) else {
            return nil
        }
        let purpose: RouteRequest.Purpose =
            switch reason {
            case .deviation: .deviation
            case .requested: .requested
            case .roadblock: .roadblock
            case .avoid: .avoid
            }
        let question = ask(
            for: purpose, from: start, course: newest?.course, received, among: conditions)
        let cause = TripEvent.RerouteCause(
            reason: reason, deviation: deviation, reported: newest?.coordinate,
            carriedWaypoints: question.viaPoints.map(\.index), request: question,
            roadblocks: roadblocks)
        tell(.willReroute(cause), at: time, in: &outcome)
        return question
    }

    /// Ends the request as failed.
    mutating func failRequest(_ error: String, _ received: Timestamp) -> TripOutcome {
        var outcome = TripOutcome()
        guard requests.isOut else {
            // Nobody waits for a better route.
            requests.withdraw()
            return outcome
        }
        roads?.reclaim()
        requests.fail(at: received, interval: options.rerouteRetryInterval)
        tell(.rerouteFailed(error: error), at: received, in: &outcome)
        return outcome
    }

    /// Takes a route: an answer to `request`, or unasked.
    mutating func take(
        _ route: ProvidedRoute, request: Int?, path: [Coordinate], _ received: Timestamp,
        among conditions: RoadConditions
    ) -> TripOutcome {
        if let request {
            guard let open = requests.open, open.question.number == request else {
                return .mismatch(requests)
            }
            if open.purpose == .better { return consider(route, received, among: conditions) }
        }
        guard let line = RouteLine(route.coordinates) else {
            return turnDown(.unusableRoute, isAnswer: request != nil, received)
        }
        let spots: [Double?]
        switch place(on: line, legEnds: request == nil ? [] : route.legEnds) {
        case .success(let placed): spots = placed
        case .failure(let refusal):
            return turnDown(refusal, isAnswer: request != nil, received)
        }
        if request != nil, let objection = objection(to: line, among: conditions) {
            return failRequest(objection, received)
        }
        return drive(
            RouteRecord(line: line, revision: routeRevision + 1, route: route, spots: spots),
            reason: reason(request: request), path: path, received, among: conditions)
    }

    private mutating func turnDown(
        _ refusal: Refusal, isAnswer: Bool, _ received: Timestamp
    ) -> TripOutcome {
        if isAnswer {
            return failRequest("\(refusal.reason.rawValue): \(refusal.detail)", received)
        }
        var outcome = TripOutcome()
        outcome.refusal = refusal
        return outcome
    }

    private func reason(request: Int?) -> TripEvent.NewRoute.Reason {
        guard request != nil, let purpose = requests.open?.purpose else { return .external }
        return switch purpose {
        case .initial: .initial
        case .deviation: .deviation
        case .requested: .requested
        case .roadblock: .roadblock
        case .avoid: .avoid
        case .better: .better
        }
    }

    /// Places the unvisited via points on a new route; where the planner tells the ends of its legs, there.
    func place(on line: RouteLine, legEnds: [Int]) -> Result<[Double?], Refusal> {
        var spots = [Double?](repeating: nil, count: visits.count)
        let pending = visits.indices.filter { visits[$0].status == .pending }
        if let ends = self.legEnds(legEnds, on: line) {
            for index in pending { spots[index] = ends[index] }
            return .success(spots)
        }
        let limit = options.deviationDistance
        let placement = WaypointPlacement(
            line: line, limit: limit, radius: options.arrivalRadius)
        switch placement.place(pending.map { plan.viaPoints[$0].coordinate }) {
        case .success(let placed):
            for (index, spot) in zip(pending, placed) { spots[index] = spot.offset }
            return .success(spots)
        case .failure(let unplaced):
            return .failure(
                .notOnRoute(pending[unplaced.index], distance: unplaced.distance, limit: limit))
        }
    }

    /// The offsets of the asked-for via points by the planner's own account, where it is believable.
    private func legEnds(_ vertices: [Int], on line: RouteLine) -> [Int: Double]? {
        guard let asked = requests.open?.question.viaPoints, !asked.isEmpty,
            asked.count == vertices.count
        else { return nil }
        var offsets: [Int: Double] = [:]
        var last = 0
        for (waypoint, vertex) in zip(asked, vertices) {
            guard vertex >= last, vertex < line.vertexCount else { return nil }
            let offset = line.offset(ofVertex: vertex)
            let distance = line.point(at: offset).distance(to: waypoint.target.coordinate)
            guard distance <= options.deviationDistance else { return nil }
            offsets[waypoint.index] = offset
            last = vertex
        }
        return offsets
    }

    /// Puts a route in force, and takes the newest usable fix as its first match.
    mutating func drive(
        _ new: RouteRecord, reason: TripEvent.NewRoute.Reason, path: [Coordinate],
        _ received: Timestamp, among conditions: RoadConditions
    ) -> TripOutcome {
        var outcome = TripOutcome()
        endOffer(.rerouted, at: received, &outcome)
        travelledBefore = travelledDistance
        record = new
        legStart = 0
        place = nil
        deviation = nil
        strays = 0
        matcher = RouteMatcher()
        requests.tryOut(at: received)
        if phase == .awaitingRoute { phase = .underway }
        noteAvoided(from: new.line.point(at: 0), among: conditions)
        planQuestion(after: received)
        let description = TripEvent.NewRoute(
            revision: new.revision, reason: reason, length: new.line.length,
            duration: new.duration, deviationPath: path,
            roadblocks: roadblocks(on: new.line, among: conditions))
        tell(.rerouted(description), at: received, in: &outcome)
        guard phase == .underway, let newest else {
            avoidRoadblocks(at: received, received, among: conditions, &outcome)
            return outcome
        }
        let sighting = matcher.sight(
            newest, on: new.line, from: 0, gate: gate, options: options)
        deviation = sighting.deviation
        if sighting.deviation <= options.deviationDistance {
            match(sighting.match.offset, newest, at: received, &outcome)
        }
        avoidRoadblocks(at: received, received, among: conditions, &outcome)
        return outcome
    }
}

extension TripOutcome {
    /// An answer to a request that is not out.
    fileprivate static func mismatch(_ requests: RequestLine) -> TripOutcome {
        var outcome = TripOutcome()
        let detail =
            requests.open.map { "request \($0.question.number) is out" } ?? "no request is out"
        outcome.refusal = Refusal(.requestMismatch, detail)
        return outcome
    }
}
