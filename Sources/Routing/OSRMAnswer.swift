import Geometry
import Telemetry
import Tracking

/// Reads answers as OSRM gives them, and Valhalla on request.
enum OSRMAnswer {
    static func refusal(in answer: JSONValue) -> (code: String, words: String)? {
        guard let code = answer["code"]?.string, code != "Ok" else { return nil }
        return (code, answer["message"]?.string ?? "")
    }

    static func routes(
        in answer: JSONValue, for query: RouteQuery
    ) throws(PlannerError) -> [ProvidedRoute] {
        guard let start = query.points.first, let array = answer["routes"]?.array else {
            throw PlannerError(.unusable, "the answer has no \"routes\"")
        }
        var routes: [ProvidedRoute] = []
        for value in array {
            guard let geometry = value["geometry"] else {
                throw PlannerError(.unusable, "the route has no \"geometry\"")
            }
            let points = try RouteGeometry.points(of: geometry, near: start)
            var route = ProvidedRoute(coordinates: points, duration: value["duration"]?.amount)
            addLegs(value["legs"], to: &route, count: query.points.count - 1)
            routes.append(route)
        }
        guard !routes.isEmpty else {
            throw PlannerError(.unusable, "the answer's \"routes\" are empty")
        }
        return routes
    }

    /// Adds the legs' ends, the segments' times and their speed limits, if the annotations fit the line.
    ///
    /// The line has each leg's vertices once, the one between two legs too, and a leg's annotation one entry for each
    /// of its segments.
    private static func addLegs(_ legs: JSONValue?, to route: inout ProvidedRoute, count: Int) {
        guard let legs = legs?.array else { return }
        var times: [Double] = []
        var limits: [Double] = []
        var ends: [Int] = []
        for leg in legs {
            let annotation = leg["annotation"]
            guard let durations = annotation?["duration"]?.array else { return }
            let own = durations.compactMap(\.amount)
            let begin = times.count
            let end = begin + own.count
            guard own.count == durations.count, end < route.coordinates.count else { return }
            let total = leg["duration"]?.amount ?? own.reduce(0, +)
            times += RouteGeometry.fit(own, to: total, over: route.coordinates[begin...end])
            limits += annotation?["maxspeed"]?.array.map { $0.map(limit) } ?? []
            ends.append(end)
        }
        guard ends.count == count, ends.last == route.coordinates.count - 1 else { return }
        route.segmentDurations = times
        route.legEnds = Array(ends.dropLast())
        if limits.count == times.count, limits.contains(where: { $0 > 0 }) {
            route.speedLimits = limits
        }
    }

    /// Reads `{"speed":50,"unit":"km/h"}`, in metres per second; 0 where the limit is unknown or there is none.
    private static func limit(_ value: JSONValue) -> Double {
        guard let speed = value["speed"]?.amount else { return 0 }
        switch value["unit"]?.string {
        case "km/h": return speed / 3.6
        case "mph": return speed * 0.44704
        default: return 0
        }
    }
}
