import Geometry
import Tracking
import Watching

/// Reads scenarios: `config`, `route`, `alarms`, `places` and `inputs`, alone or in a list.
package enum ScenarioReader {
    /// Returns the scenario in a JSON text.
    ///
    /// - Parameters:
    ///   - name: Which one to take from a list; `nil` where there is only one.
    ///   - limits: What is allowed of places.
    /// - Throws: `ScenarioError` when the text holds no such scenario, or names the member that is wrong.
    package static func scenario(
        in text: UnsafeRawBufferPointer, name: String?, limits: PlaceLimits = PlaceLimits()
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
            return try scenario(chosen, limits: limits)
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

    private static func scenario(
        _ value: JSONValue, limits: PlaceLimits
    ) throws(Refusal) -> Scenario {
        let object = try PayloadObject(value, at: "scenario", reason: .invalidCommand)
        let name = try object.text("name") ?? "scenario"
        var alarms = AlarmSettings()
        if let given = object["alarms"] {
            alarms = try AlarmSettingTable.settings(given, at: "alarms")
        }
        let reader = ScenarioStepReader(
            ignition: IgnitionPath(alarms.ignition), limits: limits)
        guard let inputs = try object.array("inputs") else {
            throw object.refusal(of: "inputs", nil, expected: "an array")
        }
        let steps = try reader.steps(inputs)
        var scenario = Scenario(vehicleID: name, steps: steps.steps)
        if let first = steps.firstTime { scenario.assignedAt = first }
        if let first = steps.firstVehicle { scenario.vehicleID = first }
        let options = try self.options(of: object)
        alarms.watch.maxFutureSkew = options.maxFutureSkew
        scenario.alarms = alarms
        scenario.places = try places(of: object, limits: limits)
        guard object["trip"]?.bool != false else { return scenario }
        scenario.assignment = try assignment(
            of: object, name: name, vehicleID: scenario.vehicleID, options)
        return scenario
    }

    /// The tracking options, by default those of a trip.
    private static func options(of object: PayloadObject) throws(Refusal) -> TripOptions {
        guard let config = object["config"] else { return TripOptions() }
        return try OptionsReader.options(config, at: "config", over: TripOptions())
    }

    /// The places in force before the first input: ids with what was put.
    private static func places(
        of object: PayloadObject, limits: PlaceLimits
    ) throws(Refusal) -> [Place] {
        guard let value = object["places"] else { return [] }
        return try PlaceListReader.places(
            ofObject: value, at: "places", putAt: Scenario.longAgo, limits: limits)
    }

    private static func assignment(
        of object: PayloadObject, name: String, vehicleID: String, _ options: TripOptions
    ) throws(Refusal) -> Assignment {
        guard let value = object["route"] else {
            throw object.refusal(of: "route", nil, expected: "an object")
        }
        let route = try PayloadObject(value, at: "route", reason: .invalidCommand)
        var assignment = Assignment(
            tripID: name, vehicleID: vehicleID, route: nil, options: options)
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
        return assignment
    }
}
