/// Two edges of a part that cross, each by the vertex where it begins.
struct EdgeCrossing: Equatable {
    var first: Int
    var second: Int
}

/// A sweep from west to east over the edges of one part (Shamos and Hoey).
///
/// It finds two edges that cross, or else tells for each ring whether the part is within it. Edges that touch or lie on
/// each other do not cross.
struct EdgeSweep {
    private let edges: SweepEdges
    private var line: SweepLine
    /// For each ring of the part, whether the part is inside of it next to its edges.
    private(set) var isFilled: [Bool]

    /// Creates the sweep over a part of an outline.
    init(_ outline: Outline, part: Int) {
        edges = SweepEdges(outline, part: part)
        line = SweepLine(count: edges.edges.count)
        isFilled = Array(repeating: false, count: outline.rings(ofPart: part).count)
    }

    /// Returns two edges that cross, or `nil` when there are none; then `isFilled` is known.
    mutating func run() -> EdgeCrossing? {
        let edges = self.edges
        // The first edge of each ring that was met, and -1 before and after the second.
        var first = Array(repeating: Int32(-1), count: isFilled.count)
        var isKnown = Array(repeating: false, count: isFilled.count)
        for event in edges.events() {
            let edge = event >> 1
            if event & 1 == 0 {
                let (below, above) = line.remove(edge)
                if let below, let above, edges.cross(below, above) {
                    return crossing(below, above)
                }
                continue
            }
            let (below, above) = line.insert(edge) { edges.isBelow($0, $1) }
            if let below, edges.cross(below, edge) { return crossing(below, edge) }
            if let above, edges.cross(edge, above) { return crossing(edge, above) }
            let ring = Int(edges.edges[Int(edge)].ring)
            guard ring >= 0, !isKnown[ring] else { continue }
            if first[ring] < 0 {
                first[ring] = edge
            } else {
                isKnown[ring] = true
                isFilled[ring] = isFilled(below: edge, above: first[ring])
            }
        }
        return nil
    }

    /// Whether the part is inside between the two edges at a ring's westernmost vertex.
    private func isFilled(below upper: Int32, above lower: Int32) -> Bool {
        var count = line.rank(of: upper)
        // What lies on the upper edge may be above or below it, and the ring is not between both. Where the lower edge
        // does, that is the tip of a spike: all around is the outside of the ring, as it is below the lower edge.
        var next = line.below(upper)
        while let edge = next, edge != lower, edges.overlap(edge, upper) {
            count -= 1
            next = line.below(edge)
        }
        return !count.isMultiple(of: 2)
    }

    private func crossing(_ first: Int32, _ second: Int32) -> EdgeCrossing {
        let vertices = (edges.edges[Int(first)].vertex, edges.edges[Int(second)].vertex)
        return EdgeCrossing(
            first: Int(min(vertices.0, vertices.1)), second: Int(max(vertices.0, vertices.1)))
    }
}
