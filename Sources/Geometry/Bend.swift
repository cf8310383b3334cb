/// A segment that is not straight on the map, to be taken in pieces that are.
struct Bend {
    private let map: PlaneMap
    private let turn: GridPoint
    private let extent: GridPoint
    /// The most metres for each whole of the fraction.
    private let speed: Double
    /// The most that a piece may take of the segment.
    private let most: Double

    /// Prepares a segment that begins some units from the map's centre.
    init(map: PlaneMap, turn: GridPoint, segment: RouteSegment) {
        self.init(map: map, turn: turn, extent: segment.extent, speed: segment.topSpeed)
    }

    /// Prepares a segment.
    ///
    /// - Parameters:
    ///   - turn: Where it begins, in units from the map's centre.
    ///   - speed: The most metres for each whole of the fraction, or more.
    init(map: PlaneMap, turn: GridPoint, extent: GridPoint, speed: Double) {
        self.map = map
        self.turn = turn
        self.extent = extent
        self.speed = speed
        most = 2 * Grid.scale / max(abs(extent.x), abs(extent.y), 1)
    }

    /// Passes a piece on, or its halves where it is bent; leaves it out where all of it is too far away.
    func scan(_ piece: Piece, _ visitor: inout some PieceVisitor) {
        let span = piece.fractions.1 - piece.fractions.0
        let ends = (
            (piece.positions.0 * piece.positions.0).sum().squareRoot(),
            (piece.positions.1 * piece.positions.1).sum().squareRoot()
        )
        let nearest = max(0, (ends.0 + ends.1 - speed * span) / 2)
        guard nearest <= visitor.bound else {
            visitor.skip()
            return
        }
        let middle = (piece.fractions.0 + piece.fractions.1) / 2
        let position = map.position(of: turn + middle * extent)
        let bend = position - (piece.positions.0 + piece.positions.1) / 2
        let tolerance = max(0.002, 0.0001 * nearest)
        let isFlat = span <= most && (bend * bend).sum() <= tolerance * tolerance
        guard !isFlat, speed * span > 0.5 else {
            visitor.visit(piece)
            return
        }
        scan(
            Piece(
                index: piece.index, fractions: (piece.fractions.0, middle),
                positions: (piece.positions.0, position)), &visitor)
        scan(
            Piece(
                index: piece.index, fractions: (middle, piece.fractions.1),
                positions: (position, piece.positions.1)), &visitor)
    }
}
