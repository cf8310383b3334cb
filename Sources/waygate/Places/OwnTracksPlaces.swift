import Geometry
import Telemetry

/// Reads what OwnTracks exports and publishes: one `waypoint`, or a list of `waypoints`.
///
/// Source: https://owntracks.org/booklet/tech/json/#_typewaypoint
enum OwnTracksPlaces {
    static func read(_ root: JSONValue, kind: String) throws(RouteFileError) -> [PlaceDraft] {
        var naming = PlaceNaming()
        switch kind {
        case "waypoint":
            return [try place(root, at: "the waypoint", &naming)].compactMap(\.self)
        case "waypoints":
            guard let list = root["waypoints"]?.array else {
                throw RouteFileError("waypoints is no array")
            }
            var places: [PlaceDraft] = []
            for (index, element) in list.enumerated() {
                if let place = try place(element, at: "waypoints[\(index)]", &naming) {
                    places.append(place)
                }
            }
            return places
        default:
            throw RouteFileError(
                "it is OwnTracks' '\(kind.printable)': places are in 'waypoints' and 'waypoint'")
        }
    }

    /// Returns a place; `nil` for a beacon, which is nowhere.
    private static func place(
        _ value: JSONValue, at origin: String, _ naming: inout PlaceNaming
    ) throws(RouteFileError) -> PlaceDraft? {
        // A beacon's description is "name:uuid:major:minor", and it may have no place.
        let name = value["desc"]?.string
        guard let latitude = value["lat"]?.double, let longitude = value["lon"]?.double else {
            if value["uuid"] != nil || name?.contains(":") == true { return nil }
            throw RouteFileError("\(origin) has no lat and lon")
        }
        var place = PlaceDraft(
            origin: origin, id: try naming.id(value["rid"]?.string, name: name, at: origin))
        let radius = value["rad"]?.double.flatMap { $0 > 0 ? $0 : nil }
        place.set(
            PlaceFile.shape(Coordinate(latitude: latitude, longitude: longitude), radius: radius))
        place.set("name", text: name)
        return place
    }
}
