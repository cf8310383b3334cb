/// A line to drive along, measured: immutable, and shared by reference.
///
/// Its segments are straight in longitude and latitude, as GeoJSON's are, and go the shortest way around the
/// earth. A place on it is told by its offset: the way from the beginning over the ground, in metres. Vertices are
/// kept in ten millionths of a degree.
public final class RouteLine: Sendable {
    /// How many segments share a block.
    static let blockSize = 16

    /// The vertices: latitude in `x`, longitude in `y`, in ten millionths of a degree.
    let vertices: [SIMD2<Int32>]
    /// Offset of the first vertex of each block.
    let blockOffsets: [Double]
    /// Offset of each vertex from its block's.
    let vertexOffsets: [Float]
    /// Which blocks may be near a place.
    let index: RouteIndex
    /// How long the line is, in metres.
    public let length: Double

    /// Creates a line through places, or returns `nil` when they are fewer than 2 or one of them is invalid.
    public convenience init?(_ coordinates: [Coordinate]) {
        guard coordinates.count >= 2, coordinates.allSatisfy(\.isValid) else { return nil }
        self.init(
            vertices: coordinates.map {
                SIMD2(
                    Int32(($0.latitude * Grid.scale).rounded()),
                    Int32(($0.longitude * Grid.scale).rounded()))
            })
    }

    /// Creates a line through two or more vertices that are in range.
    init(vertices: [SIMD2<Int32>]) {
        self.vertices = vertices
        var blockOffsets: [Double] = []
        var vertexOffsets: [Float] = []
        blockOffsets.reserveCapacity(vertices.count / Self.blockSize + 1)
        vertexOffsets.reserveCapacity(vertices.count)
        let lengths = zip(vertices, vertices.dropFirst()).map {
            RouteSegment(from: $0, to: $1).length()
        }
        var offset = 0.0
        var base = 0.0
        for index in vertices.indices {
            if index > 0 { offset += lengths[index - 1] }
            if index % Self.blockSize == 0 {
                // Never below the vertex before it, which is rounded.
                base = max(offset, base + Double(vertexOffsets.last ?? 0))
                blockOffsets.append(base)
            }
            vertexOffsets.append(Float(max(0, offset - base)))
        }
        self.blockOffsets = blockOffsets
        self.vertexOffsets = vertexOffsets
        length = base + Double(vertexOffsets.last ?? 0)
        index = RouteIndex(
            blocks: stride(from: 0, to: lengths.count, by: Self.blockSize).map { start in
                let end = min(start + Self.blockSize, lengths.count)
                return Self.ball(around: vertices[start...end], lengths: lengths[start..<end])
            })
    }

    /// Returns the ball around the segments between vertices, whose lengths are known.
    private static func ball(
        around vertices: ArraySlice<SIMD2<Int32>>, lengths: ArraySlice<Double>
    ) -> Ball {
        let center = Grid.coordinate(vertices[(vertices.startIndex + vertices.endIndex) / 2])
        let map = PlaneMap(around: center)
        let distances = vertices.map(map.distance(to:))
        var radius = distances.reduce(0, max)
        var isBent = false
        for (index, length) in zip(lengths.indices, lengths) {
            let segment = RouteSegment(from: vertices[index], to: vertices[index + 1])
            guard segment.isCurved(length: length) else { continue }
            isBent = true
            // Nothing between two ends is farther than by going there and back.
            let end = index - vertices.startIndex
            radius = max(radius, (distances[end] + distances[end + 1] + length) / 2)
        }
        return RouteIndex.ball(around: center, radius: radius, isBent: isBent)
    }

    /// How many vertices it has, 2 or more.
    public var vertexCount: Int { vertices.count }

    /// Its vertices, rounded to ten millionths of a degree.
    public var coordinates: [Coordinate] { vertices.map(Grid.coordinate) }

    /// Returns the vertex at an index below `vertexCount`.
    public func vertex(_ index: Int) -> Coordinate { Grid.coordinate(vertices[index]) }

    /// Returns how far along the line a vertex is, in metres.
    @inline(__always)
    public func offset(ofVertex index: Int) -> Double {
        blockOffsets[index / Self.blockSize] + Double(vertexOffsets[index])
    }

    /// How much memory it takes, in bytes.
    public var memoryBytes: Int {
        MemoryLayout<SIMD2<Int32>>.stride * vertices.capacity
            + MemoryLayout<Double>.stride * blockOffsets.capacity
            + MemoryLayout<Float>.stride * vertexOffsets.capacity
            + index.memoryBytes
    }
}

extension RouteLine: Equatable {
    /// Whether two lines have the same vertices.
    public static func == (left: RouteLine, right: RouteLine) -> Bool {
        left === right || left.vertices == right.vertices
    }
}
