import Glibc

/// All between two parallels and two meridians.
///
/// Where `west` is greater than `east` it crosses the antimeridian; from -180 to 180 it goes all round the earth.
public struct CoordinateBox: Hashable, Sendable {
    /// Degrees of the southern edge, -90 to 90.
    public var south: Double
    /// Degrees of the western edge, -180 to 180.
    public var west: Double
    /// Degrees of the northern edge, -90 to 90.
    public var north: Double
    /// Degrees of the eastern edge, -180 to 180.
    public var east: Double

    /// Creates a box from degrees; the values are taken as they are, also out of range.
    public init(south: Double, west: Double, north: Double, east: Double) {
        self.south = south
        self.west = west
        self.north = north
        self.east = east
    }

    /// Creates the box around one coordinate.
    public init(_ coordinate: Coordinate) {
        self.init(
            south: coordinate.latitude, west: coordinate.longitude, north: coordinate.latitude,
            east: coordinate.longitude)
    }

    /// Creates the smallest box around some coordinates; `nil` around none.
    ///
    /// Of the boxes that differ in the meridians, it is the one that leaves out the widest gap.
    public init?(around coordinates: [Coordinate]) {
        let meridians = coordinates.map(\.longitude).sorted()
        guard let first = meridians.first, let last = meridians.last else { return nil }
        var gap = (width: first + 360 - last, west: first, east: last)
        for (east, west) in zip(meridians, meridians.dropFirst()) where west - east > gap.width {
            gap = (west - east, west, east)
        }
        let latitudes = coordinates.map(\.latitude)
        self.init(
            south: latitudes.min() ?? 0, west: gap.west, north: latitudes.max() ?? 0,
            east: gap.east)
    }

    /// How wide it is, in degrees, 0 to 360.
    public var width: Double { west <= east ? east - west : east - west + 360 }

    /// Whether it goes all round the earth.
    public var isBelt: Bool { width >= 360 }

    /// Whether a coordinate is within it or on its edge.
    public func contains(_ coordinate: Coordinate) -> Bool {
        coordinate.latitude >= south && coordinate.latitude <= north
            && offset(of: coordinate.longitude) <= width
    }

    /// Whether it and another box have a place in common.
    public func meets(_ other: CoordinateBox) -> Bool {
        south <= other.north && other.south <= north
            && (offset(of: other.west) <= width || other.offset(of: west) <= other.width)
    }

    /// Returns how far a longitude lies east of the western edge, in degrees, 0 to below 360.
    func offset(of longitude: Double) -> Double {
        let offset = longitude - west
        if offset < 0 { return offset + 360 }
        return offset < 360 ? offset : offset - 360
    }

    /// Returns the box around this one and all that is no farther from it than some metres.
    public func expanded(by metres: Double) -> CoordinateBox {
        guard metres > 0 else { return self }
        // The smallest radius of curvature, so that the box is never too small.
        let angle = metres * 1.0001 / Ellipsoid.leastRadius
        let north = north + angle / Ellipsoid.radian
        let south = south - angle / Ellipsoid.radian
        guard north < 90, south > -90, angle < .pi / 2 else {
            return CoordinateBox(
                south: max(-90, south), west: -180, north: min(90, north), east: 180)
        }
        let widest = max(abs(self.north), abs(self.south)) * Ellipsoid.radian
        let turn = asin(min(1, sin(angle) / cos(widest))) / Ellipsoid.radian
        guard width + 2 * turn < 360 else {
            return CoordinateBox(south: south, west: -180, north: north, east: 180)
        }
        return CoordinateBox(
            south: south, west: Self.inRange(west - turn), north: north,
            east: Self.inRange(east + turn))
    }

    /// Returns a longitude brought back into range.
    static func inRange(_ longitude: Double) -> Double {
        if longitude > 180 { return inRange(longitude - 360) }
        return longitude < -180 ? inRange(longitude + 360) : longitude
    }
}
