import Geometry
import Telemetry
import Tracking

/// Valhalla's HTTP API, `/route`: one POST of JSON, answered as OSRM would.
///
/// Asked so, it tells time and speed limit of each segment, which its own form of an answer has no room for.
enum Valhalla: RoutingEngine {
    static let name = "Valhalla"
    /// Its own numbers, where it does not come to reading the form asked for: no suitable edges near location, no path
    /// could be found for input.
    static let codesOfNoWay = OSRM.codesOfNoWay.union(["171", "442"])
    static let excludesRoads = true

    static func request(for query: RouteQuery, at endpoint: Endpoint) -> HTTPRequest {
        var locations: [String] = []
        for (index, point) in query.points.enumerated() {
            var location =
                "\"lat\":\(point.latitude.degreesText),\"lon\":\(point.longitude.degreesText)"
            if index == 0, let course = query.course {
                location += ",\"heading\":\(course.courseText),\"heading_tolerance\":45"
            }
            locations.append("{\(location)}")
        }
        let text =
            "{\"locations\":[\(locations.joined(separator: ","))],"
            + "\"costing\":\"\(costing(of: query.profile))\",\"directions_type\":\"none\","
            + "\"format\":\"osrm\",\"shape_format\":\"polyline6\",\"filters\":{\"action\":\"include\","
            + "\"attributes\":[\"shape_attributes.time\",\"shape_attributes.speed_limit\"]}"
            + costingOptions(of: query) + exclusions(of: query.exclusions) + "}"
        let path = endpoint.path(for: query.profile)
        let url = endpoint.url(path: path.hasSuffix("/route") ? path : path + "/route")
        return HTTPRequest(url: url, body: Array(text.utf8))
    }

    static func probe(at endpoint: Endpoint) -> HTTPRequest {
        var path = endpoint.path(for: .driving)
        if path.hasSuffix("/route") { path.removeLast(6) }
        return HTTPRequest(url: endpoint.url(path: path + "/status"))
    }

    static func description(of answer: JSONValue) -> String? {
        answer["version"]?.string.map { "\(name) \($0)" }
    }

    static func refusal(in answer: JSONValue) -> (code: String, words: String)? {
        if let code = answer["error_code"]?.int64 {
            return (String(code), answer["error"]?.string ?? "")
        }
        return OSRMAnswer.refusal(in: answer)
    }

    static func routes(
        in answer: JSONValue, for query: RouteQuery
    ) throws(PlannerError) -> [ProvidedRoute] {
        try OSRMAnswer.routes(in: answer, for: query)
    }

    /// What the engine knows of a vehicle's size, in its own units: metres, tonnes, kilometres an hour.
    private static func costingOptions(of query: RouteQuery) -> String {
        guard let vehicle = query.vehicle else { return "" }
        var options: [(name: String, value: Double?)] = [
            ("height", vehicle.height), ("width", vehicle.width),
            ("weight", vehicle.weight.map { $0 / 1000 }),
            ("top_speed", vehicle.topSpeed.map { min(max($0 * 3.6, 10), 252) }),
        ]
        if query.profile == .truck {
            options += [
                ("length", vehicle.length),
                ("axle_load", vehicle.axleLoad.map { $0 / 1000 }),
                ("axle_count", vehicle.axleCount.map(Double.init)),
            ]
        }
        var members = options.compactMap { option in
            option.value.map { "\"\(option.name)\":\($0.plainText)" }
        }
        if query.profile == .truck, let isHazardous = vehicle.isHazardous {
            members.append("\"hazmat\":\(isHazardous)")
        }
        switch query.profile {
        case .driving, .truck:
            let name = costing(of: query.profile)
            return ",\"costing_options\":{\"\(name)\":{\(members.joined(separator: ","))}}"
        case .biking, .walking: return ""
        }
    }

    private static func exclusions(of exclusions: Exclusions) -> String {
        var text = ""
        if !exclusions.rings.isEmpty {
            let rings = exclusions.rings.map { ring in
                let points = ring.map {
                    "[\($0.longitude.degreesText),\($0.latitude.degreesText)]"
                }
                return "[\(points.joined(separator: ","))]"
            }
            text += ",\"exclude_polygons\":[\(rings.joined(separator: ","))]"
        }
        if !exclusions.places.isEmpty {
            let places = exclusions.places.map { place in
                let course =
                    place.course.map { ",\"heading\":\($0.courseText),\"heading_tolerance\":45" }
                    ?? ""
                return
                    "{\"lat\":\(place.coordinate.latitude.degreesText),"
                    + "\"lon\":\(place.coordinate.longitude.degreesText)\(course)}"
            }
            text += ",\"exclude_locations\":[\(places.joined(separator: ","))]"
        }
        return text
    }

    private static func costing(of profile: TripOptions.Profile) -> String {
        switch profile {
        case .driving: "auto"
        case .truck: "truck"
        case .biking: "bicycle"
        case .walking: "pedestrian"
        }
    }
}
