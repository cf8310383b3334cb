import Glibc

/// A place in a route's own units, ten millionths of a degree: latitude in `x`, longitude in `y`.
typealias GridPoint = SIMD2<Double>

/// The units of a route's vertices.
enum Grid {
    /// Units in one degree: the resolution is about a centimetre.
    static let scale = 1e7
    /// Units in a whole circle.
    static let circle = 360 * scale
    /// Radians in one unit.
    static let radian = Ellipsoid.radian / scale

    /// Returns a vertex as a coordinate.
    static func coordinate(_ vertex: SIMD2<Int32>) -> Coordinate {
        Coordinate(latitude: Double(vertex.x) / scale, longitude: Double(vertex.y) / scale)
    }

    /// Returns a place as a coordinate, with its longitude brought back into range.
    static func coordinate(_ point: GridPoint) -> Coordinate {
        var east = point.y / scale
        if east > 180 { east -= 360 }
        if east < -180 { east += 360 }
        return Coordinate(latitude: point.x / scale, longitude: east)
    }
}

/// A part of a route from one vertex to the next: straight in longitude and latitude.
///
/// Places on it are told by the fraction of the way in longitude and latitude, 0 to 1. The way over the ground
/// does not grow evenly with it where a long segment changes its latitude.
struct RouteSegment {
    /// Where it begins.
    let origin: GridPoint
    /// Where it ends, seen from where it begins.
    let extent: GridPoint

    /// Creates the segment from a place, by the way to its end.
    @inline(__always)
    init(origin: GridPoint, extent: GridPoint) {
        self.origin = origin
        self.extent = extent
    }

    /// Creates the segment between two vertices, the shortest way around the earth.
    @inline(__always)
    init(from start: SIMD2<Int32>, to end: SIMD2<Int32>) {
        origin = GridPoint(Double(start.x), Double(start.y))
        extent = GridPoint(
            Double(end.x) - origin.x,
            Ellipsoid.turn(from: origin.y, to: Double(end.y), circle: Grid.circle))
    }

    /// Returns the place at a fraction of the way.
    @inline(__always)
    func point(at fraction: Double) -> GridPoint {
        origin + fraction * extent
    }

    /// Returns the direction of travel at a fraction of the way; `nil` where the segment has no length.
    func course(at fraction: Double) -> Double? {
        guard extent != .zero else { return nil }
        let velocity = velocity(at: fraction)
        return Coordinate.course(north: velocity.x, east: velocity.y)
    }

    /// Whether its way over the ground bends or stretches enough to matter, so that it must be taken in pieces.
    ///
    /// The bend of a line along a parallel is its length times its turn in longitude over 8.
    @inline(__always)
    func isCurved(length: Double) -> Bool {
        length * abs(extent.y) > 0.04 / Grid.radian || length > 2000
            || abs(origin.x) + abs(extent.x) > 89 * Grid.scale
    }

    /// Returns the way over the ground from the beginning up to a fraction, in metres.
    func length(upTo fraction: Double) -> Double {
        // Five nodes are exact to a millionth for 10 degrees of latitude.
        let panels = (abs(extent.x) * fraction / (10 * Grid.scale)).rounded(.down) + 1
        let width = fraction / panels
        var sum = 0.0
        var start = 0.0
        for _ in 0..<Int(panels) {
            let middle = start + width / 2
            sum += 0.5688888888888889 * speed(at: middle)
            for (node, weight) in Self.nodes {
                let reach = node * width / 2
                sum += weight * (speed(at: middle - reach) + speed(at: middle + reach))
            }
            start += width
        }
        return sum * width / 2
    }

    /// Gauss's and Legendre's nodes on both sides of the middle one, with their weights.
    private static let nodes = [
        (0.5384693101056831, 0.47862867049936647), (0.906179845938664, 0.23692688505618908),
    ]

    /// Returns the way over the ground, in metres.
    func length() -> Double {
        let chord = speed(at: 0.5)
        return isCurved(length: chord) ? length(upTo: 1) : chord
    }

    /// Returns the way from the beginning up to a fraction of a segment that has a certain length, in metres.
    func offset(at fraction: Double, of length: Double) -> Double {
        guard isCurved(length: length), fraction > 0, fraction < 1 else { return fraction * length }
        return min(self.length(upTo: fraction), length)
    }

    /// Returns the fraction that is a certain way from the beginning, of a segment that has a certain length.
    func fraction(at offset: Double, of length: Double) -> Double {
        guard length > 0 else { return 0 }
        var fraction = min(max(offset / length, 0), 1)
        guard isCurved(length: length), fraction > 0, fraction < 1 else { return fraction }
        // The speed changes slowly, so that Newton's steps end soon; near a pole they are kept in bounds.
        var low = 0.0
        var high = 1.0
        for _ in 0..<24 {
            let error = self.length(upTo: fraction) - offset
            if abs(error) < 0.0001 { break }
            if error > 0 { high = fraction } else { low = fraction }
            let next = fraction - error / speed(at: fraction)
            fraction = next > low && next < high ? next : (low + high) / 2
        }
        return fraction
    }

    /// The most metres over the ground for each whole of the fraction, or a little more.
    var topSpeed: Double {
        let ends = (origin.x, origin.x + extent.x)
        let crosses = ends.0 * ends.1 <= 0
        let widest = crosses ? 0 : min(abs(ends.0), abs(ends.1))
        let across = extent.y * cos(widest * Grid.radian)
        return 6.42e6 * Grid.radian * (extent.x * extent.x + across * across).squareRoot()
    }

    /// Metres over the ground for each whole of the fraction.
    private func speed(at fraction: Double) -> Double {
        let velocity = velocity(at: fraction)
        return (velocity * velocity).sum().squareRoot()
    }

    /// Metres to the north and to the east for each whole of the fraction.
    private func velocity(at fraction: Double) -> SIMD2<Double> {
        let sine = sin((origin.x + fraction * extent.x) * Grid.radian)
        let cosine = max(0, 1 - sine * sine).squareRoot()
        return Grid.radian * extent
            * SIMD2(
                Ellipsoid.meridianRadius(sine: sine),
                Ellipsoid.normalRadius(sine: sine) * cosine)
    }
}
