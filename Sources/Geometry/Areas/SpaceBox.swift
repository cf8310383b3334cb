import Glibc

/// A box by its corners' ways from the earth's centre, in metres: in space there is neither an antimeridian nor a pole.
struct SpaceBox: Sendable {
    var low: SIMD4<Float>
    var high: SIMD4<Float>

    /// Creates a box that holds nothing.
    init() {
        low = SIMD4(.infinity, .infinity, .infinity, 0)
        high = SIMD4(-.infinity, -.infinity, -.infinity, 0)
    }

    /// Creates the box around all between two parallels and two meridians, and a metre more for the rounding.
    init(around box: CoordinateBox) {
        let straddles = box.south <= 0 && box.north >= 0
        let inmost = straddles ? 0 : min(abs(box.south), abs(box.north))
        let radii = (
            Self.radius(max(abs(box.south), abs(box.north))), Self.radius(inmost)
        )
        let x = Self.range(of: radii, times: Self.cosines(box, from: 0))
        let y = Self.range(of: radii, times: Self.cosines(box, from: 90))
        low = SIMD4(Float(x.0 - 1), Float(y.0 - 1), Float(Self.height(box.south) - 1), 0)
        high = SIMD4(Float(x.1 + 1), Float(y.1 + 1), Float(Self.height(box.north) + 1), 0)
    }

    /// Returns a coordinate's way from the earth's centre, in metres.
    static func point(_ coordinate: Coordinate) -> SIMD4<Float> {
        let radius = radius(coordinate.latitude)
        let angle = coordinate.longitude * Ellipsoid.radian
        return SIMD4(
            Float(radius * cos(angle)), Float(radius * sin(angle)),
            Float(height(coordinate.latitude)), 0)
    }

    /// The middle.
    var center: SIMD4<Float> { (low + high) / 2 }

    mutating func formUnion(_ other: SpaceBox) {
        low = low.least(other.low)
        high = high.greatest(other.high)
    }

    /// Returns the square of how far a point is from the box; 0 within it.
    @inline(__always)
    func square(to point: SIMD4<Float>) -> Float {
        let gap = (low - point).greatest(point - high).greatest(.zero)
        return (gap * gap).sum()
    }

    /// Whether a straight line through the earth comes within a margin of the box.
    @inline(__always)
    func meets(_ line: SpaceLine) -> Bool {
        let first = (low - line.margin - line.start) * line.inverse
        let second = (high + line.margin - line.start) * line.inverse
        let enters = first.least(second)
        let leaves = first.greatest(second)
        let start = max(max(enters.x, enters.y), max(enters.z, 0))
        return start <= min(min(leaves.x, leaves.y), min(leaves.z, 1))
    }

    /// Metres from the earth's axis.
    private static func radius(_ latitude: Double) -> Double {
        let angle = latitude * Ellipsoid.radian
        return Ellipsoid.normalRadius(sine: sin(angle)) * max(0, cos(angle))
    }

    /// Metres north of the equator's plane.
    private static func height(_ latitude: Double) -> Double {
        let sine = sin(latitude * Ellipsoid.radian)
        return Ellipsoid.normalRadius(sine: sine) * (1 - Ellipsoid.eccentricity) * sine
    }

    /// Returns the least and the greatest cosine of a box's longitudes, counted from a meridian.
    private static func cosines(
        _ box: CoordinateBox, from meridian: Double
    ) -> (Double, Double) {
        let ends = (
            cos((box.west - meridian) * Ellipsoid.radian),
            cos((box.east - meridian) * Ellipsoid.radian)
        )
        let opposite = CoordinateBox.inRange(meridian + 180)
        return (
            box.offset(of: opposite) <= box.width ? -1 : min(ends.0, ends.1),
            box.offset(of: meridian) <= box.width ? 1 : max(ends.0, ends.1)
        )
    }

    private static func range(
        of radii: (Double, Double), times cosines: (Double, Double)
    ) -> (Double, Double) {
        (
            cosines.0 * (cosines.0 < 0 ? radii.1 : radii.0),
            cosines.1 * (cosines.1 > 0 ? radii.1 : radii.0)
        )
    }
}

/// A way as boxes in space are compared with it: the straight line between its ends, and how far from that the way goes.
struct SpaceLine {
    let start: SIMD4<Float>
    /// One by the way to the end.
    let inverse: SIMD4<Float>
    let margin: SIMD4<Float>

    /// Creates the line of a way and what is within some metres of it.
    init(_ way: Way, within metres: Double) {
        start = SpaceBox.point(way.start)
        var extent = SpaceBox.point(way.end) - start
        let chord = Double((extent * extent).sum().squareRoot())
        extent.replace(with: 1e-6, where: extent.greatest(-extent) .< 1e-6)
        inverse = 1 / extent
        // From one end to the other by any place of the way is no farther than along the way.
        let length = way.length
        let aside = max(0, length * length - chord * chord).squareRoot() / 2
        margin = SIMD4(repeating: Float((aside + max(0, metres)) * 1.000001 + 2))
    }
}
