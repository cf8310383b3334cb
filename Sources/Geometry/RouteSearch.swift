/// A place on a route as a search finds it: by segment and fraction, with the square of its distance on the map.
struct Sighting {
    /// Where it is.
    var spot: RouteLine.Spot
    /// The square of its distance on the map, in square metres.
    var square: Double
}

/// A short part of a route that is straight on the map.
struct Piece {
    /// Index of the segment that it is of.
    let index: Int
    /// The fractions of the segment where it begins and ends.
    let fractions: (Double, Double)
    /// Where it begins and ends on the map, from the place in question.
    let positions: (SIMD2<Double>, SIMD2<Double>)

    /// Returns the place at a share of the way along it.
    @inline(__always)
    func spot(_ share: Double) -> RouteLine.Spot {
        RouteLine.Spot(
            index: index, fraction: fractions.0 + share * (fractions.1 - fractions.0))
    }

    /// The share of the way at which it is nearest to the place in question; `nil` where it has no length.
    @inline(__always)
    var nearestShare: Double? {
        let way = positions.1 - positions.0
        let square = (way * way).sum()
        guard square > 0 else { return nil }
        return min(max(-(positions.0 * way).sum() / square, 0), 1)
    }

    /// The square of the distance at a share of the way.
    @inline(__always)
    func square(_ share: Double) -> Double {
        let position = positions.0 + share * (positions.1 - positions.0)
        return (position * position).sum()
    }
}

/// What a search does with the pieces that it comes by, in the order of the route.
protocol PieceVisitor {
    /// A distance on the map beyond which nothing is of interest, in metres.
    var bound: Double { get }
    /// Takes the next piece.
    mutating func visit(_ piece: Piece)
    /// Learns that pieces were left out which are farther than the bound.
    mutating func skip()
}

/// A search along a part of a route for what is near a place.
struct RouteSearch {
    private let line: RouteLine
    private let place: Coordinate
    private let map: PlaneMap
    private let start: Double
    private let end: Double

    /// Prepares the search of the part between two offsets.
    init(_ line: RouteLine, around place: Coordinate, from start: Double, to end: Double) {
        self.line = line
        self.place = place
        map = PlaneMap(around: place)
        self.start = line.clamped(start)
        self.end = max(line.clamped(end), self.start)
    }

    /// Returns the nearest place.
    func nearest(hint: Double?) -> Sighting {
        var finder = NearestFinder(first: line.spot(at: start))
        scan(&finder)
        return finder.best
    }

    /// Calls a closure with each local minimum that is not farther than `limit`.
    func forEachMinimum(upTo limit: Double, _ body: (Sighting) -> Void) {
        withoutActuallyEscaping(body) { report in
            var finder = PassFinder(limit: PlaneMap.chord(ofArc: limit), report: report)
            scan(&finder)
            finder.finish()
        }
    }

    /// Returns a place that was found in terms of offset and distance.
    func pass(_ sighting: Sighting) -> RouteLine.Pass {
        let offset = line.offset(of: sighting.spot)
        return RouteLine.Pass(
            offset: min(max(offset, start), end),
            distance: PlaneMap.arc(ofChord: sighting.square.squareRoot()))
    }

    private func scan(_ visitor: inout some PieceVisitor) {
        let first = line.spot(at: start)
        let last = line.spot(at: end)
        for index in first.index...last.index {
            let low = index == first.index ? first.fraction : 0
            let high = index == last.index ? last.fraction : 1
            scan(index, from: low, to: high, &visitor)
        }
    }

    private func scan(
        _ index: Int, from low: Double, to high: Double, _ visitor: inout some PieceVisitor
    ) {
        let segment = line.segment(index)
        let turn = map.turn(to: line.vertices[index])
        let piece = Piece(
            index: index, fractions: (low, high),
            positions: (
                map.position(of: turn + low * segment.extent),
                map.position(of: turn + high * segment.extent)
            ))
        guard segment.isCurved(length: line.segmentLength(index)) else {
            visitor.visit(piece)
            return
        }
        let bend = Bend(map: map, turn: turn, segment: segment)
        bend.scan(piece, &visitor)
    }
}
