import Geometry
import Telemetry
import Tracking

/// Valhalla's HTTP API, `/route`: one POST of JSON.
enum Valhalla: RoutingEngine {
    static let name = "Valhalla"
    /// No suitable edges near location; no path could be found for input.
    static let codesOfNoWay: Set = ["171", "442"]

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
            + "\"costing\":\"\(costing(of: query.profile))\",\"directions_type\":\"maneuvers\"}"
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
        guard let status = answer["trip"]?["status"]?.int64, status != 0 else { return nil }
        return (String(status), answer["trip"]?["status_message"]?.string ?? "")
    }

    static func route(
        in answer: JSONValue, for query: RouteQuery
    ) throws(PlannerError) -> ProvidedRoute {
        guard var near = query.points.first, let trip = answer["trip"],
            let legs = trip["legs"]?.array
        else { throw PlannerError(.unusable, "the answer has no \"trip\" with \"legs\"") }
        var route = ProvidedRoute(coordinates: [], duration: trip["summary"]?["time"]?.amount)
        var ends: [Int] = []
        for leg in legs {
            guard let shape = leg["shape"] else {
                throw PlannerError(.unusable, "leg \(ends.count) of the answer has no \"shape\"")
            }
            let points = try RouteGeometry.points(of: shape, near: near)
            append(points, times: times(of: leg, over: points), to: &route)
            near = points.last ?? near
            ends.append(route.coordinates.count - 1)
        }
        if route.segmentDurations.count != route.coordinates.count - 1 {
            route.segmentDurations = []
        }
        if ends.count == query.points.count - 1 { route.legEnds = Array(ends.dropLast()) }
        return route
    }

    /// Appends a leg; it begins where the one before it ended.
    private static func append(
        _ points: [Coordinate], times: [Double], to route: inout ProvidedRoute
    ) {
        guard let last = route.coordinates.last, let first = points.first else {
            route.coordinates += points
            route.segmentDurations += times
            return
        }
        let isJoined = last == first
        route.coordinates += isJoined ? points[1...] : points[...]
        if !isJoined { route.segmentDurations.append(0) }
        route.segmentDurations += times
    }

    /// Returns the times of a leg's segments: each manoeuvre's time spread over its part of the shape, or the
    /// leg's over the whole where the manoeuvres do not cover it; empty where it has none.
    private static func times(of leg: JSONValue, over points: [Coordinate]) -> [Double] {
        guard points.count >= 2, let total = leg["summary"]?["time"]?.amount else { return [] }
        var times: [Double] = []
        if let manoeuvres = leg["maneuvers"]?.array {
            for manoeuvre in manoeuvres {
                guard let begin = manoeuvre["begin_shape_index"]?.int64,
                    let end = manoeuvre["end_shape_index"]?.int64,
                    let time = manoeuvre["time"]?.amount,
                    begin == times.count, end >= begin, end < points.count
                else { break }
                guard end > begin else { continue }
                times += RouteGeometry.spread(time, over: points[Int(begin)...Int(end)])
            }
        }
        guard times.count == points.count - 1 else {
            return RouteGeometry.spread(total, over: points[...])
        }
        return RouteGeometry.fit(times, to: total, over: points[...])
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
