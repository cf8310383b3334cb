/// The edges of one part of an outline, as a sweep from west to east compares them.
///
/// They are whole numbers, so that all comparisons are exact.
struct SweepEdges {
    /// An edge from its western end to its eastern one; of an upright edge, the southern end is the western.
    struct Edge {
        var west: SIMD2<Int64>
        var east: SIMD2<Int64>
        /// The vertex where the edge begins in its ring.
        var vertex: Int32
        /// The ring's number in its part; -1 of an edge that was moved by a whole turn.
        var ring: Int32
    }

    /// The edges, without those of no length.
    private(set) var edges: [Edge] = []

    /// Creates the edges of a part.
    init(_ outline: Outline, part: Int) {
        let rings = outline.rings(ofPart: part)
        var span = (Int64.max, Int64.min)
        for ring in rings {
            for index in outline.vertices(ofRing: ring).dropLast() {
                let start = Self.point(outline.vertices[index])
                let end = Self.point(outline.vertices[index + 1])
                guard start != end else { continue }
                span = (min(span.0, start.x), max(span.1, start.x))
                let isEastward = Self.isBefore(start, end)
                edges.append(
                    Edge(
                        west: isEastward ? start : end, east: isEastward ? end : start,
                        vertex: Int32(index), ring: Int32(ring - rings.lowerBound)))
            }
        }
        let circle = Int64(outline.grid.circle)
        if !edges.isEmpty, span.1 - span.0 >= circle { repeatEdges(every: circle) }
    }

    /// Adds the edges a whole turn away on both sides, which may cross the others as well.
    private mutating func repeatEdges(every circle: Int64) {
        let own = edges
        for shift in [-circle, circle] {
            for var edge in own {
                edge.west.x += shift
                edge.east.x += shift
                edge.ring = -1
                edges.append(edge)
            }
        }
    }

    /// Returns the ends of all edges from west to east: twice the edge's number, and one more where it begins.
    func events() -> [Int32] {
        var events = (0..<Int32(2 * edges.count)).map { $0 }
        events.sort { left, right in
            let (first, second) = (point(of: left), point(of: right))
            if first != second { return Self.isBefore(first, second) }
            // What ends makes room for what begins; of what begins, the lower comes first.
            let begins = (left & 1 == 1, right & 1 == 1)
            if begins.0 != begins.1 { return begins.1 }
            guard begins.0 else { return left < right }
            if isBelow(left >> 1, right >> 1) { return true }
            return left < right && !isBelow(right >> 1, left >> 1)
        }
        return events
    }

    @inline(__always)
    private func point(of event: Int32) -> SIMD2<Int64> {
        let edge = Int(event >> 1)
        return event & 1 == 1 ? edges[edge].west : edges[edge].east
    }

    /// Whether an edge that begins is below another, which has begun before it or where it does.
    func isBelow(_ edge: Int32, _ other: Int32) -> Bool {
        let (new, old) = (edges[Int(edge)], edges[Int(other)])
        let start = Self.side(of: new.west, from: old.west, to: old.east)
        if start != 0 { return start < 0 }
        let end = Self.side(of: new.east, from: old.west, to: old.east)
        // Of edges on one line the later is above, which is right as well as any other way.
        return end < 0
    }

    /// Whether two edges that the sweep line meets are on one line.
    func overlap(_ edge: Int32, _ other: Int32) -> Bool {
        let (first, second) = (edges[Int(edge)], edges[Int(other)])
        return Self.side(of: first.west, from: second.west, to: second.east) == 0
            && Self.side(of: first.east, from: second.west, to: second.east) == 0
    }

    /// Whether two edges cross: where each has one end on either side of the other, farther away than a grid rounds.
    func cross(_ first: Int32, _ second: Int32) -> Bool {
        let (left, right) = (edges[Int(first)], edges[Int(second)])
        return Self.isParted(left, by: right) && Self.isParted(right, by: left)
    }

    private static func isParted(_ edge: Edge, by other: Edge) -> Bool {
        let west = side(of: edge.west, from: other.west, to: other.east)
        let east = side(of: edge.east, from: other.west, to: other.east)
        guard (west < 0 && east > 0) || (west > 0 && east < 0) else { return false }
        let way = other.east &- other.west
        let length = (Double(way.x) * Double(way.x) + Double(way.y) * Double(way.y)).squareRoot()
        return min(abs(Double(west)), abs(Double(east))) > length
    }

    /// Returns more than 0 where a point is to the left of the way from one to another, 0 where it is on its line.
    @inline(__always)
    private static func side(
        of point: SIMD2<Int64>, from start: SIMD2<Int64>, to end: SIMD2<Int64>
    ) -> Int128 {
        let way = end &- start
        let there = point &- start
        return Int128(way.x) * Int128(there.y) - Int128(way.y) * Int128(there.x)
    }

    private static func isBefore(_ left: SIMD2<Int64>, _ right: SIMD2<Int64>) -> Bool {
        (left.x, left.y) < (right.x, right.y)
    }

    /// Returns a vertex with its longitude in `x`.
    private static func point(_ vertex: SIMD2<Int32>) -> SIMD2<Int64> {
        SIMD2(Int64(vertex.y), Int64(vertex.x))
    }
}
