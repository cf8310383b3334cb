import Geometry
import Telemetry
import Tracking

/// OSRM's HTTP API, `/route/v1/{profile}`: one GET with all in its URL.
enum OSRM: RoutingEngine {
    static let name = "OSRM"
    static let codesOfNoWay: Set = ["NoSegment", "NoRoute"]
    /// It can leave out classes of roads that its map was made with, but no road in particular.
    static let excludesRoads = false

    /// How many other routes are asked for; it has them only where there are no via points.
    private static let alternatives = 3

    /// How far the first road may be when the course is asked for too, in metres: beyond, OSRM would find the
    /// right course on a wrong road.
    private static let courseRadius = 100

    static func request(for query: RouteQuery, at endpoint: Endpoint) -> HTTPRequest {
        let points = query.points.map { "\($0.longitude.degreesText),\($0.latitude.degreesText)" }
        var parameters = [
            (name: "overview", value: "full"), (name: "geometries", value: "polyline6"),
            (name: "annotations", value: "duration"), (name: "steps", value: "false"),
            (name: "generate_hints", value: "false"),
        ]
        if query.wantsAlternatives, query.points.count == 2 {
            parameters.append((name: "alternatives", value: "\(alternatives)"))
        }
        if let course = query.course {
            let others = query.points.count - 1
            let bearings = "\(course.courseText),45" + String(repeating: ";", count: others)
            let radii = "\(courseRadius)" + String(repeating: ";unlimited", count: others)
            parameters.append((name: "bearings", value: bearings))
            parameters.append((name: "radiuses", value: radii))
        }
        let path =
            servicePath(for: query.profile, at: endpoint) + "/"
            + points.joined(separator: ";")
        return HTTPRequest(url: endpoint.url(path: path, parameters: parameters))
    }

    /// Null Island twice: OSRM finds a road however far it is, and says so in its own words if not.
    static func probe(at endpoint: Endpoint) -> HTTPRequest {
        let path = servicePath(for: .driving, at: endpoint) + "/0,0;0,0"
        return HTTPRequest(url: endpoint.url(path: path))
    }

    static func description(of answer: JSONValue) -> String? {
        guard answer["code"]?.string != nil else { return nil }
        let version = answer["data_version"]?.string.map { ", data version \($0)" } ?? ""
        return name + version
    }

    static func refusal(in answer: JSONValue) -> (code: String, words: String)? {
        OSRMAnswer.refusal(in: answer)
    }

    static func routes(
        in answer: JSONValue, for query: RouteQuery
    ) throws(PlannerError) -> [ProvidedRoute] {
        try OSRMAnswer.routes(in: answer, for: query)
    }

    /// The path of the service: the URL's own if it names one, else the customary one.
    private static func servicePath(
        for profile: TripOptions.Profile, at endpoint: Endpoint
    ) -> String {
        let path = endpoint.path(for: profile)
        let levels = path.split(separator: "/", omittingEmptySubsequences: false)
        if levels.suffix(3).prefix(2) == ["route", "v1"] { return path }
        if path.hasSuffix("/route/v1") { return "\(path)/\(pathName(of: profile))" }
        return "\(path)/route/v1/\(pathName(of: profile))"
    }

    /// What OSRM servers call a profile.
    ///
    /// A server has one profile and ignores the name, but what stands before several may go by it. OSRM
    /// brings no profile for lorries.
    private static func pathName(of profile: TripOptions.Profile) -> String {
        switch profile {
        case .driving, .truck: "driving"
        case .biking: "bike"
        case .walking: "foot"
        }
    }
}
