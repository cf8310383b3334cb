import Geometry
import Tracking

/// Places that a vehicle comes near in a straight line: rules L3 and L4.
extension PlaceWatch {
    /// The vehicle must have come nearer by this, or by its accuracy, in metres.
    private static let leastGain = 5.0
    /// How far its course may be from the direction of the place, in degrees.
    private static let courseTolerance = 60.0
    /// Only after so many times the distance of the last approach there is another one.
    private static let release = 1.5
    /// A point is passed within this, besides the accuracy, in metres.
    static let pointReach = 50.0
    /// A point is passed when it is this, or the accuracy, behind, in metres.
    static let pointMargin = 20.0
    /// How much faster a vehicle may report to be before it is looked at again, in metres per second.
    private static let speedRoom = 10.0

    /// Tells an approach, where the vehicle is not in the place.
    mutating func approach(
        _ place: PlaceInForce, _ number: Int32, _ distance: Double, _ look: Look,
        _ quiet: inout Quiet, _ news: inout PlaceNews
    ) {
        guard let terms = place.terms.approach, terms.goesStraight(look.step),
            !approaches.contains(number)
        else { return }
        let speed = look.speed ?? 0
        let reach = terms.reach(at: speed)
        guard distance > 0, distance <= reach, comesNearer(place, distance, look) else {
            if terms.seconds != nil { quiet.limit(toSpeed: speed + Self.speedRoom) }
            quiet.limit(to: distance - terms.reach(at: speed + Self.speedRoom))
            return
        }
        quiet.end()
        approaches.items.append(
            Approaches.Item(
                number: number, wasNear: distance <= Self.pointReach + (look.now.accuracy ?? 0),
                reach: reach, least: distance, leastAt: look.time))
        let approach = PlaceApproach(
            place: place.label, distance: distance,
            eta: speed > 0 ? look.time.advanced(by: distance / speed) : nil)
        news.approaches.append(
            PlaceNews.Item(
                place: place, kind: .placeApproached(approach),
                isTold: place.isActive(at: look.time), basis: .fix))
    }

    private func comesNearer(
        _ place: PlaceInForce, _ distance: Double, _ look: Look
    ) -> Bool {
        guard let before = look.distanceBefore(place),
            before - distance > max(Self.leastGain, look.now.accuracy ?? 0)
        else { return false }
        guard let course = look.step.course else { return true }
        let nearest = place.area.nearestBoundary(from: look.viewpoint).coordinate
        let turn = abs(course - look.now.coordinate.course(to: nearest))
        return min(turn, 360 - turn) <= Self.courseTolerance
    }

    /// Follows the approaches that were told: until a point is passed, and until there can be another one.
    mutating func followApproaches(
        _ look: Look, _ quiet: inout Quiet, _ news: inout PlaceNews
    ) {
        guard !approaches.items.isEmpty else { return }
        var items: [Approaches.Item] = []
        for var item in approaches.items {
            guard let place = look.places[item.number] else { continue }
            let distance = place.area.distance(from: look.viewpoint)
            let isPoint = place.extent == .point
            if isPoint, look.step.trip?.line == nil {
                passPoint(place, &item, distance, look, &news)
            }
            if distance > Self.release * item.reach {
                quiet.limit(to: distance - item.reach)
                continue
            }
            if isPoint { quiet.end() }
            quiet.limit(to: Self.release * item.reach - distance)
            items.append(item)
        }
        approaches.items = items
    }

    /// Tells that a point lies behind, by the distance alone.
    private func passPoint(
        _ place: PlaceInForce, _ item: inout Approaches.Item, _ distance: Double, _ look: Look,
        _ news: inout PlaceNews
    ) {
        let accuracy = look.now.accuracy ?? 0
        if distance < item.least {
            item.least = distance
            item.leastAt = look.time
            item.wasNear = distance <= Self.pointReach + accuracy
        }
        guard !item.isPassed, item.wasNear,
            distance - item.least >= max(Self.pointMargin, accuracy)
        else { return }
        item.isPassed = true
        let pass = PlacePass(
            place: place.label, crossedInAt: item.leastAt, crossedOutAt: item.leastAt,
            extent: .nearest(item.least), gap: look.step.gap ?? 0)
        news.passes.append(
            (item.leastAt, pass.item(place, at: look.time, by: .fix, speed: look.speed)))
    }
}

extension ApproachTerms {
    /// Whether they go by the straight distance on a step.
    fileprivate func goesStraight(_ step: Step) -> Bool { !isOnRoute || step.trip?.line == nil }
}
