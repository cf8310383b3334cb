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

    /// Takes a place that may be the nearest.
    @inline(__always)
    mutating func offer(_ sighting: Sighting) {
        guard sighting.square <= best.square else { return }
        if sighting.square == best.square, sighting.spot >= best.spot { return }
        best = sighting
        bound = sighting.square.squareRoot()
    }
}
