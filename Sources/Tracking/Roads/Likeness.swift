import Geometry

/// How much of one way is another one.
enum Likeness {
    /// A way this near to another is the same road, in metres.
    static let reach = 30.0
    /// So much of its length on the same road makes a way the same way.
    static let same = 0.9

    /// The least distance between two places that are looked at, in metres.
    private static let step = 20.0
    /// The most places that are looked at.
    private static let mostSteps = 2000.0

    /// Whether a route is the same way as what lies ahead on another: most of it lies beside that.
    static func isSame(_ line: RouteLine, as other: RouteLine, from start: Double = 0) -> Bool {
        share(of: line, along: other, from: start) >= same
    }

    /// Returns how much of a route's length lies beside another route, 0 to 1; 1 of a route without length.
    ///
    /// - Parameter start: From this offset of the other on, in metres.
    static func share(of line: RouteLine, along other: RouteLine, from start: Double) -> Double {
        guard line.length > 0 else { return 1 }
        let count = min(max((line.length / step).rounded(.up), 1), mostSteps)
        var beside = 0.0
        var hint: Double?
        for index in 0..<Int(count) {
            let place = line.point(at: (Double(index) + 0.5) / count * line.length)
            let nearest = other.nearest(to: place, from: start, hint: hint)
            hint = nearest.offset
            if nearest.distance <= reach { beside += 1 }
        }
        return beside / count
    }

    /// Returns where a route leaves another, as the other's offset in metres.
    ///
    /// - Parameter start: The offset of the other near which the route begins.
    static func branch(of line: RouteLine, from other: RouteLine, at start: Double) -> Double {
        /// Of places this near to the other route, the last one is the branch; a road's width, in metres.
        let near = 10.0
        let step = min(Self.step / 2, max(line.length / 2, 1))
        var branch = start
        var last = start
        var offset = 0.0
        while offset <= line.length {
            let place = line.point(at: offset)
            let nearest = other.nearest(to: place, from: last, to: last + 10 * step, hint: last)
            if nearest.distance > reach { break }
            last = nearest.offset
            if nearest.distance <= near { branch = last }
            offset += step
        }
        return branch
    }
}
