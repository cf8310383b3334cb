package import Tracking
package import Watching

/// Reads files of places for those who run rules offline: ids with what would be put, or GeoJSON.
package enum PlaceListReader {
    /// Returns the places in a JSON text: an object of ids with what would be put, or GeoJSON features with ids.
    ///
    /// - Parameter putAt: When the places are taken to have been put.
    /// - Throws: `ScenarioError` that names what is wrong and where.
    package static func places(
        in text: UnsafeRawBufferPointer, putAt: Timestamp, limits: PlaceLimits
    ) throws(ScenarioError) -> [Place] {
        let parser = JSONParser()
        let root: JSONValue
        do throws(JSONError) {
            root = try parser.parse(text)
        } catch {
            throw ScenarioError(message: "this is not JSON: \(error.message)")
        }
        do throws(Refusal) {
            return try places(root, putAt: putAt, limits: limits)
        } catch {
            throw ScenarioError(message: error.detail)
        }
    }

    private static func places(
        _ root: JSONValue, putAt: Timestamp, limits: PlaceLimits
    ) throws(Refusal) -> [Place] {
        switch root["type"]?.string {
        case "Feature": return [try place(ofFeature: root, "feature", putAt, limits)]
        case "FeatureCollection":
            var places: [Place] = []
            for feature in root["features"]?.array.map(Array.init) ?? [] {
                places.append(
                    try place(ofFeature: feature, "features[\(places.count)]", putAt, limits))
            }
            return places
        default: return try places(ofObject: root, at: "the file", putAt: putAt, limits: limits)
        }
    }

    /// Returns the places of an object of ids with what would be put.
    ///
    /// - Parameter path: The object's name, for a person.
    static func places(
        ofObject value: JSONValue, at path: String, putAt: Timestamp, limits: PlaceLimits
    ) throws(Refusal) -> [Place] {
        guard let members = value.object else {
            throw Refusal(.invalidPlace, "\(path) must be an object, not \(value.shown)")
        }
        var places: [Place] = []
        for (name, value) in members {
            places.append(
                try place(name.string, putAt) { () throws(Refusal) in
                    try PlaceReader.content(of: value, limits: limits)
                })
        }
        return places
    }

    private static func place(
        ofFeature value: JSONValue, _ path: String, _ putAt: Timestamp, _ limits: PlaceLimits
    ) throws(Refusal) -> Place {
        let member = value["id"] ?? value["properties"]?["id"]
        guard let id = member?.string ?? member?.int64.map(String.init) else {
            throw Refusal(.invalidPlace, "\(path) has no id")
        }
        return try place(id, putAt) { () throws(Refusal) in
            try PlaceReader.content(ofFeature: value, limits: limits)
        }
    }

    private static func place(
        _ id: String, _ putAt: Timestamp, _ content: () throws(Refusal) -> PlaceContent
    ) throws(Refusal) -> Place {
        do throws(Refusal) {
            return Place(id: id, revision: 1, putAt: putAt, content: try content())
        } catch {
            throw Refusal(error.reason, "place \(id): \(error.detail)")
        }
    }
}
