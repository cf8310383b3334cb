import Geometry

/// What a trip tells ahead of its via points and its destination: rules L5 and L6.
extension Trip {
    /// Tells of each via point and the destination once when little is left of the route to it.
    ///
    /// - Parameter time: The time of what caused it: the fix, or a new route's reception.
    mutating func announceApproaches(at time: Timestamp, _ outcome: inout TripOutcome) {
        guard options.approachDistance > 0 || options.approachTime > 0,
            phase == .underway, let record, let place
        else { return }
        for index in visits.indices where visits[index].status == .pending {
            guard let spot = record.spot(index), let left = approach(of: spot, from: place) else {
                return
            }
            guard !visits[index].isApproached else { continue }
            visits[index].isApproached = true
            tell(
                .waypointApproached(.waypoint(waypoint(index)), left.told(at: time)), at: time,
                in: &outcome)
        }
        guard !isDestinationApproached, let left = approach(of: record.line.length, from: place)
        else { return }
        isDestinationApproached = true
        tell(
            .waypointApproached(.destination(destination), left.told(at: time)), at: time,
            in: &outcome)
    }

    /// What is left of the route to an offset.
    private struct Rest {
        var distance: Double
        var seconds: Double?

        func told(at time: Timestamp) -> TripEvent.Approach {
            TripEvent.Approach(
                distance: distance, eta: seconds.map { time.advanced(by: $0) })
        }
    }

    /// Returns what is left to an offset when it is little enough to be told; `nil` when it is not.
    private func approach(of spot: Double, from place: Double) -> Rest? {
        let distance = max(spot - place, 0)
        let seconds = view(match: nil).drivingTime(from: place, to: spot)
        let isNear = options.approachDistance > 0 && distance <= options.approachDistance
        let isSoon =
            options.approachTime > 0 && (seconds.map { $0 <= options.approachTime } ?? false)
        return isNear || isSoon ? Rest(distance: distance, seconds: seconds) : nil
    }

    /// Suggests to skip the next via point when the vehicle drives on without it.
    mutating func suggestSkip(_ fix: Fix, _ outcome: inout TripOutcome) {
        guard options.skipSuggestion > 0, phase == .underway, let next else { return }
        let following = visits.indices.dropFirst(next + 1).first { visits[$0].status == .pending }
        let onward = following.map { plan.viaPoints[$0] } ?? destination
        let distance = fix.coordinate.distance(to: plan.viaPoints[next].coordinate)
        let nearest = skipAdvice.note(
            distance, onward: fix.coordinate.distance(to: onward.coordinate), index: next,
            least: options.skipSuggestion)
        guard let nearest else { return }
        tell(
            .skipSuggested(waypoint(next), distance: distance, nearest: nearest.distance),
            at: fix.time, in: &outcome)
    }
}
