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
            + "\"attributes\":[\"shape_attributes.time\",\"shape_attributes.speed_limit\"]}}"
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

    static func route(
        in answer: JSONValue, for query: RouteQuery
    ) throws(PlannerError) -> ProvidedRoute {
        try OSRMAnswer.route(in: answer, for: query)
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
