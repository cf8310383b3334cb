import Geometry

/// What roadblocks do to a trip: rules R2 and R4 to R6.
extension Trip {
    /// What the trip remembers of the roads; nothing is kept where that is nothing.
    var roadState: RoadState {
        get { roads ?? RoadState() }
        set { roads = newValue.isEmpty ? nil : newValue }
    }

    /// Takes roadblocks that have come into force: rule R5.
    mutating func closeRoads(
        _ ids: [String], _ received: Timestamp, among conditions: RoadConditions
    ) -> TripOutcome {
        var outcome = TripOutcome()
        for id in ids where !roadState.pending.contains(id) {
            guard let road = conditions.road(id), road.concerns(options.profile) else { continue }
            let crossing = crossing(of: road)
            // An answer that is on its way may drive there though the route in force does not.
            guard crossing != nil || requests.isOut else { continue }
            if options.reroutesAtRoadblocks {
                roadState.pending.append(id)
            } else if let crossing {
                tellAhead(road, at: crossing, received, &outcome)
            }
        }
        avoidRoadblocks(at: received, received, among: conditions, &outcome)
        return outcome
    }

    /// Takes roadblocks that are no more.
    mutating func openRoads(
        _ ids: [String], _ received: Timestamp, among conditions: RoadConditions
    ) -> TripOutcome {
        var outcome = TripOutcome()
        guard let roads else { return outcome }
        let hasAvoided = roads.avoided.contains(where: ids.contains)
        roadState.forget(ids)
        if hasAvoided { askAtOnce(received, among: conditions, &outcome) }
        return outcome
    }

    /// Asks for a way around the roadblocks that lie ahead, if a request may go out by itself.
    ///
    /// - Parameter time: The time of what caused it: the fix, or a reception.
    mutating func avoidRoadblocks(
        at time: Timestamp, _ received: Timestamp, among conditions: RoadConditions,
        _ outcome: inout TripOutcome
    ) {
        guard let pending = roads?.pending, !pending.isEmpty, !isOver, record != nil,
            requests.mayAsk(at: received)
        else { return }
        roadState.pending = []
        var ids: [String] = []
        for id in pending {
            guard let road = conditions.road(id), let crossing = crossing(of: road) else {
                continue
            }
            if isAvoidable(road) {
                ids.append(id)
            } else {
                tellAhead(road, at: crossing, time, &outcome)
            }
        }
        guard !ids.isEmpty else { return }
        roadState.pending = ids
        outcome.request = announceReroute(
            .roadblock, roadblocks: ids, at: time, received, among: conditions, &outcome)
    }

    /// Closes a piece of the route for this trip, and asks for a way around it: rule R6.
    mutating func avoid(
        start: Double, length: Double, _ received: Timestamp, among conditions: RoadConditions
    ) -> TripOutcome {
        guard let record else {
            return .refused(.noRouteAhead, "the trip has no route yet")
        }
        let begin = (place ?? 0) + start
        let left = max(record.line.length - (place ?? 0), 0)
        guard begin + length <= record.line.length else {
            return .refused(
                .noRouteAhead,
                "\(left.inMetres) of the route are left, less than start_m and length_m together")
        }
        let piece = record.line.coordinates(from: begin, to: begin + length)
        guard let area = try? Area(.line(piece, width: 0)), let closure = RoadClosure(area) else {
            return .refused(.noRouteAhead, "that piece of the route has no length")
        }
        var outcome = TripOutcome()
        roadState.closed.append(ClosedRoad(place: nil, closure: closure))
        if roadState.closed.count > RoadState.mostClosed { roadState.closed.removeFirst() }
        if requests.isOut {
            requests.withdraw()
            roadState.reclaim()
            tell(.rerouteCancelled, at: received, in: &outcome)
        }
        outcome.request = announceReroute(
            .avoid, at: received, received, among: conditions, &outcome)
        return outcome
    }

    /// The closed roads that a request is to avoid: rule R2.
    func roadsToAvoid(
        from start: Coordinate, among conditions: RoadConditions
    ) -> [ClosedRoad] {
        let own = roads?.closed ?? []
        guard !own.isEmpty || !conditions.closed.isEmpty else { return [] }
        let points =
            [start] + unvisited.map(\.target.coordinate) + [destination.coordinate]
        return conditions.near(points, options.profile, own: own) { road in
            !points.contains(where: road.closure.contains)
        }
    }

    /// The roadblocks that a route drives on, in its order: rule R4.
    func roadblocks(
        on line: RouteLine, from start: Double = 0, among conditions: RoadConditions
    ) -> [String] {
        conditions.crossed(by: line, from: start, options.profile).compactMap { $0.road.place?.id }
    }

    /// Why a route is no answer where closed roads are forbidden; `nil` where it is one.
    ///
    /// What cannot be avoided is allowed.
    func objection(to line: RouteLine, among conditions: RoadConditions) -> String? {
        guard conditions.policy == .forbid else { return nil }
        let crossed = conditions.crossed(by: line, from: 0, options.profile).map(\.road)
            .filter(isAvoidable)
        if !crossed.isEmpty {
            let names = crossed.compactMap { $0.place?.id }.joined(separator: ", ")
            return "roadblocked: the route drives on \(names)"
        }
        let drivesOnOwn = roads?.closed.contains { $0.closure.crossing(of: line) != nil }
        return drivesOnOwn == true
            ? "roadblocked: the route drives on a piece that was closed for this trip" : nil
    }

    /// Notes which roadblocks the route that came into force was made to avoid.
    mutating func noteAvoided(from start: Coordinate, among conditions: RoadConditions) {
        guard roads != nil || !conditions.closed.isEmpty, let record else { return }
        let asked = roadsToAvoid(from: start, among: conditions)
        let crossed = roadblocks(on: record.line, among: conditions)
        roadState.avoided = asked.compactMap { $0.place?.id }.filter { !crossed.contains($0) }
        roadState.asked = []
    }

    /// Whether there may be a way around a closed road: neither the vehicle nor where it has to go is inside.
    private func isAvoidable(_ road: ClosedRoad) -> Bool {
        let places =
            [newest?.coordinate, destination.coordinate].compactMap(\.self)
            + unvisited.map(\.target.coordinate)
        return !places.contains(where: road.closure.contains)
    }

    /// Where the route ahead drives on a closed road; `nil` where it does not.
    private func crossing(of road: ClosedRoad) -> Double? {
        guard let record else { return nil }
        return road.closure.crossing(of: record.line, from: place ?? 0)
    }

    /// Tells once that a roadblock lies ahead.
    private mutating func tellAhead(
        _ road: ClosedRoad, at offset: Double, _ time: Timestamp, _ outcome: inout TripOutcome
    ) {
        guard let closedBy = road.place, !roadState.told.contains(closedBy.id) else { return }
        roadState.told.append(closedBy.id)
        tell(
            .roadblockAhead(closedBy, distance: max(offset - (place ?? 0), 0)), at: time,
            in: &outcome)
    }
}
