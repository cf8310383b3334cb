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
        var seen = Array(repeating: false, count: isFilled.count)
        for event in edges.events() {
            let edge = event >> 1
            if event & 1 == 0 {
                let (below, above) = line.remove(edge)
                if let below, let above, edges.cross(below, above) {
                    return crossing(below, above)
                }
                continue
            }
            let edges = self.edges
            let (below, above) = line.insert(edge) { edges.isBelow($0, $1) }
            if let below, edges.cross(below, edge) { return crossing(below, edge) }
            if let above, edges.cross(edge, above) { return crossing(edge, above) }
            let ring = Int(edges.edges[Int(edge)].ring)
            // The ring's westernmost edge, and the lower one of two, has all that surrounds the ring below it.
            if ring >= 0, !seen[ring] {
                seen[ring] = true
                isFilled[ring] = line.isFilled(above: edge)
            }
        }
        return nil
    }

    private func crossing(_ first: Int32, _ second: Int32) -> EdgeCrossing {
        let vertices = (edges.edges[Int(first)].vertex, edges.edges[Int(second)].vertex)
        return EdgeCrossing(
            first: Int(min(vertices.0, vertices.1)), second: Int(max(vertices.0, vertices.1)))
    }
}
