/// Finds the nearest place of all pieces, the first where several are as near; they may come in any order.
struct NearestFinder: PieceVisitor {
    private(set) var best: Sighting
    private(set) var bound = Double.infinity

    /// Creates a finder that has seen nothing, and answers with `first` as long as it has not.
    init(first: RouteLine.Spot) {
        best = Sighting(spot: first, square: .infinity)
    }

    @inline(__always)
    mutating func visit(_ piece: Piece) {
        switch piece.nearest {
        case .beginning, .everywhere: offer(piece.beginning)
        case .between(let share, let square): offer(piece.sighting(share, square))
        case .end: offer(piece.end)
        }
    }

    @inline(__always)
    mutating func skip() {}

    @inline(__always)
    private mutating func offer(_ sighting: Sighting) {
        guard sighting.square <= best.square else { return }
        if sighting.square == best.square, sighting.spot >= best.spot { return }
        best = sighting
        bound = sighting.square.squareRoot()
    }
}

/// Finds the local minima of the distance along a row of pieces, which come in the order of the route.
struct PassFinder: PieceVisitor {
    private enum State {
        /// Nothing is known; what comes next begins a row.
        case beginning
        /// The distance falls, or has risen by less than counts; a real rise makes the lowest place a minimum.
        case falling(lowest: Sighting)
        /// The distance rises, or has fallen by less than counts; a real fall leads to `falling`.
        case rising(highest: Double)
    }

    private let limit: Double
    private let report: (Sighting) -> Void
    private var state = State.beginning

    /// How far a piece may matter because it decides whether a minimum is one.
    let bound: Double

    /// Creates a finder that reports minima up to a distance on the map.
    init(limit: Double, report: @escaping (Sighting) -> Void) {
        self.limit = limit
        self.report = report
        bound = limit + 2 * Self.ripple(limit)
    }

    @inline(__always)
    mutating func visit(_ piece: Piece) {
        if case .beginning = state { state = .falling(lowest: piece.beginning) }
        switch piece.nearest {
        case .beginning: rise(to: piece.squares.1)
        case .between(let share, let square):
            fall(to: piece.sighting(share, square))
            rise(to: piece.squares.1)
        case .end: fall(to: piece.end)
        case .everywhere: break
        }
    }

    @inline(__always)
    mutating func skip() {
        finish()
        state = .beginning
    }

    /// Ends the row: where the distance falls towards the end, that is a minimum.
    func finish() {
        if case .falling(let lowest) = state { tell(lowest) }
    }

    @inline(__always)
    private mutating func fall(to place: Sighting) {
        switch state {
        case .falling(let lowest) where place.square < lowest.square:
            state = .falling(lowest: place)
        case .rising(let highest) where Self.isRise(from: place.square, to: highest):
            state = .falling(lowest: place)
        case .beginning, .falling, .rising: break
        }
    }

    @inline(__always)
    private mutating func rise(to square: Double) {
        switch state {
        case .falling(let lowest) where Self.isRise(from: lowest.square, to: square):
            tell(lowest)
            state = .rising(highest: square)
        case .rising(let highest) where square > highest:
            state = .rising(highest: square)
        case .beginning, .falling, .rising: break
        }
    }

    private func tell(_ sighting: Sighting) {
        guard sighting.square.squareRoot() <= limit else { return }
        report(sighting)
    }

    /// Whether the way from one squared distance up to another counts.
    @inline(__always)
    private static func isRise(from low: Double, to high: Double) -> Bool {
        guard high > low else { return false }
        let bottom = low.squareRoot()
        return high.squareRoot() > bottom + ripple(bottom)
    }

    /// How much the distance may rise on what counts as level, in metres: what the vertices are rounded to, and the
    /// map's own error far away.
    @inline(__always)
    private static func ripple(_ distance: Double) -> Double { max(0.01, distance * 2e-6) }
}
