import Geometry
import Tracking

/// Reads scenarios: `config`, `route` and `inputs`, alone or in a list.
package enum ScenarioReader {
    /// Returns the scenario in a JSON text.
    ///
    /// - Parameter name: Which one to take from a list; `nil` where there is only one.
    /// - Throws: `ScenarioError` when the text holds no such scenario, or names the member that is wrong.
    package static func scenario(
        in text: UnsafeRawBufferPointer, name: String?
    ) throws(ScenarioError) -> Scenario {
        let parser = JSONParser()
        let root: JSONValue
        do throws(JSONError) {
            root = try parser.parse(text)
        } catch {
            throw ScenarioError(message: "this is not JSON: \(error.message)")
        }
        let chosen = try choose(from: root, name: name)
        do throws(Refusal) {
            return try scenario(chosen)
        } catch {
            throw ScenarioError(message: error.detail)
        }
    }

    private static func choose(
        from root: JSONValue, name: String?
    ) throws(ScenarioError) -> JSONValue {
        let scenarios = root.array.map(Array.init) ?? [root]
        guard let name else {
            guard scenarios.count == 1 else {
                throw ScenarioError(
                    message: "there are \(scenarios.count) scenarios: pick one by its name")
            }
            return scenarios[0]
        }
        guard let chosen = scenarios.first(where: { $0["name"]?.string == name }) else {
            throw ScenarioError(message: "there is no scenario with the name \(name.quoted)")
        }
        return chosen
    }

    private static func scenario(_ value: JSONValue) throws(Refusal) -> Scenario {
        let object = try PayloadObject(value, at: "scenario", reason: .invalidCommand)
        let name = try object.text("name") ?? "scenario"
        var steps: [Scenario.Step] = []
        guard let inputs = try object.array("inputs") else {
            throw object.refusal(of: "inputs", nil, expected: "an array")
        }
        var assignedAt = Timestamp(microseconds: 0)
        for value in inputs {
            let input = try PayloadObject(
                value, at: "inputs[\(steps.count)]", reason: .invalidCommand)
            if steps.isEmpty { assignedAt = try moment("t", of: input) }
            steps.append(try step(input))
        }
        return Scenario(
            assignment: try assignment(of: object, name: name), assignedAt: assignedAt,
            steps: steps)
    }

    private static func assignment(
        of object: PayloadObject, name: String
    ) throws(Refusal) -> Assignment {
        guard let value = object["route"] else {
            throw object.refusal(of: "route", nil, expected: "an object")
        }
        let route = try PayloadObject(value, at: "route", reason: .invalidCommand)
        var assignment = Assignment(tripID: name, vehicleID: name, route: nil)
        assignment.viaPoints = try TargetReader.targets(
            "via_points", of: route, form: .objectOrArray)
        if let destination = route["destination"] {
            assignment.destination = try TargetReader.target(
                destination, at: "route.destination", form: .objectOrArray)
        }
        if let source = route["source"] {
            assignment.source = try TargetReader.target(
                source, at: "route.source", form: .objectOrArray
            ).coordinate
        }
        if route["coordinates"] != nil || route["polyline"] != nil {
            assignment.route = try RouteReader.route(value)
        } else if assignment.destination == nil {
            throw route.refusal(
                of: "destination", nil, expected: "there where coordinates are not")
        }
        if let config = object["config"] {
            assignment.options = try OptionsReader.options(
                config, at: "config", over: TripOptions())
        }
        return assignment
    }

    private static func step(_ object: PayloadObject) throws(Refusal) -> Scenario.Step {
        let names = InputType.allCases.map(\.rawValue).joined(separator: ", ")
        guard let name = object["type"], let type = InputType(rawValue: name.string ?? "") else {
            throw object.refusal(of: "type", object["type"], expected: "one of \(names)")
        }
        let sentAt = try moment("t", of: object)
        let receivedAt = object["received_t"] == nil ? sentAt : try moment("received_t", of: object)
        return Scenario.Step(
            input: try input(type, of: object, at: sentAt), receivedAt: receivedAt)
    }

    private enum InputType: String, CaseIterable {
        case position, proceed, skip, reroute, stop
        case routeResult = "route_result"
        case routeFailed = "route_failed"
    }

    private static func input(
        _ type: InputType, of object: PayloadObject, at time: Timestamp
    ) throws(Refusal) -> TripInput {
        switch type {
        case .position:
            return .fix(try fix(of: object, at: time))
        case .proceed:
            return .proceed(waypointIndex: try object.count("waypoint_index", from: 0))
        case .skip:
            return .skip(waypointIndex: try object.count("waypoint_index", from: 0))
        case .reroute: return .reroute
        case .stop: return .stop(.stopped)
        case .routeResult:
            return .route(
                try answer(of: object), request: try object.count("request", from: 1))
        case .routeFailed:
            guard let request = try object.count("request", from: 1) else {
                throw object.refusal(of: "request", nil, expected: "a number of 1 or more")
            }
            return .routeFailed(request: request, reason: try object.text("reason") ?? "failed")
        }
    }

    /// Returns a position; its place may be out of range, because it is the state machine that judges it.
    private static func fix(
        of object: PayloadObject, at time: Timestamp
    ) throws(Refusal) -> Fix {
        let latitude = try number("lat", of: object)
        let longitude = try number("lon", of: object)
        guard let latitude, let longitude else {
            throw object.refusal(
                of: latitude == nil ? "lat" : "lon", nil, expected: "a number")
        }
        return Fix(
            time: time, coordinate: Coordinate(latitude: latitude, longitude: longitude),
            accuracy: try number("accuracy_m", of: object),
            speed: try number("speed_mps", of: object),
            course: try number("course_deg", of: object),
            level: try TargetReader.level(of: object))
    }

    /// Returns a planner's answer; it may be unusable, because it is the state machine that judges it.
    private static func answer(of object: PayloadObject) throws(Refusal) -> ProvidedRoute {
        var line: [Coordinate] = []
        for element in try object.array("coordinates").map(Array.init) ?? [] {
            guard let pair = element.array?.prefix(2).map(\.double), pair.count == 2,
                let longitude = pair[0], let latitude = pair[1]
            else {
                throw Refusal(
                    .invalidCommand,
                    "\(object.path)coordinates[\(line.count)] must be [lon, lat], not \(element.shown)"
                )
            }
            line.append(Coordinate(latitude: latitude, longitude: longitude))
        }
        return ProvidedRoute(coordinates: line)
    }

    private static func number(
        _ name: StaticString, of object: PayloadObject
    ) throws(Refusal) -> Double? {
        let range = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
        return try object.number(name, in: range, expected: "a number")
    }

    private static func moment(
        _ name: StaticString, of object: PayloadObject
    ) throws(Refusal) -> Timestamp {
        guard let seconds = try number(name, of: object) else {
            throw object.refusal(of: name, nil, expected: "a number of seconds")
        }
        return Timestamp(seconds: seconds)
    }
}
