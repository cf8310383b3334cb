/// A place on a route as a search finds it: by segment and fraction, with the square of its distance on the map.
struct Sighting {
    /// Where it is.
    var spot: RouteLine.Spot
    /// The square of its distance on the map, in square metres.
    var square: Double
}

/// A short part of a route that is straight on the map.
struct Piece {
    /// Where the distance from the place in question is least.
    enum Nearest {
        /// At the beginning: the distance only grows.
        case beginning
        /// At a share of the way, with the square of its distance.
        case between(share: Double, square: Double)
        /// At the end: the distance only falls.
        case end
        /// Everywhere: the piece has no length.
        case everywhere
    }

    /// Index of the segment that it is of.
    let index: Int
    /// The fractions of the segment where it begins and ends.
    let fractions: (Double, Double)
    /// Where it begins and ends on the map, from the place in question.
    let positions: (SIMD2<Double>, SIMD2<Double>)

    /// Where the distance from the place in question is least.
    @inline(__always)
    var nearest: Nearest {
        let (start, end) = positions
        let way = end - start
        let square = way.x * way.x + way.y * way.y
        let forward = -(start.x * way.x + start.y * way.y)
        if forward <= 0 { return square > 0 ? .beginning : .everywhere }
        if forward >= square { return .end }
        let area = start.x * way.y - start.y * way.x
        return .between(share: forward / square, square: area * area / square)
    }

    /// Where it begins.
    @inline(__always)
    var beginning: Sighting {
        Sighting(spot: RouteLine.Spot(index: index, fraction: fractions.0), square: squares.0)
    }

    /// Where it ends.
    @inline(__always)
    var end: Sighting {
        Sighting(spot: RouteLine.Spot(index: index, fraction: fractions.1), square: squares.1)
    }

    /// The squares of the distances of its ends.
    @inline(__always)
    var squares: (Double, Double) {
        let (start, end) = positions
        return (start.x * start.x + start.y * start.y, end.x * end.x + end.y * end.y)
    }

    /// Returns the place at a share of the way along it, whose squared distance is known.
    @inline(__always)
    func sighting(_ share: Double, _ square: Double) -> Sighting {
        let fraction = fractions.0 + share * (fractions.1 - fractions.0)
        return Sighting(spot: RouteLine.Spot(index: index, fraction: fraction), square: square)
    }
}

/// What a search does with the pieces that it comes by.
protocol PieceVisitor {
    /// A distance on the map beyond which nothing is of interest, in metres.
    var bound: Double { get }
    /// Takes a piece.
    mutating func visit(_ piece: Piece)
    /// Learns that pieces were left out which are farther than the bound.
    mutating func skip()
}
