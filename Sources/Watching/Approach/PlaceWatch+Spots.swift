import Geometry
import Tracking

/// Places that a vehicle comes near, or passes, along its route: rules L1, L2 and L4.
extension PlaceWatch {
    mutating func judgeSpots(
        _ step: Step, speed: Double?, vehicleID: String, _ places: PlacesInForce,
        _ news: inout PlaceNews
    ) {
        guard let trip = step.trip, let line = trip.line else {
            if spots != nil { spots = nil }
            return
        }
        var found = spots
        if found.map({ !$0.isOf(trip) || $0.version != places.approachVersion }) ?? true {
            found = RouteSpots(line, of: trip, vehicleID: vehicleID, places, old: found)
        }
        guard var found else { return }
        if let match = trip.match {
            for index in found.spots.indices {
                guard let place = places[found.spots[index].number] else { continue }
                judge(&found.spots[index], place, match, step, speed, &news)
            }
        }
        if found != spots { spots = found }
    }

    private func judge(
        _ spot: inout RouteSpots.Spot, _ place: PlaceInForce, _ match: RouteLine.Pass,
        _ step: Step, _ speed: Double?, _ news: inout PlaceNews
    ) {
        guard match.offset > spot.offset else {
            spot.isSeen = true
            approach(&spot, place, match, step, &news)
            return
        }
        guard spot.isSeen, !spot.isPassed, place.extent == .point else { return }
        let reachedAt = spot.reachedAt ?? moment(of: spot, step)
        spot.reachedAt = reachedAt
        let margin = Self.pointMargin + (step.now.accuracy ?? 0)
        guard match.offset >= spot.offset + margin, let line = step.trip?.line else { return }
        spot.isPassed = true
        let nearest = place.area.distance(from: line.point(at: spot.offset))
        let pass = PlacePass(
            place: place.label, crossedInAt: reachedAt, crossedOutAt: reachedAt,
            extent: .nearest(nearest), gap: step.gap ?? 0)
        news.passes.append(
            (reachedAt, pass.item(place, at: step.now.time, by: .route, speed: speed)))
    }

    /// When the vehicle came by a spot.
    private func moment(of spot: RouteSpots.Spot, _ step: Step) -> Timestamp {
        guard let route = step.route, let gap = step.gap, let before = step.before,
            spot.offset >= route.start
        else { return step.now.time }
        return before.time.advanced(by: gap * route.share(of: spot.offset))
    }

    private func approach(
        _ spot: inout RouteSpots.Spot, _ place: PlaceInForce, _ match: RouteLine.Pass,
        _ step: Step, _ news: inout PlaceNews
    ) {
        guard !spot.isTold, let terms = place.terms.approach, terms.isOnRoute, let trip = step.trip,
            presences.index(of: spot.number) == nil
        else { return }
        let left = spot.offset - match.offset
        let isNear = terms.distance.map { left <= $0 } ?? false
        guard isNear || terms.seconds != nil else { return }
        let seconds = trip.drivingTime(from: match.offset, to: spot.offset)
        let isSoon = terms.seconds.map { most in seconds.map { $0 <= most } ?? false } ?? false
        guard isNear || isSoon else { return }
        spot.isTold = true
        let approach = PlaceApproach(
            place: place.label, distance: left,
            eta: seconds.map { step.now.time.advanced(by: $0) })
        news.approaches.append(
            PlaceNews.Item(
                place: place, kind: .placeApproached(approach),
                isTold: place.isActive(at: step.now.time), basis: .route))
    }
}
