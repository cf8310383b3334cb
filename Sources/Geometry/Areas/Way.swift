/// The way between two coordinates that is straight in longitude and latitude, the shorter way round the earth.
///
/// A place on it is told by the fraction of the way, 0 to 1.
public struct Way: Hashable, Sendable {
    /// Where it begins.
    public let start: Coordinate
    /// Where it ends.
    public let end: Coordinate

    /// Creates the way between two valid coordinates.
    public init(from start: Coordinate, to end: Coordinate) {
        self.start = start
        self.end = end
    }

    /// Degrees to the east from the start to the end, -180 to 180.
    var turn: Double { Ellipsoid.turn(from: start.longitude, to: end.longitude) }

    /// The way as a segment in a route's units.
    var segment: RouteSegment {
        RouteSegment(
            origin: GridPoint(start.latitude, start.longitude) * Grid.scale,
            extent: GridPoint(end.latitude - start.latitude, turn) * Grid.scale)
    }

    /// How long it is over the ground, in metres.
    public var length: Double { segment.length() }

    /// The box around it.
    public var box: CoordinateBox {
        let isEastward = turn >= 0
        return CoordinateBox(
            south: min(start.latitude, end.latitude),
            west: isEastward ? start.longitude : end.longitude,
            north: max(start.latitude, end.latitude),
            east: isEastward ? end.longitude : start.longitude)
    }

    /// Returns the place at a fraction of the way.
    public func point(at fraction: Double) -> Coordinate {
        if fraction <= 0 { return start }
        if fraction >= 1 { return end }
        return Grid.coordinate(segment.point(at: fraction))
    }
}
