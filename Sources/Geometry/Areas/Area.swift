/// A place's shape on the ground: immutable, checked when it is made, cheap to copy.
///
/// Edges are straight in longitude and latitude, as GeoJSON's are, and go the shorter way round the earth. The boundary
/// counts as inside. Vertices are kept in ten millionths of a degree or finer: the smaller the shape, the finer.
public struct Area: Sendable, Equatable {
    /// How an area is described.
    public enum Shape: Sendable, Equatable {
        /// A spot without an inside.
        case point(Coordinate)
        /// All no farther than some metres, 1 to 100,000, from a centre; it may hold a pole.
        case circle(center: Coordinate, radius: Double)
        /// All between two parallels and two meridians.
        case rectangle(CoordinateBox)
        /// Parts that add up, each of rings: within a part, what an odd number of rings encloses is inside.
        ///
        /// Rings may be open or closed, of any winding, and hold repeated vertices.
        case polygon([[[Coordinate]]])
        /// All within half a width, 0 to 1,000 metres, of a line through 2 or more vertices; a gate where that is 0.
        case line([Coordinate], width: Double)
    }

    enum Form: Sendable, Equatable {
        case point(Coordinate)
        case circle(Disc)
        case rectangle(CoordinateBox)
        case polygon(Outline)
        case line(Outline, width: Double)
    }

    let form: Form
    /// The area over the ground in square metres, the sum of the parts; 0 of a point and a line of width 0.
    public let squareMetres: Double

    /// Creates an area from its description.
    ///
    /// - Throws: What is wrong and where: a number out of range, too few vertices, an edge of exactly 180 degrees, a ring
    ///   around a pole, edges of one part that cross, nothing enclosed.
    public init(_ shape: Shape) throws(AreaError) {
        switch shape {
        case .point(let coordinate):
            try Self.check(coordinate, "point")
            form = .point(coordinate)
            squareMetres = 0
        case .circle(let center, let radius):
            try Self.check(center, "circle.center")
            guard radius >= 1, radius <= 100_000 else {
                throw AreaError(.outOfRange, "circle: radius \(radius) m is not 1 to 100,000")
            }
            let disc = Disc(center: center, radius: radius)
            form = .circle(disc)
            squareMetres = disc.squareMetres
        case .rectangle(let box):
            try box.check()
            form = .rectangle(box)
            squareMetres = box.squareMetres
        case .polygon(let parts):
            let polygon = try PolygonReader.read(parts)
            form = .polygon(polygon.outline)
            squareMetres = polygon.squareMetres
        case .line(let coordinates, let width):
            guard width >= 0, width <= 1000 else {
                throw AreaError(.outOfRange, "line: width \(width) m is not 0 to 1,000")
            }
            let outline = Outline([[try RingReader(name: "line").line(coordinates).vertices]])
            form = .line(outline, width: width)
            let half = width / 2
            squareMetres = width > 0 ? width * outline.length + .pi * half * half : 0
        }
    }

    private static func check(_ coordinate: Coordinate, _ name: String) throws(AreaError) {
        guard coordinate.isValid else {
            throw AreaError(
                .outOfRange,
                "\(name): \(coordinate.text) is out of range (longitude -180 to 180, latitude -90 to 90)"
            )
        }
    }

    /// Whether it has an inside: all but points and lines of width 0.
    public var hasInside: Bool {
        switch form {
        case .point: false
        case .line(_, let width): width > 0
        case .circle, .rectangle, .polygon: true
        }
    }

    /// Its size in metres, which a fix's accuracy is compared with.
    ///
    /// The radius of a circle of the same area; of a line the width, 20 at the least; 0 of a point.
    public var size: Double {
        switch form {
        case .line(_, let width): max(width, 20)
        case .point, .circle, .rectangle, .polygon: (squareMetres / .pi).squareRoot()
        }
    }

    /// How many vertices it has, where repeated ones count once; 1 of a point or circle, 4 of a rectangle.
    public var vertexCount: Int {
        switch form {
        case .point, .circle: 1
        case .rectangle: 4
        case .polygon(let outline): outline.vertices.count - outline.ringCount
        case .line(let outline, _): outline.vertices.count
        }
    }

    /// The box around it.
    public var box: CoordinateBox {
        switch form {
        case .point(let coordinate): CoordinateBox(coordinate)
        case .circle(let disc): CoordinateBox(disc.center).expanded(by: disc.radius)
        case .rectangle(let box): box
        case .polygon(let outline): outline.box
        case .line(let outline, let width): outline.box.expanded(by: width / 2)
        }
    }

    /// How it is described: vertices as they are kept, rings closed, without repeated vertices.
    public var shape: Shape {
        switch form {
        case .point(let coordinate): .point(coordinate)
        case .circle(let disc): .circle(center: disc.center, radius: disc.radius)
        case .rectangle(let box): .rectangle(box)
        case .polygon(let outline): .polygon(outline.coordinates)
        case .line(let outline, let width):
            .line(outline.coordinates.first?.first ?? [], width: width)
        }
    }

    /// How much memory it takes, in bytes.
    public var memoryBytes: Int {
        switch form {
        case .point, .circle, .rectangle: MemoryLayout<Area>.stride
        case .polygon(let outline), .line(let outline, _):
            MemoryLayout<Area>.stride + outline.memoryBytes
        }
    }
}
