import Geometry
import Telemetry

/// Reads the answer of Traccar's `/api/geofences`.
///
/// Source: https://www.traccar.org/api-reference/#tag/Geofences; speeds are in knots, distances in metres.
enum TraccarPlaces {
    private static let metresPerSecond = 1852.0 / 3600

    static func read(_ root: JSONValue) throws(RouteFileError) -> [PlaceDraft] {
        var naming = PlaceNaming()
        var places: [PlaceDraft] = []
        for element in root.array.map(Array.init) ?? [] {
            places.append(try place(element, at: "element \(places.count)", &naming))
        }
        return places
    }

    private static func place(
        _ value: JSONValue, at origin: String, _ naming: inout PlaceNaming
    ) throws(RouteFileError) -> PlaceDraft {
        let name = value["name"]?.string
        guard let area = value["area"]?.string else {
            throw RouteFileError(
                "\(origin) has no area: a list of places is GeoJSON, or what Traccar's /api/geofences answers"
            )
        }
        var place = PlaceDraft(
            origin: origin,
            id: try naming.id(value["id"]?.int64.map(String.init), name: name, at: origin))
        let attributes = value["attributes"]
        let distance = attributes?["polylineDistance"]?.double
        do throws(RouteFileError) {
            place.set(try TraccarArea.shape(area, distance: distance))
        } catch {
            throw RouteFileError("\(origin): \(error.message)")
        }
        place.set("name", text: name)
        place.set("description", text: value["description"]?.string)
        place.set("color", text: attributes?["color"]?.string)
        if let knots = attributes?["speedLimit"]?.double, knots > 0 {
            place.set("speed_limit_mps", number: knots * metresPerSecond)
        }
        return place
    }
}

/// Reads Traccar's own WKT, which has the latitude first and knows circles.
enum TraccarArea {
    /// How far to each side of a line is inside where nothing else is said, in metres: Traccar's own default.
    private static let usualDistance = 25.0

    /// Returns the shape of `CIRCLE (lat lon, radius)`, `POLYGON ((lat lon, …))` or `LINESTRING (lat lon, …)`.
    ///
    /// - Parameter distance: How far to each side of a line is inside, in metres.
    /// - Throws: ``RouteFileError`` that says what is wrong with it.
    static func shape(_ text: String, distance: Double?) throws(RouteFileError) -> Area.Shape {
        let kind = text.prefix { $0.isLetter }.uppercased()
        var groups: [[[Double]]] = []
        for group in text.split(whereSeparator: { $0 == "(" || $0 == ")" }).dropFirst() {
            let tuples = group.split(separator: ",").filter { !$0.allSatisfy(\.isWhitespace) }
            guard !tuples.isEmpty else { continue }
            groups.append(
                try tuples.map { tuple throws(RouteFileError) in
                    try tuple.split(whereSeparator: \.isWhitespace).map {
                        word throws(RouteFileError) in
                        guard let number = decimal(word) else {
                            throw RouteFileError("'\(word)' in its area is no number")
                        }
                        return number
                    }
                })
        }
        switch (kind, groups.count) {
        case ("CIRCLE", 1):
            guard groups[0].count == 2, groups[0][1].count == 1 else { break }
            return .circle(center: try place(groups[0][0]), radius: groups[0][1][0])
        case ("POLYGON", 1...): return .polygon([try groups.map(line)])
        case ("LINESTRING", 1):
            return .line(try line(groups[0]), width: 2 * (distance ?? usualDistance))
        default: break
        }
        throw RouteFileError(
            "its area is no CIRCLE (lat lon, radius), POLYGON ((lat lon, …)) or LINESTRING (lat lon, …): '\(text.prefix(40).description.printable)'"
        )
    }

    private static func line(_ tuples: [[Double]]) throws(RouteFileError) -> [Coordinate] {
        try tuples.map(place)
    }

    private static func place(_ tuple: [Double]) throws(RouteFileError) -> Coordinate {
        guard tuple.count == 2 else {
            throw RouteFileError("a vertex of its area is not latitude and longitude")
        }
        return Coordinate(latitude: tuple[0], longitude: tuple[1])
    }
}
