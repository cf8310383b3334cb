/// The WGS 84 ellipsoid's shape, in metres.
enum Ellipsoid {
    /// Radius of the equator.
    static let equatorialRadius = 6_378_137.0
    /// How much shorter the polar radius is, as a share of the equatorial one.
    static let flattening = 1 / 298.257223563
    /// Square of the first eccentricity.
    static let eccentricity = flattening * (2 - flattening)
    /// Radius of the sphere with the same mean radius.
    static let meanRadius = equatorialRadius * (1 - flattening / 3)
    /// The least radius of curvature anywhere: northward on the equator.
    static let leastRadius = equatorialRadius * (1 - eccentricity)
    /// Radians in one degree.
    static let radian = Double.pi / 180

    /// Returns the radius of curvature towards north, where `sine` is the latitude's sine.
    @inline(__always)
    static func meridianRadius(sine: Double) -> Double {
        let w = 1 - eccentricity * sine * sine
        return equatorialRadius * (1 - eccentricity) / (w * w.squareRoot())
    }

    /// Returns the radius of curvature towards east, where `sine` is the latitude's sine.
    @inline(__always)
    static func normalRadius(sine: Double) -> Double {
        equatorialRadius / (1 - eccentricity * sine * sine).squareRoot()
    }

    /// Returns the shortest way from one longitude to another, -180 to 180, east of both where they are equal.
    @inline(__always)
    static func turn(from start: Double, to end: Double, circle: Double = 360) -> Double {
        let turn = end - start
        if turn > circle / 2 { return turn - circle }
        return turn < -circle / 2 ? turn + circle : turn
    }
}
