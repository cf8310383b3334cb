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
        var offset = 0.0
        var base = 0.0
        for index in vertices.indices {
            if index > 0 {
                offset += RouteSegment(from: vertices[index - 1], to: vertices[index]).length()
            }
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
        let last = vertices.count - 1
        index = RouteIndex(
            blocks: stride(from: 0, to: last, by: Self.blockSize).map { start in
                Self.ball(around: vertices[start...min(start + Self.blockSize, last)])
            })
    }

    /// Returns the ball around the segments between vertices.
    private static func ball(around vertices: ArraySlice<SIMD2<Int32>>) -> Ball {
        let center = Grid.coordinate(vertices[(vertices.startIndex + vertices.endIndex) / 2])
        let map = PlaneMap(around: center)
        var radius = 0.0
        var isBent = false
        for index in vertices.indices.dropLast() {
            let segment = RouteSegment(from: vertices[index], to: vertices[index + 1])
            let ends = (
                map.distance(to: vertices[index]), map.distance(to: vertices[index + 1])
            )
            let length = segment.length()
            if segment.isCurved(length: length) {
                isBent = true
                radius = max(radius, (ends.0 + ends.1 + length) / 2)
            }
            radius = max(radius, ends.0, ends.1)
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
