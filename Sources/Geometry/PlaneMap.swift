import Glibc

/// A flat map around one place, true in its distances from that place.
///
/// A point's position is the two sides of the haversine formula, each with the radius of curvature halfway. So
/// the length of the position is the straight way through the earth, right at the antimeridian and at the poles.
struct PlaneMap {
    /// The place in the middle.
    let center: GridPoint
    private let sine: Double
    private let cosine: Double
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
    @inline(__always)
    func position(of turn: GridPoint) -> SIMD2<Double> {
        guard abs(turn.x) < reach.x, abs(turn.y) < reach.y else { return farPosition(of: turn) }
        let square = turn * turn * (Grid.radian * Grid.radian / 24)
        return SIMD2(
            turn.y * (east.x + turn.x * (east.y + turn.x * east.z)) * (1 - square.y),
            turn.x * (north.x + turn.x * north.y) * (1 - square.x))
    }

    /// Returns where a place is on the map that is too far away, or too near a pole, for the series.
    private func farPosition(of turn: GridPoint) -> SIMD2<Double> {
        let angle = turn * (Grid.radian / 2)
        let halfNorth = sin(angle.x)
        let sineMiddle = sine * cos(angle.x) + cosine * halfNorth
        let cosines = max(0, 1 - sineMiddle * sineMiddle - halfNorth * halfNorth)
        return SIMD2(
            2 * Ellipsoid.normalRadius(sine: sineMiddle) * cosines.squareRoot() * sin(angle.y),
            2 * Ellipsoid.meridianRadius(sine: sineMiddle) * halfNorth)
    }

    /// Returns the distance on the map from the centre to a vertex, in metres.
    func distance(to vertex: SIMD2<Int32>) -> Double {
        let position = position(of: turn(to: vertex))
        return (position * position).sum().squareRoot()
    }

    /// Returns the units from the centre to a vertex, the shortest way around the earth.
    @inline(__always)
    func turn(to vertex: SIMD2<Int32>) -> GridPoint {
        GridPoint(
            Double(vertex.x) - center.x,
            Ellipsoid.turn(from: center.y, to: Double(vertex.y), circle: Grid.circle))
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
