/// Finds the local minima of the distance along a row of pieces, which come in the order of the route.
struct PassFinder: PieceVisitor {
    private enum State {
        /// Nothing is known; what comes next begins a row.
        case beginning
        /// The distance falls, or has risen from `lowest` by less than counts; a real rise makes that a minimum.
        case falling
        /// The distance rises, or has fallen from `highest` by less than counts; a real fall leads to `falling`.
        case rising
    }

    private let limit: Double
    private var state = State.beginning
    /// The lowest place since the distance fell, which is kept beside the state because that is faster than in it.
    private var lowest = Sighting(spot: RouteLine.Spot(index: 0, fraction: 0), square: 0)
    /// The square of the greatest distance since the distance rose.
    private var highest = 0.0
    /// The first minimum.
    private(set) var first: Sighting?
    /// The minima after the first: mostly none, so that nothing has to be allocated.
    private(set) var others: [Sighting] = []

    /// How far a piece may matter because it decides whether a minimum is one.
    let bound: Double

    /// Creates a finder of minima up to a distance on the map.
    init(limit: Double) {
        self.limit = limit
        bound = limit + 2 * Self.ripple(limit)
    }

    @inline(__always)
    mutating func visit(_ piece: Piece) {
        if state == .beginning { fall(to: piece.beginning) }
        switch piece.nearest {
        case .beginning: rise(to: piece.squares.1)
        case .between(let share, let square):
            pass(piece.sighting(share, square))
            rise(to: piece.squares.1)
        case .end: pass(piece.end)
        case .everywhere: break
        }
    }

    @inline(__always)
    mutating func skip() {
        finish()
        state = .beginning
    }

    /// Ends the row: where the distance falls towards the end, that is a minimum.
    mutating func finish() {
        if state == .falling { keep(lowest) }
    }

    /// The nearest of the minima.
    var nearest: Sighting? {
        others.reduce(first) { nearest, other in
            nearest.map { other.square < $0.square ? other : $0 }
        }
    }

    /// Leaves out the minima beyond a lower limit, which is not below the nearest.
    mutating func narrow(to limit: Double) {
        others.removeAll { $0.square.squareRoot() > limit }
        if let first, first.square.squareRoot() > limit { self.first = others.removeFirst() }
    }

    /// Goes on to a place up to which the distance only falls.
    @inline(__always)
    private mutating func pass(_ place: Sighting) {
        switch state {
        case .falling: if place.square < lowest.square { lowest = place }
        case .rising: if Self.isRise(from: place.square, to: highest) { fall(to: place) }
        case .beginning: break
        }
    }

    /// Goes on to a place up to which the distance only rises.
    @inline(__always)
    private mutating func rise(to square: Double) {
        switch state {
        case .falling:
            guard Self.isRise(from: lowest.square, to: square) else { return }
            keep(lowest)
            state = .rising
            highest = square
        case .rising: highest = max(highest, square)
        case .beginning: break
        }
    }

    @inline(__always)
    private mutating func fall(to place: Sighting) {
        state = .falling
        lowest = place
    }

    private mutating func keep(_ minimum: Sighting) {
        guard minimum.square.squareRoot() <= limit else { return }
        if first == nil { first = minimum } else { others.append(minimum) }
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
