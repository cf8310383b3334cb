import Geometry
import Telemetry
import Tracking

/// OSRM's HTTP API, `/route/v1/{profile}`: one GET with all in its URL.
enum OSRM: RoutingEngine {
    static let name = "OSRM"
    static let codesOfNoWay: Set = ["NoSegment", "NoRoute"]

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
        guard let code = answer["code"]?.string, code != "Ok" else { return nil }
        return (code, answer["message"]?.string ?? "")
    }

    static func route(
        in answer: JSONValue, for query: RouteQuery
    ) throws(PlannerError) -> ProvidedRoute {
        guard let start = query.points.first, let routes = answer["routes"]?.array else {
            throw PlannerError(.unusable, "the answer has no \"routes\"")
        }
        var iterator = routes.makeIterator()
        guard let first = iterator.next() else {
            throw PlannerError(.unusable, "the answer's \"routes\" are empty")
        }
        guard let geometry = first["geometry"] else {
            throw PlannerError(.unusable, "the route has no \"geometry\"")
        }
        let points = try RouteGeometry.points(of: geometry, near: start)
        var route = ProvidedRoute(coordinates: points, duration: first["duration"]?.amount)
        addLegs(first["legs"], to: &route, count: query.points.count - 1)
        return route
    }

    /// Adds the legs' ends and the segments' times, if the annotations fit the line.
    ///
    /// With `overview=full` the line has each leg's vertices once, the one between two legs too, and a leg's
    /// annotation one entry for each of its segments.
    private static func addLegs(_ legs: JSONValue?, to route: inout ProvidedRoute, count: Int) {
        guard let legs = legs?.array else { return }
        var times: [Double] = []
        var ends: [Int] = []
        for leg in legs {
            guard let annotation = leg["annotation"]?["duration"]?.array else { return }
            let own = annotation.compactMap(\.amount)
            let begin = times.count
            let end = begin + own.count
            guard own.count == annotation.count, end < route.coordinates.count else { return }
            let total = leg["duration"]?.amount ?? own.reduce(0, +)
            times += RouteGeometry.fit(own, to: total, over: route.coordinates[begin...end])
            ends.append(end)
        }
        guard ends.count == count, ends.last == route.coordinates.count - 1 else { return }
        route.segmentDurations = times
        route.legEnds = Array(ends.dropLast())
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
