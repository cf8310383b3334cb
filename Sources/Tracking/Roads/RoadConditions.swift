import Geometry

/// What trips are told of the roads: which are closed, and what a planner does about it.
///
/// It is the worker's, the same for all trips; a trip never keeps it.
public struct RoadConditions: Sendable {
    /// What is done with a route that drives on closed roads.
    public enum Policy: String, CaseIterable, Codable, Sendable {
        /// It is taken where no other was found, and says what it crosses.
        case avoid
        /// It is no answer.
        case forbid
    }

    /// How far around the points of a request closed roads are looked for, in metres at the least.
    private static let surroundings = 5000.0
    /// The same as a share of how far the points are apart.
    private static let share = 0.1

    /// The roadblocks in force, in the order of their places' ids.
    public var closed: [ClosedRoad] = []
    /// What is done with a route that drives on closed roads.
    public var policy = Policy.avoid
    /// How many closed roads a request may name, 0 or more.
    public var mostAvoided = 50
    /// Whether the planner can be asked whether there is a better route.
    public var offersBetter = false

    /// Creates the conditions where no road is closed.
    public init() {}

    /// No road is closed, and nobody is asked for better ones.
    public static let open = RoadConditions()

    /// Returns the roads that a request is to avoid: those in the box of its points, the nearest to its start first.
    ///
    /// - Parameters:
    ///   - own: The trip's own closed pieces; they come first.
    ///   - isAvoidable: Tells whether there can be a way around a roadblock.
    func near(
        _ points: [Coordinate], _ profile: TripOptions.Profile, own: [ClosedRoad],
        where isAvoidable: (ClosedRoad) -> Bool
    ) -> [ClosedRoad] {
        guard let start = points.first, let box = CoordinateBox(around: points),
            !closed.isEmpty
        else { return Array(own.prefix(mostAvoided)) }
        let corners = (
            Coordinate(latitude: box.south, longitude: box.west),
            Coordinate(latitude: box.north, longitude: box.east)
        )
        let reach = max(Self.surroundings, Self.share * corners.0.distance(to: corners.1))
        let around = box.expanded(by: reach)
        let near =
            closed
            .filter {
                $0.concerns(profile) && around.meets($0.closure.box) && isAvoidable($0)
            }
            .map { (road: $0, distance: $0.closure.distance(from: start)) }
            .sorted { $0.distance < $1.distance }
        return Array((own + near.map(\.road)).prefix(mostAvoided))
    }

    /// Returns the roadblocks that a part of a route drives on, in the order of the route, with their offsets.
    func crossed(
        by line: RouteLine, from start: Double, _ profile: TripOptions.Profile
    ) -> [(road: ClosedRoad, offset: Double)] {
        closed.compactMap { road in
            guard road.concerns(profile) else { return nil }
            return road.closure.crossing(of: line, from: start).map { (road, $0) }
        }
        .sorted { $0.offset < $1.offset }
    }

    /// The roadblock of a place; `nil` where it is not in force.
    func road(_ id: String) -> ClosedRoad? { closed.first { $0.place?.id == id } }
}
