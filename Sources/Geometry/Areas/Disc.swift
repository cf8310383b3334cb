import Glibc

/// All that is no farther than a radius from a centre.
struct Disc: Sendable, Equatable {
    let center: Coordinate
    /// In metres.
    let radius: Double

    /// The area over the ground, in square metres.
    var squareMetres: Double {
        let angle = radius / Ellipsoid.meanRadius
        let half = sin(angle / 2) * Ellipsoid.meanRadius
        return 4 * .pi * half * half
    }

    /// Returns how far a viewpoint is from the circle, in metres; 0 or less inside.
    @inline(__always)
    func distance(from viewpoint: Viewpoint) -> Double {
        viewpoint.distance(to: center) - radius
    }
}

extension Viewpoint {
    /// Returns how far another coordinate is, in metres.
    @inline(__always)
    func distance(to other: Coordinate) -> Double {
        let turn =
            GridPoint(
                other.latitude - coordinate.latitude,
                Ellipsoid.turn(from: coordinate.longitude, to: other.longitude)) * Grid.scale
        let position = map.position(of: turn)
        let chord = (position * position).sum().squareRoot()
        return chord < 1_000_000 ? PlaneMap.arc(ofChord: chord) : coordinate.distance(to: other)
    }
}
