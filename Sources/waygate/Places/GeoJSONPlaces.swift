import Geometry
import Telemetry

/// Reads GeoJSON features, definitions among them, and objects of ids with what is put.
enum GeoJSONPlaces {
    /// What a definition tells besides what was put.
    private static let derived: Set = [
        "id", "revision", "put_at", "area_m2", "radius_m", "width_m", "rectangle", "attributes",
    ]

    static func read(
        _ root: JSONValue, radius: Double?
    ) throws(RouteFileError) -> [PlaceDraft] {
        switch root["type"]?.string {
        case "FeatureCollection":
            guard let features = root["features"]?.array else {
                throw RouteFileError("features of its GeoJSON is no array")
            }
            var naming = PlaceNaming()
            var places: [PlaceDraft] = []
            for feature in features {
                places.append(
                    try place(
                        feature, at: "features[\(places.count)]", radius: radius, &naming))
            }
            return places
        case "Feature":
            var naming = PlaceNaming()
            return [try place(root, at: "the feature", radius: radius, &naming)]
        case let type?:
            throw RouteFileError(
                "its GeoJSON is a '\(type.printable)': places are features, for their ids and names"
            )
        case nil: return puts(root)
        }
    }

    /// Returns the members of a `put` that a JSON text holds, as such or as a feature.
    static func members(
        of text: String
    ) throws(RouteFileError) -> [(name: String, json: String)] {
        try JSONFile.read(text) { root in
            guard root.object != nil else { throw RouteFileError("it is no JSON object") }
            guard root["type"] != nil else { return put(root) }
            guard root["type"]?.string == "Feature" else {
                throw RouteFileError("it is GeoJSON, but no feature")
            }
            var place = PlaceDraft(id: "")
            try fill(&place, of: root, at: "the feature", radius: nil)
            return place.members
        }
    }

    private static func puts(_ root: JSONValue) -> [PlaceDraft] {
        root.members.map { key, value in
            var place = PlaceDraft(id: key.string)
            place.members = put(value)
            return place
        }
    }

    private static func put(_ value: JSONValue) -> [(name: String, json: String)] {
        value.members.filter { $0.key.string != "command_id" }.map {
            ($0.key.string, $0.value.rawText)
        }
    }

    private static func place(
        _ feature: JSONValue, at origin: String, radius: Double?, _ naming: inout PlaceNaming
    ) throws(RouteFileError) -> PlaceDraft {
        let properties = feature["properties"]
        let told = feature["id"] ?? properties?["id"]
        let id = told?.string ?? told?.int64.map(String.init)
        let name = properties?["name"]?.string
        var place = PlaceDraft(
            origin: origin, id: try naming.id(id, name: name, at: origin))
        try fill(&place, of: feature, at: origin, radius: radius)
        return place
    }

    private static func fill(
        _ place: inout PlaceDraft, of feature: JSONValue, at origin: String, radius: Double?
    ) throws(RouteFileError) {
        let properties = feature["properties"]
        guard let geometry = feature["geometry"], !geometry.isNull else {
            throw RouteFileError("\(origin) has no geometry")
        }
        place.set("geometry", json: try self.geometry(geometry, properties, origin, radius))
        describe(&place, properties)
    }

    /// Takes what a `put` knows as such; other people's properties become attributes.
    private static func describe(_ place: inout PlaceDraft, _ properties: JSONValue?) {
        var attributes = JSONWriter(capacity: 256)
        var hasAttributes = false
        attributes.object { attributes in
            let own = properties?["attributes"]
            for (name, value) in own?.members ?? [] {
                attributes.key(text: name.string)
                attributes.raw(value.rawText)
                hasAttributes = true
            }
            for (name, value) in properties?.members ?? [] where !value.isNull {
                let name = name.string
                if derived.contains(name) { continue }
                if PlaceReader.memberNames.contains(name) {
                    place.set(name, json: value.rawText)
                } else {
                    attributes.key(text: name)
                    attributes.raw(value.rawText)
                    hasAttributes = true
                }
            }
        }
        if hasAttributes { place.set("attributes", json: attributes.text) }
    }

    /// Returns the geometry of a `put`, as JSON: what is wrong in the numbers is left for the worker's rules to say.
    private static func geometry(
        _ geometry: JSONValue, _ properties: JSONValue?, _ origin: String, _ radius: Double?
    ) throws(RouteFileError) -> String {
        if let rectangle = properties?["rectangle"], rectangle.object != nil {
            return "{\"rectangle\":\(rectangle.rawText)}"
        }
        let type = geometry["type"]?.string ?? "?"
        guard let coordinates = geometry["coordinates"], coordinates.array != nil else {
            throw RouteFileError(
                "\(origin): a \(type.printable) without coordinates cannot be a place")
        }
        var json = JSONWriter()
        switch type {
        case "Point":
            let numbers = coordinates.array.map { $0.prefix(2).compactMap(\.double) } ?? []
            guard numbers.count == 2 else {
                throw RouteFileError("\(origin): its point is not [lon, lat]")
            }
            let point = Coordinate(latitude: numbers[1], longitude: numbers[0])
            let own = try self.radius(properties, origin)
            PlaceEncoder.encode(shape: PlaceFile.shape(point, radius: own ?? radius), into: &json)
        case "LineString":
            json.object { json in
                json.key("line")
                json.object { json in
                    json.key("coordinates")
                    json.raw(coordinates.rawText)
                    if let width = properties?["width_m"], !width.isNull {
                        json.key("width_m")
                        json.raw(width.rawText)
                    }
                }
            }
        case "Polygon", "MultiPolygon":
            json.object { json in
                json.key("polygon")
                json.raw(coordinates.rawText)
            }
        default:
            throw RouteFileError(
                "\(origin): a \(type.printable) cannot be a place; Point, LineString, Polygon and MultiPolygon can"
            )
        }
        return json.text
    }

    /// Returns the radius of a point's circle; `nil` where it has none.
    private static func radius(
        _ properties: JSONValue?, _ origin: String
    ) throws(RouteFileError) -> Double? {
        guard let value = properties?["radius_m"], !value.isNull else { return nil }
        guard let radius = value.double else {
            throw RouteFileError(
                "\(origin): radius_m is no number: \(value.rawText.prefix(40).description.printable)"
            )
        }
        return radius
    }
}
