import Geometry
import Telemetry

/// Reads the lines of a GeoJSON text, and of its near relatives `{"coordinates": …}` and a bare
/// array.
enum GeoJSONLines {
    static func read(_ text: String) throws(RouteFileError) -> [NamedLine] {
        try JSONFile.read(text) { root in
            var lines: [NamedLine] = []
            try collect(root, name: nil, into: &lines)
            return lines
        }
    }

    private static func collect(
        _ value: JSONValue, name: String?, into lines: inout [NamedLine]
    ) throws(RouteFileError) {
        if value.array != nil {
            lines.append(NamedLine(name: name, coordinates: try line(value)))
            return
        }
        switch value["type"]?.string {
        case "FeatureCollection": try collectAll(value["features"], name: nil, into: &lines)
        case "GeometryCollection": try collectAll(value["geometries"], name: name, into: &lines)
        case "Feature":
            let properties = value["properties"]
            let name = properties?["name"]?.string ?? properties?["trip_id"]?.string
            guard let geometry = value["geometry"], !geometry.isNull else { return }
            try collect(geometry, name: name, into: &lines)
        case "MultiLineString": try collectAll(value["coordinates"], name: name, into: &lines)
        case "LineString", nil:
            guard let coordinates = value["coordinates"], coordinates.array != nil else {
                throw RouteFileError("an object of its JSON has no coordinates")
            }
            try collect(coordinates, name: name, into: &lines)
        // Points and areas are legal, and nothing to drive along.
        default: return
        }
    }

    private static func collectAll(
        _ value: JSONValue?, name: String?, into lines: inout [NamedLine]
    ) throws(RouteFileError) {
        guard let elements = value?.array else {
            throw RouteFileError("a collection of its GeoJSON has no list of members")
        }
        for element in elements { try collect(element, name: name, into: &lines) }
    }

    private static func line(_ value: JSONValue) throws(RouteFileError) -> [Coordinate] {
        guard let elements = value.array else { throw RouteFileError("a line of it is no array") }
        var line: [Coordinate] = []
        for element in elements {
            let numbers = element.array.map { $0.prefix(2).compactMap(\.double) } ?? []
            guard numbers.count == 2 else {
                throw RouteFileError("point \(line.count) of a line is not [lon, lat]")
            }
            line.append(Coordinate(latitude: numbers[1], longitude: numbers[0]))
        }
        return line
    }
}
