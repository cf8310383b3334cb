/// A point that moves along a route.
///
/// It tells where a vehicle or its marker is at any moment, when its owner says how far it has come.
public struct RouteMotion: Sendable {
    /// What it moves along.
    public let line: RouteLine
    /// How far along the route it is, in metres, 0 to the route's length.
    public private(set) var offset: Double

    /// Creates a point at an offset of a route, which is brought onto it.
    public init(_ line: RouteLine, at offset: Double = 0) {
        self.line = line
        self.offset = line.clamped(offset)
    }

    /// Moves on by some metres, backwards where they are negative, and stops at the route's ends.
    public mutating func advance(by metres: Double) {
        offset = line.clamped(offset + metres)
    }

    /// Moves to an offset, which is brought onto the route.
    public mutating func move(to offset: Double) {
        self.offset = line.clamped(offset)
    }

    /// Where it is.
    public var coordinate: Coordinate { line.point(at: offset) }

    /// The direction of travel, in degrees clockwise from north; `nil` on a route without length.
    public var course: Double? { line.course(at: offset) }

    /// How far it is to the end, in metres.
    public var remaining: Double { line.length - offset }

    /// Whether it has come to the end.
    public var isAtEnd: Bool { offset >= line.length }
}
