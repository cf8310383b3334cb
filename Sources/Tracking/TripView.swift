public import Geometry

/// What the watch of a vehicle may know of its trip: where the trip found the newest fix, and what it wants.
///
/// It shares what it tells of with the trip, so that making one costs next to nothing.
public struct TripView: Sendable {
    let plan: Plan
    let record: RouteRecord?
    let pace: Pace
    /// Where the newest fix was found on the route, not clamped to a leg; `nil` where it was not looked for or
    /// is off the route.
    public let match: RouteLine.Pass?

    /// The trip's name.
    public var tripID: String { plan.id }
    /// When it was assigned: tells the trips of a vehicle apart.
    public var assignedAt: Timestamp { plan.assignedAt }
    /// The settings of the rules, as resolved at the assignment.
    public var options: TripOptions { plan.options }
    /// The via points, in order.
    public var viaPoints: [Target] { plan.viaPoints }
    /// Where the trip ends.
    public var destination: Target { plan.destination }
    /// The route in force; `nil` before the first.
    public var line: RouteLine? { record?.line }
    /// Number of the route in force; 0 before the first.
    public var routeRevision: Int { record?.revision ?? 0 }

    /// Seconds of driving from one offset of the route to another that lies ahead: by the route's durations, or else
    /// at the trip's pace; `nil` where neither is known, or the vehicle stands.
    public func drivingTime(from start: Double, to end: Double) -> Double? {
        if let here = record?.remainingDuration(from: start),
            let there = record?.remainingDuration(from: end)
        {
            return max(here - there, 0)
        }
        return pace.time(for: max(end - start, 0))
    }
}

extension Trip {
    /// What the vehicle's watch may know of the trip.
    ///
    /// - Parameter match: Where the trip found the fix that the watch is about to see; `nil` where it did not.
    public func view(match: RouteLine.Pass?) -> TripView {
        TripView(plan: plan, record: record, pace: pace, match: match)
    }
}
