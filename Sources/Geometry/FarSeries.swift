import Glibc

/// The squares of the ways through the earth from one place to those around another, which is far from it.
///
/// It takes the other's neighbourhood to the second order, which is right to a millimetre within two kilometres
/// unless a pole is near.
struct FarSeries {
    private let center: GridPoint
    /// The square at the centre.
    private let square: Double
    /// What it grows by for each unit of latitude and of longitude.
    private let slope: GridPoint
    /// What it grows by for the square of each, and for both together.
    private let bend: SIMD3<Double>
    /// Square metres for the square of a unit of latitude and of longitude.
    private let metric: GridPoint

    /// Creates the series.
    ///
    /// - Parameters:
    ///   - place: The place's sine and cosine of latitude.
    ///   - turn: The way from the place to the centre in latitude and longitude, in radians.
    ///   - vertex: The centre.
    init(
        from place: (sine: Double, cosine: Double), to turn: SIMD2<Double>,
        around vertex: SIMD2<Int32>
    ) {
        center = GridPoint(Double(vertex.x), Double(vertex.y))
        let latitude = center.x * Grid.radian
        let (sine, cosine) = (Glibc.sin(latitude), Glibc.cos(latitude))
        let polar = 1 - Ellipsoid.eccentricity
        let radius = Ellipsoid.normalRadius(sine: sine)
        let meridian = Ellipsoid.meridianRadius(sine: sine)
        let across = radius * cosine
        let outset = Ellipsoid.normalRadius(sine: place.sine)
        let (facing, aside) = (
            outset * place.cosine * cos(turn.y), outset * place.cosine * sin(turn.y)
        )
        let up = polar * (radius * sine - outset * place.sine)
        let (out, side) = (across - facing, aside)
        square = out * out + side * side + up * up
        let unit = Grid.radian
        slope = GridPoint(2 * meridian * (up * cosine - out * sine), 2 * across * aside) * unit
        bend =
            SIMD3(
                meridian * (meridian - out * cosine - up * sine), across * facing,
                -2 * meridian * sine * aside) * (unit * unit)
        metric = GridPoint(meridian * meridian, across * across) * (unit * unit)
    }

    /// Returns the units from the centre to a vertex that is near it, the shortest way around the earth.
    @inline(__always)
    func turn(to vertex: SIMD2<Int32>) -> GridPoint {
        GridPoint(
            Double(vertex.x) - center.x,
            Ellipsoid.turn(from: center.y, to: Double(vertex.y), circle: Grid.circle))
    }

    /// Returns the square of the way to a place, in square metres.
    @inline(__always)
    func square(at turn: GridPoint) -> Double {
        square + turn.x * (slope.x + turn.x * bend.x + turn.y * bend.z)
            + turn.y * (slope.y + turn.y * bend.y)
    }

    /// Returns where a straight line begins and ends on a flat map that shows its distances truly.
    @inline(__always)
    func positions(
        from start: Double, to end: Double, along way: GridPoint
    ) -> (SIMD2<Double>, SIMD2<Double>) {
        let distance = start.squareRoot()
        let length = (way * way * metric).sum()
        let ahead = (end - start - length) / (2 * distance)
        return (
            SIMD2(distance, 0),
            SIMD2(distance + ahead, max(0, length - ahead * ahead).squareRoot())
        )
    }
}
