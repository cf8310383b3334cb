/// A stretch of a way that lies inside an area; of no length where the way only touches it.
public struct AreaPiece: Hashable, Sendable {
    /// Where it begins: a fraction of a straight way, or a route's offset in metres.
    public var start: Double
    /// Where it ends: a fraction of a straight way, or a route's offset in metres.
    public var end: Double
    /// How long it is over the ground, in metres.
    public var length: Double

    /// Creates a piece.
    public init(start: Double, end: Double, length: Double) {
        self.start = start
        self.end = end
        self.length = length
    }
}

extension Area {
    /// Returns the pieces of a straight way that lie inside, in order, as fractions of the way.
    ///
    /// The boundary is inside. There are none of a point and of a line of width 0.
    public func pieces(of way: Way) -> [AreaPiece] {
        guard hasInside, box.meets(way.box) else { return [] }
        if way.start == way.end {
            return contains(way.start) ? [AreaPiece(start: 0, end: 1, length: 0)] : []
        }
        let stretches: [SIMD2<Double>] =
            switch form {
            case .point: []
            case .circle(let disc): disc.stretches(of: way)
            case .rectangle(let box): box.stretches(of: way)
            case .polygon(let outline): outline.stretches(of: way)
            case .line(let outline, let width): outline.stretches(of: way, within: width / 2)
            }
        guard !stretches.isEmpty else { return [] }
        let segment = way.segment
        let length = segment.length()
        return stretches.map { stretch in
            AreaPiece(
                start: stretch.x, end: stretch.y,
                length: segment.offset(at: stretch.y, of: length)
                    - segment.offset(at: stretch.x, of: length))
        }
    }
}

extension Disc {
    /// Returns the stretches of a way inside, as fractions.
    func stretches(of way: Way) -> [SIMD2<Double>] {
        let map = PlaneMap(around: center)
        var finder = CapsuleFinder(
            ends: (.zero, .zero), radius: PlaneMap.chord(ofArc: radius))
        let segment = way.segment
        segment.scan(on: map, turn: map.turn(to: segment.origin), &finder)
        return finder.intervals.united()
    }
}

/// Finds what of the pieces of a way is no farther than a radius from a straight line on a map.
struct CapsuleFinder: PieceVisitor {
    /// The line's ends on the map; one point for a circle.
    let ends: (SIMD2<Double>, SIMD2<Double>)
    let radius: Double
    let bound: Double
    private(set) var intervals = Intervals()

    init(ends: (SIMD2<Double>, SIMD2<Double>), radius: Double) {
        self.ends = ends
        self.radius = radius
        let farthest = max((ends.0 * ends.0).sum(), (ends.1 * ends.1).sum()).squareRoot()
        bound = (farthest + radius) * 1.001
    }

    mutating func visit(_ piece: Piece) {
        let (start, end) = piece.positions
        let way = end - start
        var inside = Self.stretch(from: start - ends.0, way, radius)
        if ends.0 != ends.1 {
            inside = Self.union(inside, Self.stretch(from: start - ends.1, way, radius))
            inside = Self.union(inside, middle(from: start, way))
        }
        guard let inside else { return }
        let span = piece.fractions.1 - piece.fractions.0
        intervals.add(
            inside.x <= 0 ? piece.fractions.0 : piece.fractions.0 + inside.x * span,
            inside.y >= 1 ? piece.fractions.1 : piece.fractions.0 + inside.y * span)
    }

    mutating func skip() {}

    /// Returns the shares of a straight way, 0 to 1, that are within a radius from zero.
    private static func stretch(
        from start: SIMD2<Double>, _ way: SIMD2<Double>, _ radius: Double
    ) -> SIMD2<Double>? {
        let square = (way * way).sum()
        let rest = (start * start).sum() - radius * radius
        guard square > 0 else { return rest <= 0 ? SIMD2(0, 1) : nil }
        let half = -(start * way).sum()
        let root = half * half - square * rest
        guard root >= 0 else { return nil }
        return clipped((half - root.squareRoot()) / square, (half + root.squareRoot()) / square)
    }

    /// Returns the shares of a straight way that are beside the line, no farther than the radius.
    private func middle(from start: SIMD2<Double>, _ way: SIMD2<Double>) -> SIMD2<Double>? {
        let line = ends.1 - ends.0
        let length = (line * line).sum().squareRoot()
        let ahead = line / length
        let there = start - ends.0
        let along = ((there * ahead).sum(), (way * ahead).sum())
        let across = (
            there.x * ahead.y - there.y * ahead.x, way.x * ahead.y - way.y * ahead.x
        )
        guard let beside = Self.shares(of: along, from: 0, to: length),
            let near = Self.shares(of: across, from: -radius, to: radius)
        else { return nil }
        return Self.clipped(max(beside.x, near.x), min(beside.y, near.y))
    }

    /// Returns the shares where a number that changes evenly is between two others.
    private static func shares(
        of number: (start: Double, change: Double), from low: Double, to high: Double
    ) -> SIMD2<Double>? {
        guard number.change != 0 else {
            return number.start >= low && number.start <= high ? SIMD2(0, 1) : nil
        }
        let ends = (
            (low - number.start) / number.change, (high - number.start) / number.change
        )
        return clipped(min(ends.0, ends.1), max(ends.0, ends.1))
    }

    private static func clipped(_ start: Double, _ end: Double) -> SIMD2<Double>? {
        let (start, end) = (max(start, 0), min(end, 1))
        return start <= end ? SIMD2(start, end) : nil
    }

    private static func union(
        _ left: SIMD2<Double>?, _ right: SIMD2<Double>?
    ) -> SIMD2<Double>? {
        guard let left, let right else { return left ?? right }
        return SIMD2(min(left.x, right.x), max(left.y, right.y))
    }
}
