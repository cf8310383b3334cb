/// Boxes around the blocks of an outline's edges, boxes around 16 of those, and so on up to at most 16.
struct EdgeTree: Sendable {
    /// How many edges share a block, and boxes a larger one, as a shift.
    static let fanShift = 4
    /// How many edges share a block, and boxes a larger one.
    static let fan = 1 << fanShift
    /// Up to how many edges of a single ring are one block without a box.
    private static let small = 2 * fan

    /// The corners of a box: the least latitude and longitude, then the greatest.
    typealias Box = SIMD4<Int32>

    /// How many blocks there are.
    let blockCount: Int
    /// The vertex where each block begins; empty where blocks of a single ring are full.
    private let starts: [Int32]
    /// For each block, the ring that it is of; empty where there is one.
    private let rings: [Int32]
    /// The boxes of all levels, those of the blocks first; empty where there is one block.
    private let boxes: [Box]

    /// Creates the tree over closed or open rings of vertices, each of which begins at one of `rings`.
    init(vertices: [SIMD2<Int32>], rings: [Int32]) {
        guard rings.count > 1 || vertices.count - 1 > Self.small else {
            (blockCount, starts, self.rings, boxes) = (1, [], [], [])
            return
        }
        var starts: [Int32] = []
        var ringOfBlock: [Int32] = []
        var boxes: [Box] = []
        boxes.reserveCapacity(vertices.count / (Self.fan - 1) + rings.count + 2)
        for ring in rings.indices {
            let last = (ring + 1 < rings.count ? Int(rings[ring + 1]) : vertices.count) - 1
            for start in stride(from: Int(rings[ring]), to: last, by: Self.fan) {
                starts.append(Int32(start))
                ringOfBlock.append(Int32(ring))
                boxes.append(
                    Self.box(around: vertices[start...min(start + Self.fan, last)]))
            }
        }
        blockCount = starts.count
        self.starts = rings.count > 1 ? starts : []
        self.rings = rings.count > 1 ? ringOfBlock : []
        var first = 0
        while boxes.count - first > Self.fan {
            let end = boxes.count
            for child in stride(from: first, to: end, by: Self.fan) {
                boxes.append(Self.union(boxes[child..<min(child + Self.fan, end)]))
            }
            first = end
        }
        self.boxes = boxes
    }

    /// Whether there are boxes: else all edges are one block.
    @inline(__always)
    var hasBoxes: Bool { !boxes.isEmpty }

    /// Returns where the boxes of a level begin among all; those of the blocks are the first.
    @inline(__always)
    func start(ofLevel level: Int) -> Int {
        var start = 0
        var count = blockCount
        for _ in 0..<level {
            start += count
            count = (count + Self.fan - 1) >> Self.fanShift
        }
        return start
    }

    /// The box of a number among those of all levels.
    @inline(__always)
    subscript(box: Int) -> Box { boxes[box] }

    /// Returns the lowest level on which few boxes hold all blocks of a range, and those.
    @inline(__always)
    func top(over blocks: Range<Int>) -> (level: Int, boxes: ClosedRange<Int>) {
        var level = 0
        var boxes = blocks.lowerBound...blocks.upperBound - 1
        while boxes.count > Self.fan {
            level += 1
            boxes = boxes.lowerBound >> Self.fanShift...boxes.upperBound >> Self.fanShift
        }
        return (level, boxes)
    }

    /// Returns the boxes of a range of blocks that share a box on a level above the blocks'.
    @inline(__always)
    func children(of box: Int, level: Int, within blocks: Range<Int>) -> ClosedRange<Int> {
        let shift = Self.fanShift * (level - 1)
        let first = box << Self.fanShift
        return max(
            first, blocks.lowerBound >> shift)...min(
                first + Self.fan - 1, (blocks.upperBound - 1) >> shift)
    }

    /// Returns the blocks of a range below a box, whose edges may be those of several rings.
    @inline(__always)
    func blocks(below box: Int, level: Int, within blocks: Range<Int>) -> Range<Int> {
        let shift = Self.fanShift * level
        return max(box << shift, blocks.lowerBound)..<min((box + 1) << shift, blocks.upperBound)
    }

    /// Whether all edges of some blocks follow each other.
    @inline(__always)
    func isChain(_ blocks: Range<Int>) -> Bool {
        rings.isEmpty || rings[blocks.lowerBound] == rings[blocks.upperBound - 1]
    }

    /// Returns the edges of a block, each by the vertex where it begins.
    @inline(__always)
    func edges(ofBlock block: Int, vertexCount: Int) -> Range<Int> {
        guard hasBoxes else { return 0..<vertexCount - 1 }
        guard !starts.isEmpty else {
            let start = block << Self.fanShift
            return start..<min(start + Self.fan, vertexCount - 1)
        }
        let start = Int(starts[block])
        guard block + 1 < blockCount else { return start..<vertexCount - 1 }
        // From the last vertex of a ring to the first of the next there is no edge.
        let next = Int(starts[block + 1])
        return start..<(rings[block] == rings[block + 1] ? next : next - 1)
    }

    /// Returns the first block that begins at a vertex or after it.
    func block(from vertex: Int) -> Int {
        var low = 0
        var high = blockCount
        while low < high {
            let middle = (low + high) / 2
            let start = starts.isEmpty ? middle << Self.fanShift : Int(starts[middle])
            if start < vertex { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// How much memory its arrays take, in bytes.
    var memoryBytes: Int {
        (starts.isEmpty ? 0 : 64 + 8 * starts.capacity)
            + (boxes.isEmpty ? 0 : 32 + 16 * boxes.capacity)
    }

    private static func box(around vertices: ArraySlice<SIMD2<Int32>>) -> Box {
        var low = SIMD2<Int32>(repeating: .max)
        var high = SIMD2<Int32>(repeating: .min)
        for vertex in vertices {
            low = low.least(vertex)
            high = high.greatest(vertex)
        }
        return Box(lowHalf: low, highHalf: high)
    }

    private static func union(_ boxes: ArraySlice<Box>) -> Box {
        var low = SIMD2<Int32>(repeating: .max)
        var high = SIMD2<Int32>(repeating: .min)
        for box in boxes {
            low = low.least(box.lowHalf)
            high = high.greatest(box.highHalf)
        }
        return Box(lowHalf: low, highHalf: high)
    }
}
