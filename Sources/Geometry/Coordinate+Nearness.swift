extension Coordinate {
    /// The least and the most metres of a radian towards north and towards east, the latter on the equator.
    private static let least = (north: Ellipsoid.leastRadius, east: Ellipsoid.equatorialRadius)
    private static let most =
        Ellipsoid.equatorialRadius * Ellipsoid.equatorialRadius
        / (Ellipsoid.equatorialRadius * (1 - Ellipsoid.flattening))

    /// Whether another place is farther away than some metres.
    ///
    /// It is what `distance(to:)` says, and cheaper where that need not be known exactly.
    public func isFarther(from other: Coordinate, than metres: Double) -> Bool {
        let north = abs(other.latitude - latitude) * Ellipsoid.radian
        guard north * Self.least.north <= metres, metres < 100_000 else {
            return metres < 100_000 || distance(to: other) > metres
        }
        let east = abs(Ellipsoid.turn(from: longitude, to: other.longitude)) * Ellipsoid.radian
        // On the widest parallel between the two, and on the narrowest.
        let (near, far) = abs(latitude) < abs(other.latitude) ? (self, other) : (other, self)
        let widest = Self.cosines(of: near.latitude).above * east
        let square = metres * metres
        if (north * north + widest * widest) * Self.most * Self.most <= square { return false }
        let narrowest = Self.cosines(of: far.latitude).below * east
        let up = north * Self.least.north
        let across = narrowest * Self.least.east
        // A way over parallels is shorter than along them, but not by a thousandth this near.
        if east < 0.05, (up * up + across * across) * 0.998 > square { return true }
        return distance(to: other) > metres
    }

    /// Returns a little less and a little more than a latitude's cosine, by a series of few terms.
    @inline(__always)
    private static func cosines(of latitude: Double) -> (below: Double, above: Double) {
        let angle = latitude * Ellipsoid.radian
        let square = angle * angle
        let below = 1 - square / 2 * (1 - square / 12 * (1 - square / 30))
        return (max(below, 0), below + square * square * square * square / 40_320)
    }
}
