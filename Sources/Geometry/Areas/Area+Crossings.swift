/// Where a way crosses a line from one of its sides to the other.
public struct LineCrossing: Hashable, Sendable {
    /// Where on the way: a fraction of a straight way, or a route's offset in metres.
    public var position: Double
    /// Whether it leads to the line's left side, seen in the line's direction.
    public var isToLeft: Bool

    /// Creates a crossing.
    public init(position: Double, isToLeft: Bool) {
        self.position = position
        self.isToLeft = isToLeft
    }
}

extension Area {
    /// Returns where a straight way crosses the middle of a line of any width, in order, as fractions of the way.
    ///
    /// An end of the way on the line counts as on the line's left. The line's ends belong to it. There are none where the
    /// area is no line.
    public func crossings(of way: Way) -> [LineCrossing] {
        guard case .line(let outline, _) = form, way.start != way.end else { return [] }
        var crossings: [LineCrossing] = []
        let box = way.box
        outline.forEachBlock(meeting: box) { edges, west in
            let line = UnitWay(way, box: box, west: west, grid: outline.grid)
            for edge in edges {
                if let crossing = outline.crossing(of: line, edge: edge) {
                    crossings.append(crossing)
                }
            }
        }
        return crossings.sorted { $0.position < $1.position }
    }
}

extension Outline {
    /// Returns where a way crosses an edge of a line.
    fileprivate func crossing(of way: UnitWay, edge: Int) -> LineCrossing? {
        let (start, end) = (vertex(edge), vertex(edge + 1))
        let along = end - start
        let length = (along * along).sum().squareRoot()
        guard length > 0 else { return nil }
        let from = Self.side(of: way.start - start, along) / length
        let to = Self.side(of: way.start + way.extent - start, along) / length
        // What is nearer than vertices are rounded is on the line, and so on its left.
        let isLeft = (from > -1, to > -1)
        guard isLeft.0 != isLeft.1 else { return nil }
        let reach = (way.extent * way.extent).sum().squareRoot()
        let first = Self.side(of: start - way.start, way.extent) / reach
        let second = Self.side(of: end - way.start, way.extent) / reach
        let touchesEnd =
            edge == 0 && abs(first) <= 1 || edge == vertices.count - 2 && abs(second) <= 1
        guard touchesEnd || (first >= 0) != (second >= 0) else { return nil }
        return LineCrossing(
            position: min(max(from / (from - to), 0), 1), isToLeft: isLeft.1)
    }

    /// Returns how far a place is to the left of a direction, times the direction's length.
    private static func side(of place: SIMD2<Double>, _ along: SIMD2<Double>) -> Double {
        along.y * place.x - along.x * place.y
    }
}
