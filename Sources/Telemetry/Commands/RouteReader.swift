import Geometry
import Tracking

/// Reads routes from commands.
enum RouteReader {
    /// Returns the route that an object describes.
    ///
    /// - Throws: A refusal for `invalid_route` that names the member that is wrong.
    static func route(_ value: JSONValue) throws(Refusal) -> ProvidedRoute {
        let object = try PayloadObject(value, at: "route", reason: .invalidRoute)
        var route = ProvidedRoute(coordinates: try line(of: object))
        guard route.coordinates.count >= 2 else {
            throw Refusal(.invalidRoute, "route must have at least two points")
        }
        let seconds = "a number of at least 0"
        let times = 0...Double.greatestFiniteMagnitude
        route.duration = try object.number("duration_s", in: times, expected: seconds)
        let segments = route.coordinates.count - 1
        if let durations = try object.array("segment_duration_s") {
            route.segmentDurations = try numbers(
                durations, of: object, "segment_duration_s", segments: segments)
        }
        route.speedLimits = try speedLimits(of: object, segments: segments)
        return route
    }

    private static func line(of object: PayloadObject) throws(Refusal) -> [Coordinate] {
        let coordinates = try object.array("coordinates")
        let polyline = try object.text("polyline")
        switch (coordinates, polyline) {
        case (let coordinates?, nil):
            return try TargetReader.line(
                coordinates, at: "route.coordinates", reason: .invalidRoute)
        case (nil, let polyline?):
            return try line(polyline, precision: precision(of: object))
        case (nil, nil):
            throw Refusal(.invalidRoute, "route must have coordinates or polyline")
        case (_?, _?):
            throw Refusal(.invalidRoute, "route must not have both coordinates and polyline")
        }
    }

    private static func line(
        _ polyline: String, precision: Int
    ) throws(Refusal) -> [Coordinate] {
        guard let line = Polyline.decode(polyline, precision: precision) else {
            throw Refusal(
                .invalidRoute, "route.polyline breaks off or holds a character that is not its")
        }
        let wrong = line.firstIndex {
            !(-90...90).contains($0.latitude) || !(-180...180).contains($0.longitude)
        }
        if let wrong {
            throw Refusal(
                .invalidRoute,
                "route.polyline leaves the map at point \(wrong): is its precision \(precision)?")
        }
        return line
    }

    /// Returns the digits of the polyline's numbers; 5, as most services write them, unless given.
    private static func precision(of object: PayloadObject) throws(Refusal) -> Int {
        guard let member = object["precision"] else { return 5 }
        guard let precision = member.int64, precision == 5 || precision == 6 else {
            throw object.refusal(of: "precision", member, expected: "5 or 6")
        }
        return Int(precision)
    }

    private static func speedLimits(
        of object: PayloadObject, segments: Int
    ) throws(Refusal) -> [Double] {
        guard let member = object["speed_limit_mps"] else { return [] }
        if let limits = member.array {
            return try numbers(limits, of: object, "speed_limit_mps", segments: segments)
        }
        guard let limit = member.double, limit >= 0, limit.isFinite else {
            throw object.refusal(
                of: "speed_limit_mps", member,
                expected: "a number of at least 0, or one for each segment")
        }
        return [Double](repeating: limit, count: segments)
    }

    /// Returns one number for each segment; `null` is 0.
    private static func numbers(
        _ array: JSONArray, of object: PayloadObject, _ name: StaticString, segments: Int
    ) throws(Refusal) -> [Double] {
        var numbers: [Double] = []
        numbers.reserveCapacity(segments)
        for element in array {
            let number = element.isNull ? 0 : element.double
            guard let number, number >= 0, number.isFinite else {
                throw Refusal(
                    .invalidRoute,
                    "route.\(name)[\(numbers.count)] must be a number of at least 0, not \(element.shown)"
                )
            }
            numbers.append(number)
        }
        guard numbers.count == segments else {
            throw Refusal(
                .invalidRoute,
                "route.\(name) must have one number for each of \(segments) segments, not \(numbers.count)"
            )
        }
        return numbers
    }
}
