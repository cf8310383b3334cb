import Glibc

/// The edges of a polygon's rings, or of a line: immutable, and shared by reference.
///
/// Edges are straight in longitude and latitude. Those of a ring follow each other, and its first vertex is repeated at
/// its end. Up to 16 edges of one ring share a block, so that a search leaves out what is far away.
final class Outline: Sendable {
    /// What the vertices are counted in.
    let grid: DecimalGrid
    /// The vertices of all rings: latitude in `x`, longitude in `y`.
    let vertices: [SIMD2<Int32>]
    /// Where each ring begins among the vertices; empty where there is one.
    let rings: [Int32]
    /// Which ring each part begins with; empty where there is one.
    let parts: [Int32]
    /// Boxes around the blocks of edges; without any where all edges are one block.
    let tree: EdgeTree
    /// The corners of all.
    let low: SIMD2<Int32>
    /// The corners of all.
    let high: SIMD2<Int32>
    /// Whether all edges are so short that they are straight on a flat map.
    let isFlat: Bool
    /// The cosine of the latitude nearest to the equator, or a little more.
    let widestCosine: Float

    /// Creates an outline.
    ///
    /// - Parameter parts: The parts' rings of two or more vertices in degrees, latitude in `x`; closed ones repeat the first
    ///   vertex. Longitudes go on beyond 180 rather than jump.
    init(_ parts: [[[SIMD2<Double>]]]) {
        var corners = (SIMD2<Double>(repeating: .infinity), SIMD2<Double>(repeating: -.infinity))
        for vertex in parts.joined().joined() {
            corners = (corners.0.least(vertex), corners.1.greatest(vertex))
        }
        let grid = DecimalGrid(from: corners.0, to: corners.1)
        var vertices: [SIMD2<Int32>] = []
        vertices.reserveCapacity(parts.joined().reduce(0) { $0 + $1.count })
        var rings: [Int32] = []
        var firsts: [Int32] = []
        for part in parts {
            firsts.append(Int32(rings.count))
            for ring in part {
                rings.append(Int32(vertices.count))
                for vertex in ring { vertices.append(grid.vertex(vertex)) }
            }
        }
        self.grid = grid
        self.vertices = vertices
        low = grid.vertex(corners.0)
        high = grid.vertex(corners.1)
        tree = EdgeTree(vertices: vertices, rings: rings)
        self.rings = rings.count > 1 ? rings : []
        self.parts = firsts.count > 1 ? firsts : []
        isFlat = Self.isFlat(vertices, rings: rings, grid: grid)
        let straddles = corners.0.x <= 0 && corners.1.x >= 0
        let widest = straddles ? 0 : min(abs(corners.0.x), abs(corners.1.x))
        widestCosine = Float(cos(widest * Ellipsoid.radian) * 1.000001)
    }

    /// How many parts there are.
    var partCount: Int { max(1, parts.count) }

    /// How many rings there are.
    var ringCount: Int { max(1, rings.count) }

    /// Returns the rings of a part.
    func rings(ofPart part: Int) -> Range<Int> {
        guard !parts.isEmpty else { return 0..<ringCount }
        return Int(parts[part])..<(part + 1 < parts.count ? Int(parts[part + 1]) : ringCount)
    }

    /// Returns a ring's vertices, whose edges begin at all but the last.
    func vertices(ofRing ring: Int) -> Range<Int> {
        guard !rings.isEmpty else { return 0..<vertices.count }
        return Int(rings[ring])..<(ring + 1 < rings.count ? Int(rings[ring + 1]) : vertices.count)
    }

    /// Returns the blocks of a part.
    func blocks(ofPart part: Int) -> Range<Int> {
        guard !parts.isEmpty else { return 0..<tree.blockCount }
        let rings = rings(ofPart: part)
        let end = vertices(ofRing: rings.upperBound - 1).upperBound
        return tree.block(
            from: vertices(ofRing: rings.lowerBound).lowerBound)..<tree.block(from: end)
    }

    /// Returns the edges of a block, each by the vertex where it begins.
    @inline(__always)
    func edges(ofBlock block: Int) -> Range<Int> {
        tree.edges(ofBlock: block, vertexCount: vertices.count)
    }

    /// Returns a vertex in units.
    @inline(__always)
    func vertex(_ index: Int) -> SIMD2<Double> {
        SIMD2(Double(vertices[index].x), Double(vertices[index].y))
    }

    /// How much memory it takes, in bytes.
    var memoryBytes: Int {
        let fields = 16 + MemoryLayout<DecimalGrid>.stride + MemoryLayout<EdgeTree>.stride + 48
        // Each array that is not empty begins with 32 bytes of its own.
        return fields + 32 + 8 * vertices.capacity + tree.memoryBytes
            + (rings.isEmpty ? 0 : 32 + 4 * rings.capacity)
            + (parts.isEmpty ? 0 : 32 + 4 * parts.capacity)
    }

    private static func isFlat(
        _ vertices: [SIMD2<Int32>], rings: [Int32], grid: DecimalGrid
    ) -> Bool {
        let factor = Grid.scale / grid.scale
        var ends = rings.dropFirst().map { Int($0) - 1 }.makeIterator()
        var skipped = ends.next()
        for index in 0..<vertices.count - 1 {
            if index == skipped {
                skipped = ends.next()
                continue
            }
            let (start, end) = (vertices[index], vertices[index + 1])
            let latitude = (Double(start.x) + grid.origin.x) * factor
            let extent =
                SIMD2(Double(end.x) - Double(start.x), Double(end.y) - Double(start.y)) * factor
            if OutlineSearch.isCurved(from: latitude, extent: extent) { return false }
        }
        return true
    }
}

extension Outline: Equatable {
    /// Whether two outlines have the same vertices, rings and parts, also where their grids differ.
    static func == (left: Outline, right: Outline) -> Bool {
        guard left !== right else { return true }
        guard left.vertices.count == right.vertices.count, left.rings == right.rings,
            left.parts == right.parts
        else { return false }
        return left.vertices.indices.allSatisfy { index in
            left.grid.coordinate(left.vertices[index])
                == right.grid.coordinate(right.vertices[index])
        }
    }
}
