import Glibc

/// What of the roads an area closes: where routes are looked at for what may not be driven.
///
/// An area with an inside closes all roads in it. A line closes the road along it in its direction alone, so that the
/// other carriageway and what crosses it stay open. A point closes the road that passes it, both ways.
public struct RoadClosure: Sendable, Equatable {
    /// A route this near to a point drives past it, in metres: as far as a carriageway's middle may be from a click.
    public static let pointReach = 20.0
    /// A route this near to a line may drive along it, in metres.
    public static let lineReach = 7.5

    /// So much of a line must be driven along to be on its road, in metres: crossing it at a slant is less.
    private static let alongLine = 25.0
    /// What lies deeper in an area than this is in it, in metres: vertices are rounded.
    private static let touch = 0.1

    /// What closes the road, as it was given.
    public let area: Area
    /// The rings around what is closed, each without holes and closed; `nil` where rings do not tell it: of points, of
    /// lines, which have a direction, and of areas with holes.
    public let rings: [[Coordinate]]?
    /// The area around it within which a route is looked at.
    private let region: Area
    /// The line to be driven along; `nil` of all else.
    private let guide: RouteLine?

    /// Creates the closure of an area; `nil` where the area cannot be widened, as around a pole.
    public init?(_ area: Area) {
        self.area = area
        rings = Self.rings(of: area)
        switch area.shape {
        case .point(let coordinate):
            guard
                let region = try? Area(.circle(center: coordinate, radius: Self.pointReach))
            else { return nil }
            self.region = region
            guide = nil
        case .line(let coordinates, let width):
            let strip = Area.Shape.line(coordinates, width: max(width, 2 * Self.lineReach))
            guard let region = try? Area(strip), let guide = RouteLine(coordinates) else {
                return nil
            }
            self.region = region
            self.guide = guide
        case .circle, .rectangle, .polygon:
            region = area
            guide = nil
        }
    }

    /// The box outside which it closes nothing.
    public var box: CoordinateBox { region.box }

    /// Whether a place is where the road is closed: no way leads there or away but through it.
    public func contains(_ coordinate: Coordinate) -> Bool { region.contains(coordinate) }

    /// Returns how far a place is from what is closed, in metres; 0 or less where it is inside.
    public func distance(from coordinate: Coordinate) -> Double {
        region.distance(from: coordinate)
    }

    /// Returns the offset at which a route drives first on what is closed; `nil` where it does not.
    ///
    /// - Parameters:
    ///   - line: The route.
    ///   - start: Offset in metres from where on it is looked at, brought onto the route.
    ///   - end: Offset in metres up to which it is looked at.
    public func crossing(
        of line: RouteLine, from start: Double = 0, to end: Double = .infinity
    ) -> Double? {
        for piece in region.pieces(of: line, from: start, to: end) {
            if let offset = closed(piece, of: line) { return offset }
        }
        return nil
    }

    /// Returns the pieces of a route that are driven on what is closed, in order, as offsets in metres.
    public func crossings(of line: RouteLine) -> [ClosedRange<Double>] {
        region.pieces(of: line).compactMap { piece in
            closed(piece, of: line).map { $0...max($0, piece.end) }
        }
    }

    /// Returns where in a piece of a route within the region that drives first on what is closed.
    private func closed(_ piece: AreaPiece, of line: RouteLine) -> Double? {
        guard let guide else { return piece.length > Self.touch ? piece.start : nil }
        return Self.departure(of: line, within: piece, along: guide)
    }

    /// Returns where a piece of a route begins to drive along a line in its direction; `nil` where it does not.
    private static func departure(
        of line: RouteLine, within piece: AreaPiece, along guide: RouteLine
    ) -> Double? {
        let enough = min(alongLine, guide.length / 2)
        var least: (way: Double, offset: Double)?
        for offset in line.vertexOffsets(from: piece.start, to: piece.end) {
            let way = guide.nearest(to: line.point(at: offset)).offset
            if let least, way - least.way >= enough { return least.offset }
            if way < least?.way ?? .infinity { least = (way, offset) }
        }
        return nil
    }

    private static func rings(of area: Area) -> [[Coordinate]]? {
        switch area.shape {
        case .point, .line: return nil
        case .circle(let center, let radius):
            let corners = 32
            // Around the circle, so that no sliver of it stays open.
            let reach = radius / cos(.pi / Double(corners))
            let ring = (0..<corners).map {
                center.destination(course: 360 * Double($0) / Double(corners), distance: reach)
            }
            return [ring + [ring[0]]]
        case .rectangle(let box):
            guard box.width < 180 else { return nil }
            let (west, east) = (box.west, box.east)
            let corners = [
                (box.south, west), (box.south, east), (box.north, east), (box.north, west),
            ]
            return [
                (corners + [corners[0]]).map { Coordinate(latitude: $0.0, longitude: $0.1) }
            ]
        case .polygon(let parts):
            return parts.allSatisfy { $0.count == 1 } ? parts.flatMap(\.self) : nil
        }
    }
}
