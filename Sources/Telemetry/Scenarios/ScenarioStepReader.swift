import Geometry
import Tracking
import Watching

/// Reads the inputs of a scenario.
struct ScenarioStepReader {
    /// Where the ignition is in a position's attributes.
    let ignition: IgnitionPath?
    /// What is allowed of places.
    let limits: PlaceLimits

    /// The inputs, with what the scenario begins with.
    struct Steps {
        var steps: [Scenario.Step] = []
        /// `t` of the first one.
        var firstTime: Timestamp?
        /// The first vehicle that a position names.
        var firstVehicle: String?
    }

    /// Reads all inputs.
    ///
    /// - Throws: A refusal that names the member that is wrong.
    func steps(_ inputs: JSONArray) throws(Refusal) -> Steps {
        var steps = Steps()
        for value in inputs {
            let input = try PayloadObject(
                value, at: "inputs[\(steps.steps.count)]", reason: .invalidCommand)
            if steps.firstTime == nil { steps.firstTime = try moment("t", of: input) }
            if steps.firstVehicle == nil { steps.firstVehicle = try input.text("vehicle_id") }
            steps.steps.append(try step(input))
        }
        return steps
    }

    private enum InputType: String, CaseIterable {
        case position, positions, proceed, skip, reroute, stop, put, delete, clock
        case routeResult = "route_result"
        case routeFailed = "route_failed"
    }

    private func step(_ object: PayloadObject) throws(Refusal) -> Scenario.Step {
        let names = InputType.allCases.map(\.rawValue).joined(separator: ", ")
        guard let name = object["type"], let type = InputType(rawValue: name.string ?? "") else {
            throw object.refusal(of: "type", object["type"], expected: "one of \(names)")
        }
        let sentAt = try moment("t", of: object)
        let receivedAt = try optionalMoment("received_t", of: object) ?? sentAt
        return Scenario.Step(
            input: try input(type, of: object, at: sentAt, receivedAt), receivedAt: receivedAt)
    }

    private func input(
        _ type: InputType, of object: PayloadObject, at time: Timestamp, _ receivedAt: Timestamp
    ) throws(Refusal) -> Scenario.Input {
        switch type {
        case .position:
            return .positions(
                [try position(of: object, at: time, receivedAt)],
                vehicleID: try object.text("vehicle_id"))
        case .positions:
            return .positions(
                try positions(of: object, receivedAt), vehicleID: try object.text("vehicle_id"))
        case .put: return try put(object)
        case .delete: return .delete(placeID: try placeID(of: object))
        case .clock: return .clock
        case .proceed, .skip, .reroute, .stop, .routeResult, .routeFailed:
            return .trip(try tripInput(type, of: object))
        }
    }

    private func tripInput(
        _ type: InputType, of object: PayloadObject
    ) throws(Refusal) -> TripInput {
        switch type {
        case .proceed: return .proceed(waypointIndex: try object.count("waypoint_index", from: 0))
        case .skip: return .skip(waypointIndex: try object.count("waypoint_index", from: 0))
        case .reroute: return .reroute
        case .routeResult:
            return .route(
                try answer(of: object), request: try object.count("request", from: 1))
        case .routeFailed:
            guard let request = try object.count("request", from: 1) else {
                throw object.refusal(of: "request", nil, expected: "a number of 1 or more")
            }
            return .routeFailed(request: request, reason: try object.text("reason") ?? "failed")
        case .stop, .position, .positions, .put, .delete, .clock: return .stop(.stopped)
        }
    }

    // MARK: Positions

    private func positions(
        of object: PayloadObject, _ receivedAt: Timestamp
    ) throws(Refusal) -> [Scenario.Position] {
        guard let elements = try object.array("positions") else {
            throw object.refusal(of: "positions", nil, expected: "an array")
        }
        var positions: [Scenario.Position] = []
        for value in elements {
            let element = try PayloadObject(
                value, at: "\(object.path)positions[\(positions.count)]", reason: .invalidCommand)
            positions.append(
                try position(
                    of: element, at: try moment("t", of: element),
                    try optionalMoment("received_t", of: element) ?? receivedAt))
        }
        return positions
    }

    /// Returns a position; its place may be out of range, because it is the rules that judge it.
    private func position(
        of object: PayloadObject, at time: Timestamp, _ receivedAt: Timestamp
    ) throws(Refusal) -> Scenario.Position {
        let latitude = try number("lat", of: object)
        let longitude = try number("lon", of: object)
        guard let latitude, let longitude else {
            throw object.refusal(
                of: latitude == nil ? "lat" : "lon", nil, expected: "a number")
        }
        let fix = Fix(
            time: time, coordinate: Coordinate(latitude: latitude, longitude: longitude),
            accuracy: try number("accuracy_m", of: object),
            speed: try number("speed_mps", of: object),
            course: try number("course_deg", of: object),
            level: try TargetReader.level(of: object))
        return Scenario.Position(
            fix, ignition: ignition?.isOn(in: object["attributes"]), receivedAt: receivedAt)
    }

    // MARK: Places

    private func put(_ object: PayloadObject) throws(Refusal) -> Scenario.Input {
        let id = try placeID(of: object)
        guard let value = object["place"] else {
            throw object.refusal(of: "place", nil, expected: "an object")
        }
        do throws(Refusal) {
            return .put(
                placeID: id, .success(try PlaceReader.content(of: value, limits: limits)))
        } catch {
            return .put(placeID: id, .failure(error))
        }
    }

    private func placeID(of object: PayloadObject) throws(Refusal) -> String {
        guard let id = try object.name("place_id") else {
            throw object.refusal(of: "place_id", nil, expected: "a text")
        }
        return id
    }

    // MARK: Members

    /// Returns a planner's answer; it may be unusable, because it is the state machine that judges it.
    private func answer(of object: PayloadObject) throws(Refusal) -> ProvidedRoute {
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

    private func number(
        _ name: StaticString, of object: PayloadObject
    ) throws(Refusal) -> Double? {
        let range = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
        return try object.number(name, in: range, expected: "a number")
    }

    private func optionalMoment(
        _ name: StaticString, of object: PayloadObject
    ) throws(Refusal) -> Timestamp? {
        try number(name, of: object).map { Timestamp(seconds: $0) }
    }

    private func moment(
        _ name: StaticString, of object: PayloadObject
    ) throws(Refusal) -> Timestamp {
        guard let moment = try optionalMoment(name, of: object) else {
            throw object.refusal(of: name, nil, expected: "a number of seconds")
        }
        return moment
    }
}
