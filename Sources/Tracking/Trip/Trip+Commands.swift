/// What operations tell a trip to do: rule 10.
extension Trip {
    /// Releases the hold; the next fix does the rest.
    mutating func proceed(_ index: Int?, _ received: Timestamp) -> TripOutcome {
        guard case .held(let held, _) = phase else {
            return .refused(.notHeld, "the vehicle is not held at a via point")
        }
        if let index, index != held {
            return .refused(
                .waypointMismatch, "the vehicle is held at via point \(held), not \(index)")
        }
        var outcome = TripOutcome()
        phase = .underway
        visits[held].status = .visited
        visits[held].resumedAt = received
        pace.pause()
        tell(.waypointResumed(waypoint(held)), at: received, in: &outcome)
        return outcome
    }

    /// Drops the next via point unvisited.
    mutating func skip(_ index: Int?, _ received: Timestamp) -> TripOutcome {
        guard let next else {
            return .refused(.noWaypointLeft, "no via point is left to skip")
        }
        if let index, index != next {
            return .refused(
                .waypointMismatch, "the next via point is \(next), not \(index)")
        }
        var outcome = TripOutcome()
        visits[next].status = .skipped
        tell(.waypointSkipped(waypoint(next)), at: received, in: &outcome)
        return outcome
    }

    /// Asks for a new route, unless one is being asked for.
    mutating func reroute(
        _ received: Timestamp, among conditions: RoadConditions
    ) -> TripOutcome {
        var outcome = TripOutcome()
        guard !requests.isOut else { return outcome }
        if phase == .awaitingRoute {
            guard let start = newest?.coordinate ?? plan.source else { return outcome }
            outcome.request = ask(
                for: .initial, from: start, course: newest?.course, received, among: conditions)
        } else {
            outcome.request = announceReroute(
                .requested, at: received, received, among: conditions, &outcome)
        }
        return outcome
    }

    /// Ends the trip.
    mutating func stop(_ reason: StopReason, _ received: Timestamp) -> TripOutcome {
        var outcome = TripOutcome()
        endOffer(.ended, at: received, &outcome)
        phase = .stopped(reason)
        requests.withdraw()
        tell(.tripStopped(reason), at: received, in: &outcome)
        return outcome
    }
}
