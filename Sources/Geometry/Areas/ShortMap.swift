/// The flat map around a viewpoint for an outline of short edges that is all within some kilometres.
///
/// Its loop over edges has hardly a branch: which end of an edge is nearer cannot be foreseen.
struct ShortMap {
    /// How far an outline may reach in a route's units, 5 km of latitude: so far a way through the earth is as long as
    /// the one over the ground to a tenth of a millimetre.
    static let reach = 450_000.0

    private let zero: GridPoint
    private let factor: Double
    private let east: SIMD3<Double>
    private let north: SIMD2<Double>

    /// Creates the map.
    ///
    /// - Parameters:
    ///   - zero: The way from the viewpoint to the outline's zero, in a route's units.
    ///   - factor: A route's units in one of the outline's.
    @inline(__always)
    init(_ map: PlaneMap, zero: GridPoint, factor: Double) {
        self.zero = zero
        self.factor = factor
        (east, north) = map.series
    }

    /// Returns the nearest place of some edges that follow each other, and whether a ray to the east crosses an odd
    /// number of them.
    @inline(__always)
    func scan(
        _ vertices: [SIMD2<Int32>], _ edges: Range<Int>
    ) -> (nearest: Sighting, isOdd: Bool) {
        var least = Double.infinity
        var best = (index: edges.lowerBound, share: 0.0)
        var isOdd = false
        var turn = self.turn(to: vertices[edges.lowerBound])
        var start = position(turn)
        for index in edges {
            let next = self.turn(to: vertices[index + 1])
            let end = position(next)
            let side = turn.east * next.north - turn.north * next.east
            let crosses = (turn.north > 0) != (next.north > 0)
            isOdd = isOdd != (crosses && (side > 0) == (next.north > 0))
            let (x, y) = (end.x - start.x, end.y - start.y)
            // An edge without length is all at its beginning.
            let length = max(x * x + y * y, .leastNormalMagnitude)
            let share = min(max(-(start.x * x + start.y * y) / length, 0), 1)
            let place = (x: start.x + share * x, y: start.y + share * y)
            let square = place.x * place.x + place.y * place.y
            if square < least {
                least = square
                best = (index, share)
            }
            turn = next
            start = end
        }
        let spot = RouteLine.Spot(index: best.index, fraction: best.share)
        return (Sighting(spot: spot, square: least), isOdd)
    }

    @inline(__always)
    private func turn(to vertex: SIMD2<Int32>) -> (north: Double, east: Double) {
        (zero.x + Double(vertex.x) * factor, zero.y + Double(vertex.y) * factor)
    }

    @inline(__always)
    private func position(_ turn: (north: Double, east: Double)) -> (x: Double, y: Double) {
        (
            turn.east * (east.x + turn.north * (east.y + turn.north * east.z)),
            turn.north * (north.x + turn.north * north.y)
        )
    }
}
