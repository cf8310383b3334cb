import Geometry

/// What a fix does: rules 1 to 7.
extension Trip {
    /// Judges a fix.
    mutating func judge(
        _ fix: Fix, _ received: Timestamp, among conditions: RoadConditions
    ) -> TripOutcome {
        var outcome = TripOutcome()
        let objection = filter.objection(
            to: fix, after: newest, received: received, assigned: belongsFrom, options: options)
        if objection != .invalidCoordinate { lastReception = max(lastReception, received) }
        if let objection {
            outcome.disposition = .history(objection)
            return outcome
        }
        outcome.disposition = .tracked
        interval = newest.map { fix.time.elapsed(since: $0.time) }
        newest = fix
        asOf = fix.time
        let end = destination.coordinate
        dwell.note(distance: fix.coordinate.distance(to: end), options: options)
        switch phase {
        case .awaitingRoute: askAgain(fix, received, among: conditions, &outcome)
        case .underway: follow(fix, received, among: conditions, &outcome)
        case .held(let index, let isBreached):
            if !isBreached { watchHold(index, fix, &outcome) }
        case .arrived, .stopped: break
        }
        suggestSkip(fix, &outcome)
        if hasRoads {
            avoidRoadblocks(at: fix.time, received, among: conditions, &outcome)
        }
        return outcome
    }

    /// Asks again for a first route that could not be had.
    private mutating func askAgain(
        _ fix: Fix, _ received: Timestamp, among conditions: RoadConditions,
        _ outcome: inout TripOutcome
    ) {
        guard requests.mayAsk(at: received) else { return }
        outcome.request = ask(
            for: .initial, from: fix.coordinate, course: fix.course, received, among: conditions)
    }

    private mutating func watchHold(_ index: Int, _ fix: Fix, _ outcome: inout TripOutcome) {
        let distance = fix.coordinate.distance(to: plan.viaPoints[index].coordinate)
        guard distance > options.holdBreachDistance else { return }
        phase = .held(index: index, isBreached: true)
        tell(.holdBreached(waypoint(index), distance: distance), at: fix.time, in: &outcome)
    }

    /// Looks for the fix on the route: off it, or on it with all that follows.
    private mutating func follow(
        _ fix: Fix, _ received: Timestamp, among conditions: RoadConditions,
        _ outcome: inout TripOutcome
    ) {
        guard let record else { return }
        let sighting = matcher.sight(
            fix, on: record.line, from: legStart, gate: gate, options: options)
        deviation = sighting.deviation
        let isOn = sighting.deviation <= options.deviationDistance
        requests.judgeTrial(isOn: isOn, interval: options.rerouteRetryInterval)
        guard isOn else {
            strays += 1
            if strays >= options.deviationConfirmations, requests.mayAsk(at: received) {
                outcome.request = announceReroute(
                    .deviation, at: fix.time, received, among: conditions, &outcome)
            }
            return
        }
        strays = 0
        if sighting.deviation <= options.offRouteReturnRatio * options.deviationDistance {
            // Who asks for a way around a roadblock is on the route all the while.
            if !hasRoads || roads?.pending.isEmpty == true { requests.calmDown() }
            if requests.open?.purpose == .deviation {
                requests.withdraw()
                roads?.reclaim()
                tell(.rerouteCancelled, at: fix.time, in: &outcome)
            }
        }
        outcome.match = sighting.match
        match(sighting.match.offset, fix, at: fix.time, &outcome)
    }

    /// The offset of the next unvisited via point.
    var gate: Double? {
        guard let next else { return nil }
        return record?.spot(next)
    }

    /// Moves the vehicle along the route, to where it is matched: gate, reached, arrived.
    ///
    /// - Parameter time: The time of what caused it: the fix, or a new route's reception.
    mutating func match(
        _ offset: Double, _ fix: Fix, at time: Timestamp, _ outcome: inout TripOutcome
    ) {
        guard let record else { return }
        let before = travelledDistance
        if place == nil, record.revision > 1 { travelledBefore -= offset }
        // A via point is reached a radius before its place, too: what is not there yet is told at it.
        place = max(offset, legStart)
        while let index = next, let spot = record.spot(index) {
            let isPast = offset >= spot - RouteMatcher.tolerance
            guard isPast || isReached(index, at: spot, by: fix, record.line) else { break }
            // A match past the gate stays at it until the vehicle may proceed.
            if isPast, options.waitsAtWaypoints { place = spot }
            reach(index, at: spot, fix, time, &outcome)
            if options.waitsAtWaypoints { break }
        }
        pace.note(travelledDistance - before, at: fix.time)
        if phase == .underway, next == nil { arriveIfThere(fix, record.line, time, &outcome) }
        if !isOver {
            if hasRoads { passBranch(at: time, &outcome) }
            announceApproaches(at: time, &outcome)
        }
    }

    private mutating func reach(
        _ index: Int, at spot: Double, _ fix: Fix, _ time: Timestamp,
        _ outcome: inout TripOutcome
    ) {
        let isHeld = options.waitsAtWaypoints
        visits[index].status = isHeld ? .reached : .visited
        visits[index].reachedAt = time
        legStart = spot
        if isHeld { phase = .held(index: index, isBreached: false) }
        let distance = fix.coordinate.distance(to: plan.viaPoints[index].coordinate)
        tell(
            .waypointReached(waypoint(index), held: isHeld, distance: distance), at: time,
            in: &outcome)
    }

    private func isReached(
        _ index: Int, at spot: Double, by fix: Fix, _ line: RouteLine
    ) -> Bool {
        isNearEnd(of: spot) && isOnLevel(of: index, fix)
            && (isWithinRadius(fix, of: plan.viaPoints[index].coordinate)
                || isWithinRadius(fix, of: line.point(at: spot)))
    }

    /// Whether the fix is not on another floor than the via point; that is known only where both name theirs.
    private func isOnLevel(of index: Int, _ fix: Fix) -> Bool {
        guard let level = fix.level, let wanted = plan.viaPoints[index].level else { return true }
        return level.isSame(as: wanted)
    }

    private func isWithinRadius(_ fix: Fix, of place: Coordinate) -> Bool {
        fix.coordinate.distance(to: place) <= options.arrivalRadius
    }

    /// Whether little enough is left of the leg that ends at `spot`: a round trip does not arrive at its start.
    private func isNearEnd(of spot: Double) -> Bool {
        let left = spot - (place ?? legStart)
        let half = (spot - legStart) / 2
        return left <= max(options.arrivalRadius, min(options.deviationDistance, half))
    }

    private mutating func arriveIfThere(
        _ fix: Fix, _ line: RouteLine, _ time: Timestamp, _ outcome: inout TripOutcome
    ) {
        let isAtDestination = isWithinRadius(fix, of: destination.coordinate)
        let isAtEnd = isAtDestination || isWithinRadius(fix, of: line.point(at: line.length))
        let hasArrived =
            isAtEnd && isNearEnd(of: line.length)
            || isAtDestination && dwell.stands(at: fix.time, options: options)
        guard hasArrived else { return }
        endOffer(.ended, at: time, &outcome)
        phase = .arrived
        requests.withdraw()
        tell(.arrived(destination: destination), at: time, in: &outcome)
    }
}
