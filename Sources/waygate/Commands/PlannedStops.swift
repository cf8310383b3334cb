import Geometry
import Tracking

/// What the places that a file marks are to a trip along its line.
struct PlannedStops: Equatable {
    /// The places near the line, in the order in which it passes them.
    private(set) var viaPoints: [Target] = []
    /// The place at the line's end; `nil` where the file marks none there.
    private(set) var destination: Target?
    /// The places that are too far from the line.
    private(set) var strays: [NamedPlace] = []

    /// Finds where a line passes places.
    ///
    /// A place at the line's start is no stop: the vehicle is there already.
    ///
    /// - Parameters:
    ///   - isReversed: Whether the line goes the other way round than in the file.
    ///   - limit: How far a place may be from the line, in metres.
    ///   - radius: How near the line's ends a place is at them, in metres.
    init(
        _ places: [NamedPlace], along line: RouteLine, isReversed: Bool, limit: Double,
        radius: Double
    ) {
        var found: [(offset: Double, target: Target)] = []
        for place in places {
            let pass = Self.pass(of: place, on: line, isReversed)
            guard pass.distance <= limit else {
                strays.append(place)
                continue
            }
            let target = Target(coordinate: place.coordinate, name: place.name)
            if pass.offset >= line.length - radius {
                destination = target
            } else if pass.offset > radius {
                found.append((pass.offset, target))
            }
        }
        viaPoints = found.sorted { $0.offset < $1.offset }.map(\.target)
    }

    /// Where the line passes a place: at the nearest point, or at the vertex that it is, for a line may pass itself.
    private static func pass(
        of place: NamedPlace, on line: RouteLine, _ isReversed: Bool
    ) -> RouteLine.Pass {
        guard let vertex = place.vertex, vertex < line.vertexCount else {
            return line.nearest(to: place.coordinate)
        }
        let index = isReversed ? line.vertexCount - 1 - vertex : vertex
        return RouteLine.Pass(offset: line.offset(ofVertex: index), distance: 0)
    }
}
