import Glibc

/// Decimal degrees in 32 bits around a place: the more digits, the less they span.
///
/// Digits rather than bits, so that a vertex that people wrote onto an edge is on it exactly.
struct DecimalGrid: Sendable {
    /// Units in a degree: a power of ten.
    let scale: Double
    /// Where the grid's zero is, in units: latitude in `x`, longitude in `y`.
    let origin: SIMD2<Double>

    /// Creates the finest grid that holds all between two corners in degrees, whose longitude may go on beyond 180.
    init(from low: SIMD2<Double>, to high: SIMD2<Double>) {
        let span = (high - low).max()
        var scale = 1e10
        while span * scale > 4.2e9, scale > 1e6 { scale /= 10 }
        self.scale = scale
        origin = ((low + high) / 2 * scale).rounded(.toNearestOrAwayFromZero)
    }

    /// Returns the nearest point of the grid.
    func vertex(_ degrees: SIMD2<Double>) -> SIMD2<Int32> {
        let units = (degrees * scale).rounded(.toNearestOrAwayFromZero) - origin
        return SIMD2(Int32(units.x), Int32(units.y))
    }

    /// Returns a place in units, with its longitude less than half a circle from the grid's zero.
    @inline(__always)
    func units(_ coordinate: Coordinate) -> SIMD2<Double> {
        let units = SIMD2(coordinate.latitude, coordinate.longitude) * scale - origin
        return abs(units.y) <= 180 * scale ? units : wrapped(units)
    }

    /// Returns a place in units with its longitude less than half a circle from the grid's zero.
    func wrapped(_ units: SIMD2<Double>) -> SIMD2<Double> {
        let turns = (units.y / circle).rounded()
        return turns == 0 ? units : SIMD2(units.x, units.y - turns * circle)
    }

    /// Units in a whole circle.
    @inline(__always)
    var circle: Double { 360 * scale }

    /// Returns a place in degrees, with its longitude brought back into range.
    func coordinate(_ units: SIMD2<Double>) -> Coordinate {
        let degrees = (units + origin) / scale
        return Coordinate(
            latitude: degrees.x, longitude: CoordinateBox.inRange(degrees.y))
    }

    /// Returns a vertex in degrees, with its longitude brought back into range.
    func coordinate(_ vertex: SIMD2<Int32>) -> Coordinate {
        coordinate(SIMD2(Double(vertex.x), Double(vertex.y)))
    }
}
