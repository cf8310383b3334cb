import Glibc

/// A flat map around one place, true in its distances from that place.
///
/// A position has the direction of the haversine formula's two sides, and the straight way through the earth as its
/// length: right at the antimeridian, at the poles and on the other side of the earth. Near the centre a series with
/// the radii of curvature gives the same.
struct PlaneMap {
    /// The place in the middle.
    let center: GridPoint
    private let sine: Double
    /// Cosine of the centre's latitude, or a little more at a pole.
    let cosine: Double
    /// How far a series of few terms will do, in units: towards north, and towards east.
    private let reach: GridPoint
    /// Metres east for each unit of longitude, as a series of the units of latitude.
    private let east: SIMD3<Double>
    /// Metres north for each unit of latitude, as a series of the units of latitude.
    private let north: SIMD2<Double>

    /// Creates the map around a place.
    init(around place: Coordinate) {
        center = GridPoint(place.latitude, place.longitude) * Grid.scale
        let latitude = place.latitude * Ellipsoid.radian
        sine = sin(latitude)
        cosine = max(cos(latitude), 1e-12)
        let radian = Grid.radian
        let tangent = sine / cosine
        let bulge =
            Ellipsoid.eccentricity * sine * cosine / (1 - Ellipsoid.eccentricity * sine * sine)
        let up = Ellipsoid.meridianRadius(sine: sine) * radian
        let across = Ellipsoid.normalRadius(sine: sine) * cosine * radian
        north = SIMD2(up, up * 1.5 * bulge * radian)
        east = SIMD3(
            across, across * (bulge - tangent) / 2 * radian,
            -across * (0.25 + tangent * tangent / 8) * radian * radian)
        reach = GridPoint(0.02 / max(1, abs(tangent)), 0.1) / radian
    }

    /// Returns where a place is on the map, in metres to the east and to the north.
    ///
    /// - Parameter turn: The place's units of latitude and longitude from the centre, the latter below one and a
    ///   half circles.
    func position(of turn: GridPoint) -> SIMD2<Double> {
        isNear(turn) ? nearPosition(of: turn) : farPosition(of: turn)
    }

    /// Whether a place is where the series will do.
    @inline(__always)
    func isNear(_ turn: GridPoint) -> Bool {
        abs(turn.x) < reach.x && abs(turn.y) < reach.y
    }

    /// Returns where a vertex is on the map that is nearer than `nearDistance`.
    @inline(__always)
    func nearPosition(of vertex: SIMD2<Int32>) -> SIMD2<Double> {
        nearPosition(of: GridPoint(Double(vertex.x), Double(vertex.y)) - center)
    }

    /// A distance from the centre, in metres, within which the series will do and no antimeridian is.
    var nearDistance: Float {
        // A little less than along the meridian and the parallel, for the bends of both.
        let toAntimeridian = (Grid.circle / 2 - abs(center.y)) * east.x
        return Float(0.98 * min(reach.x * north.x, toAntimeridian))
    }

    /// Returns the direction of a line through the centre as a vector of length one; zero where it has no length.
    func direction(of extent: GridPoint) -> SIMD2<Double> {
        let way = SIMD2(extent.y * east.x, extent.x * north.x)
        let length = (way.x * way.x + way.y * way.y).squareRoot()
        return length > 0 ? way / length : .zero
    }

    /// Returns where a place is on the map for which the series will do.
    @inline(__always)
    func nearPosition(of turn: GridPoint) -> SIMD2<Double> {
        let square = turn * turn * (Grid.radian * Grid.radian / 24)
        return SIMD2(
            turn.y * (east.x + turn.x * (east.y + turn.x * east.z)) * (1 - square.y),
            turn.x * (north.x + turn.x * north.y) * (1 - square.x))
    }

    /// Metres east for each unit of longitude, and north for each unit of latitude, as series of the units of latitude.
    var series: (east: SIMD3<Double>, north: SIMD2<Double>) { (east, north) }

    /// Returns where a place is on the map that is too far away, or too near a pole, for the series.
    private func farPosition(of turn: GridPoint) -> SIMD2<Double> {
        let half = turn * (Grid.radian / 2)
        let (halfNorth, halfEast) = (sin(half.x), sin(half.y))
        let (sineNorth, cosineNorth) = (2 * halfNorth * cos(half.x), 1 - 2 * halfNorth * halfNorth)
        let sineThere = sine * cosineNorth + cosine * sineNorth
        let cosineThere = max(0, cosine * cosineNorth - sine * sineNorth)
        let position = SIMD2(2 * (cosine * cosineThere).squareRoot() * halfEast, 2 * halfNorth)
        let length = (position.x * position.x + position.y * position.y).squareRoot()
        guard length > 0 else { return .zero }
        // The sphere's picture, stretched to the way through the ellipsoid.
        let radii = (Ellipsoid.normalRadius(sine: sine), Ellipsoid.normalRadius(sine: sineThere))
        let across = (radii.0 * cosine, radii.1 * cosineThere)
        let up = (1 - Ellipsoid.eccentricity) * (radii.1 * sineThere - radii.0 * sine)
        let out = across.1 - across.0
        let square = out * out + 4 * across.0 * across.1 * halfEast * halfEast + up * up
        return position * (square.squareRoot() / length)
    }

    /// Returns a series of the squares of the distances of places around a vertex that is far away.
    func series(around vertex: SIMD2<Int32>) -> FarSeries {
        let turn = turn(to: vertex) * Grid.radian
        return FarSeries(from: (sine, cosine), to: turn, around: vertex)
    }

    /// Returns the centre, whose longitude is given in degrees, by its way from the earth's.
    func ball(longitude: Double) -> Ball {
        let radius = Ellipsoid.normalRadius(sine: sine)
        let angle = longitude * Ellipsoid.radian
        return Ball(
            Float(radius * cosine * cos(angle)), Float(radius * cosine * sin(angle)),
            Float(radius * (1 - Ellipsoid.eccentricity) * sine), 0)
    }

    /// Returns the distance on the map from the centre to a vertex, in metres.
    func distance(to vertex: SIMD2<Int32>) -> Double {
        let position = position(of: turn(to: vertex))
        return (position * position).sum().squareRoot()
    }

    /// Returns the units from the centre to a vertex, the shortest way around the earth.
    @inline(__always)
    func turn(to vertex: SIMD2<Int32>) -> GridPoint {
        turn(to: GridPoint(Double(vertex.x), Double(vertex.y)))
    }

    /// Returns the units from the centre to a place, the shortest way around the earth.
    @inline(__always)
    func turn(to place: GridPoint) -> GridPoint {
        GridPoint(
            place.x - center.x,
            Ellipsoid.turn(from: center.y, to: place.y, circle: Grid.circle))
    }
}

extension PlaneMap {
    /// Returns the way over the ground where the way through the earth is `chord`.
    static func arc(ofChord chord: Double) -> Double {
        // Below 1 km they differ by less than a micrometre.
        chord < 1000 ? chord : Coordinate.arc(ofChord: chord)
    }

    /// Returns the way through the earth where the way over the ground is `arc`.
    static func chord(ofArc arc: Double) -> Double {
        let diameter = 2 * Ellipsoid.meanRadius
        guard arc < diameter * .pi / 2 else { return .infinity }
        return arc < 1000 ? arc : diameter * sin(arc / diameter)
    }
}
