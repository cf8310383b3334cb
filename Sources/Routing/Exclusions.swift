import Geometry

/// What of the roads an engine is told to leave out.
struct Exclusions: Equatable, Sendable {
    /// Rings, each closed: all roads that meet one are left out.
    var rings: [[Coordinate]] = []
    /// Places on roads: the road at each is left out.
    var places: [Place] = []

    /// A place on a road.
    struct Place: Equatable, Sendable {
        var coordinate: Coordinate
        /// The direction that is closed, in degrees clockwise from north; `nil` for both.
        var course: Double?
    }

    /// Whether nothing is left out.
    var isEmpty: Bool { rings.isEmpty && places.isEmpty }
}
