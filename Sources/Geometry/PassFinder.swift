/// Finds the nearest place of all pieces, the first where several are as near.
struct NearestFinder: PieceVisitor {
    private(set) var best: Sighting

    /// Creates a finder that has seen nothing, and answers with `first` as long as it has not.
    init(first: RouteLine.Spot) {
        best = Sighting(spot: first, square: .infinity)
    }

    var bound: Double { best.square.squareRoot() }

    @inline(__always)
    mutating func visit(_ piece: Piece) {
        let share = piece.nearestShare ?? 0
        let square = piece.square(share)
        guard square < best.square else { return }
        best = Sighting(spot: piece.spot(share), square: square)
    }

    mutating func skip() {}
}

/// Finds the local minima of the distance along a row of pieces.
struct PassFinder: PieceVisitor {
    private enum State {
        /// Nothing is known but that what comes next begins a row.
        case beginning
        /// The distance falls, or has risen by less than counts; a real rise makes the lowest place a minimum.
        case falling(lowest: Sighting)
        /// The distance rises, or has fallen by less than counts; a real fall leads to `falling`.
        case rising(highest: Double)
    }

    private let limit: Double
    private let report: (Sighting) -> Void
    private var state = State.beginning

    /// Creates a finder that reports minima up to a distance on the map.
    init(limit: Double, report: @escaping (Sighting) -> Void) {
        self.limit = limit
        self.report = report
    }

    /// How far beyond the limit a piece may matter, because it decides whether a minimum is one.
    var bound: Double { limit + 2 * Self.ripple(limit) }

    @inline(__always)
    mutating func visit(_ piece: Piece) {
        if case .beginning = state { step(to: 0, of: piece) }
        guard let share = piece.nearestShare else { return }
        if share > 0 { step(to: share, of: piece) }
        if share < 1 { step(to: 1, of: piece) }
    }

    mutating func skip() {
        finish()
        state = .beginning
    }

    /// Ends the row: where the distance falls towards the end, that is a minimum.
    func finish() {
        if case .falling(let lowest) = state { tell(lowest) }
    }

    /// Goes on to a place up to which the distance only falls or only rises.
    @inline(__always)
    private mutating func step(to share: Double, of piece: Piece) {
        let square = piece.square(share)
        switch state {
        case .beginning:
            state = .falling(lowest: Sighting(spot: piece.spot(share), square: square))
        case .falling(let lowest):
            if square < lowest.square {
                state = .falling(lowest: Sighting(spot: piece.spot(share), square: square))
            } else if Self.isRise(from: lowest.square, to: square) {
                tell(lowest)
                state = .rising(highest: square)
            }
        case .rising(let highest):
            if square > highest {
                state = .rising(highest: square)
            } else if Self.isRise(from: square, to: highest) {
                state = .falling(lowest: Sighting(spot: piece.spot(share), square: square))
            }
        }
    }

    private func tell(_ sighting: Sighting) {
        guard sighting.square.squareRoot() <= limit else { return }
        report(sighting)
    }

    /// Whether the way from one squared distance up to another counts.
    private static func isRise(from low: Double, to high: Double) -> Bool {
        let bottom = low.squareRoot()
        return high.squareRoot() > bottom + ripple(bottom)
    }

    /// How much the distance may rise on what counts as level, in metres: what the vertices are rounded to, and the
    /// map's own error far away.
    private static func ripple(_ distance: Double) -> Double { max(0.01, distance * 2e-6) }
}
