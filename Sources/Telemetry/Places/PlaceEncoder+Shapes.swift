import Geometry

extension JSONWriter {
    /// Writes a shape as the member `geometry` of a `put`.
    mutating func shape(_ shape: Area.Shape) {
        object { json in
            switch shape {
            case .point(let coordinate): json.member("point", given: coordinate)
            case .circle(let center, let radius):
                json.key("circle")
                json.object { json in
                    json.member("center", given: center)
                    json.member("radius_m", exact: radius)
                }
            case .rectangle(let box):
                json.key("rectangle")
                json.rectangle(box)
            case .polygon(let parts):
                json.key("polygon")
                json.rings(of: parts)
            case .line(let line, let width):
                json.key("line")
                json.object { json in
                    json.key("coordinates")
                    json.exactPositions(line)
                    json.member("width_m", exact: width)
                }
            }
        }
    }

    /// Writes an area as a GeoJSON geometry.
    mutating func geometry(of area: Area) {
        switch area.shape {
        case .point(let coordinate), .circle(let coordinate, _):
            geometry("Point") { $0.exactPosition(coordinate) }
        case .rectangle(let box):
            geometry("Polygon") { $0.rings(of: [[box.ring]]) }
        case .polygon(let parts):
            geometry(parts.count == 1 ? "Polygon" : "MultiPolygon") { $0.rings(of: parts) }
        case .line(let line, _):
            geometry("LineString") { $0.exactPositions(line) }
        }
    }

    /// Writes a closed ring as a GeoJSON geometry.
    mutating func geometry(ofRing ring: [Coordinate]) {
        geometry("Polygon") { $0.rings(of: [[ring]]) }
    }

    /// Writes the four numbers of a rectangle.
    mutating func rectangle(_ box: CoordinateBox) {
        object { json in
            json.member("south", exact: box.south)
            json.member("west", exact: box.west)
            json.member("north", exact: box.north)
            json.member("east", exact: box.east)
        }
    }

    private mutating func geometry(
        _ type: String, _ coordinates: (inout JSONWriter) -> Void
    ) {
        object { json in
            json.member("type", type)
            json.key("coordinates")
            coordinates(&json)
        }
    }

    /// Writes the rings of a single part, or the parts with their rings.
    private mutating func rings(of parts: [[[Coordinate]]]) {
        if let part = parts.first, parts.count == 1 { return rings(part) }
        array { json in
            for part in parts { json.rings(part) }
        }
    }

    private mutating func rings(_ part: [[Coordinate]]) {
        array { json in
            for ring in part { json.exactPositions(ring) }
        }
    }

    private mutating func exactPositions(_ line: [Coordinate]) {
        array { json in
            for coordinate in line { json.exactPosition(coordinate) }
        }
    }

    private mutating func exactPosition(_ coordinate: Coordinate) {
        array { json in
            json.number(coordinate.longitude)
            json.number(coordinate.latitude)
        }
    }
}

extension CoordinateBox {
    /// The closed ring around it, anticlockwise, with no edge longer than 90 degrees.
    fileprivate var ring: [Coordinate] {
        let steps = Int((width / 90).rounded(.up))
        let longitudes = (0...steps).map { step -> Double in
            if step == 0 { return west }
            if step == steps { return east }
            let longitude = west + width * Double(step) / Double(steps)
            return longitude > 180 ? longitude - 360 : longitude
        }
        let southern = longitudes.map { Coordinate(latitude: south, longitude: $0) }
        let northern = longitudes.reversed().map { Coordinate(latitude: north, longitude: $0) }
        return southern + northern + southern.prefix(1)
    }
}
