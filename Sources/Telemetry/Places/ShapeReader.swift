import Geometry
import Tracking

/// Reads the shapes of places.
enum ShapeReader {
    /// What a geometry must be, for a person.
    static let choice =
        "an object with one of point, circle, rectangle, polygon and line"

    /// Returns the area of a shape.
    ///
    /// - Throws: A refusal for `invalid_geometry` that says what is wrong with it, and where.
    static func area(_ shape: Area.Shape) throws(Refusal) -> Area {
        do {
            return try Area(shape)
        } catch {
            throw Refusal(.invalidGeometry, "geometry: \(error.message)")
        }
    }

    /// Returns the shape that the member `geometry` of a `put` describes.
    ///
    /// - Throws: A refusal for `invalid_geometry` that names the member that is wrong.
    static func shape(_ value: JSONValue, maxVertices: Int) throws(Refusal) -> Area.Shape {
        let object = try PayloadObject(value, at: "geometry", reason: .invalidGeometry)
        try object.checkNames(among: ["point", "circle", "rectangle", "polygon", "line"])
        var shapes: [Area.Shape] = []
        if let point = object["point"] {
            shapes.append(.point(try coordinate(point, at: "geometry.point")))
        }
        if let circle = object["circle"] { shapes.append(try self.circle(circle)) }
        if let rectangle = object["rectangle"] {
            shapes.append(.rectangle(try box(rectangle, at: "geometry.rectangle")))
        }
        if let polygon = object["polygon"] {
            shapes.append(
                try self.polygon(polygon, at: "geometry.polygon", maxVertices: maxVertices))
        }
        if let line = object["line"] {
            shapes.append(try self.line(line, maxVertices: maxVertices))
        }
        guard let shape = shapes.first, shapes.count == 1 else {
            throw Refusal(
                .invalidGeometry,
                "geometry must be \(choice): it has \(shapes.isEmpty ? "none" : "several") of them"
            )
        }
        return shape
    }

    private static func coordinate(
        _ value: JSONValue, at path: String
    ) throws(Refusal) -> Coordinate {
        let object = try PayloadObject(value, at: path, reason: .invalidGeometry)
        try object.checkNames(among: ["lat", "lon"])
        return Coordinate(
            latitude: try object.degrees("lat", upTo: 90),
            longitude: try object.degrees("lon", upTo: 180))
    }

    private static func circle(_ value: JSONValue) throws(Refusal) -> Area.Shape {
        let object = try PayloadObject(value, at: "geometry.circle", reason: .invalidGeometry)
        try object.checkNames(among: ["center", "radius_m"])
        guard let center = object["center"] else {
            throw object.refusal(of: "center", nil, expected: "an object with lat and lon")
        }
        return .circle(
            center: try coordinate(center, at: "geometry.circle.center"),
            radius: try radius(of: object))
    }

    private static func radius(of object: PayloadObject) throws(Refusal) -> Double {
        let range = "a number from 1 to 100,000 metres"
        guard let radius = try object.number("radius_m", in: 1...100_000, expected: range) else {
            throw object.refusal(of: "radius_m", nil, expected: range)
        }
        return radius
    }

    private static func box(_ value: JSONValue, at path: String) throws(Refusal) -> CoordinateBox {
        let object = try PayloadObject(value, at: path, reason: .invalidGeometry)
        try object.checkNames(among: ["south", "west", "north", "east"])
        return CoordinateBox(
            south: try object.degrees("south", upTo: 90),
            west: try object.degrees("west", upTo: 180),
            north: try object.degrees("north", upTo: 90),
            east: try object.degrees("east", upTo: 180))
    }

    private static func line(
        _ value: JSONValue, maxVertices: Int
    ) throws(Refusal) -> Area.Shape {
        let object = try PayloadObject(value, at: "geometry.line", reason: .invalidGeometry)
        try object.checkNames(among: ["coordinates", "width_m"])
        guard let array = try object.array("coordinates") else {
            throw object.refusal(of: "coordinates", nil, expected: "an array of [lon, lat]")
        }
        var reader = PositionReader(maxVertices: maxVertices)
        let line = try reader.line(array, at: "geometry.line.coordinates")
        return .line(line, width: try width(of: object))
    }

    private static func width(of object: PayloadObject) throws(Refusal) -> Double {
        try object.number("width_m", from: 0, to: 1000, unit: "metres") ?? 15
    }

    /// Returns the polygon of a GeoJSON Polygon's or MultiPolygon's coordinates.
    private static func polygon(
        _ value: JSONValue, at path: String, maxVertices: Int
    ) throws(Refusal) -> Area.Shape {
        guard let array = value.array else {
            throw Refusal(
                .invalidGeometry,
                "\(path) must be the coordinates of a GeoJSON Polygon or MultiPolygon, not \(value.shown)"
            )
        }
        var reader = PositionReader(maxVertices: maxVertices)
        guard array.firstElement?.array?.firstElement?.array?.firstElement?.kind == .array else {
            return .polygon([try reader.part(array, at: path)])
        }
        var parts: [[[Coordinate]]] = []
        for element in array {
            let name = "\(path)[\(parts.count)]"
            guard let rings = element.array else {
                throw Refusal(
                    .invalidGeometry, "\(name) must be an array of rings, not \(element.shown)")
            }
            parts.append(try reader.part(rings, at: name))
        }
        return .polygon(parts)
    }
}

// MARK: Definitions

extension ShapeReader {
    /// Returns the shape that a definition's geometry and properties describe.
    ///
    /// - Throws: A refusal for `invalid_geometry` that names the member that is wrong.
    static func shape(
        ofFeature feature: PayloadObject, _ properties: PayloadObject, maxVertices: Int
    ) throws(Refusal) -> Area.Shape {
        let properties = PayloadObject(
            properties.value, under: properties.path, reason: .invalidGeometry)
        if let rectangle = properties["rectangle"] {
            return .rectangle(try box(rectangle, at: "properties.rectangle"))
        }
        guard let member = feature["geometry"] else {
            throw Refusal(.invalidGeometry, "geometry is missing: it must be an object")
        }
        let object = try PayloadObject(member, at: "geometry", reason: .invalidGeometry)
        guard let coordinates = try object.array("coordinates") else {
            throw object.refusal(of: "coordinates", nil, expected: "an array")
        }
        let path = "geometry.coordinates"
        switch try object.text("type") {
        case "Point":
            let point = try PositionReader.position(member["coordinates"] ?? member, at: path)
            return properties["radius_m"] == nil
                ? .point(point) : .circle(center: point, radius: try radius(of: properties))
        case "LineString":
            var reader = PositionReader(maxVertices: maxVertices)
            return .line(
                try reader.line(coordinates, at: path), width: try width(of: properties))
        case "Polygon", "MultiPolygon":
            return try polygon(
                member["coordinates"] ?? member, at: path, maxVertices: maxVertices)
        default:
            throw object.refusal(
                of: "type", object["type"],
                expected: "Point, LineString, Polygon or MultiPolygon")
        }
    }
}

/// Reads arrays of `[lon, lat]`, and counts vertices.
private struct PositionReader {
    let maxVertices: Int
    private var count = 0

    init(maxVertices: Int) { self.maxVertices = maxVertices }

    /// Returns the rings of one part.
    mutating func part(_ array: JSONArray, at path: String) throws(Refusal) -> [[Coordinate]] {
        var rings: [[Coordinate]] = []
        for element in array {
            let name = "\(path)[\(rings.count)]"
            guard let positions = element.array else {
                throw Refusal(
                    .invalidGeometry,
                    "\(name) must be a ring, an array of [lon, lat], not \(element.shown)")
            }
            rings.append(try row(positions, at: name, isRing: true))
        }
        return rings
    }

    /// Returns the positions of a line.
    mutating func line(_ array: JSONArray, at path: String) throws(Refusal) -> [Coordinate] {
        try row(array, at: path, isRing: false)
    }

    private mutating func row(
        _ array: JSONArray, at path: String, isRing: Bool
    ) throws(Refusal) -> [Coordinate] {
        var row: [Coordinate] = []
        row.reserveCapacity(array.count)
        for element in array {
            let coordinate: Coordinate
            if let plain = TargetReader.coordinate(element) {
                coordinate = plain
            } else {
                coordinate = try Self.position(element, at: "\(path)[\(row.count)]")
            }
            if row.last != coordinate { count += 1 }
            row.append(coordinate)
            // The last vertex of a closed ring does not count, which is seen only at its end.
            guard count <= maxVertices + (isRing ? 1 : 0) else { throw tooMany }
        }
        if isRing, row.count > 1, row.first == row.last { count -= 1 }
        guard count <= maxVertices else { throw tooMany }
        return row
    }

    private var tooMany: Refusal {
        Refusal(.invalidGeometry, "geometry has more than \(maxVertices) vertices")
    }

    static func position(_ value: JSONValue, at path: String) throws(Refusal) -> Coordinate {
        try TargetReader.position(value, at: path, reason: .invalidGeometry)
    }
}

extension JSONArray {
    /// The first element; `nil` where there is none.
    fileprivate var firstElement: JSONValue? {
        var elements = makeIterator()
        return elements.next()
    }
}
