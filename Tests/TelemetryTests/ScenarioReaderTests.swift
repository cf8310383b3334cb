import Geometry
import Telemetry
import Testing
import Tracking

private func read(_ text: String, name: String? = nil) throws -> Scenario {
    try Array(text.utf8).withUnsafeBytes { try ScenarioReader.scenario(in: $0, name: name) }
}

private func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: latitude, longitude: longitude)
}

private func step(_ seconds: Double, _ input: TripInput) -> Scenario.Step {
    Scenario.Step(input: .trip(input), receivedAt: Timestamp(seconds: seconds))
}

@Test func readsEveryKindOfInput() throws {
    let scenario = try read(
        """
        {"name":"all","why":"x","config":{"arrival_radius_m":30,"start_waypoint_index":1},
         "route":{"coordinates":[[77.2,28.6],[77.3,28.6]],"via_points":[[77.21,28.6],
           {"lat":28.6,"lon":77.22,"name":"B"}],"destination":{"lat":28.61,"lon":77.3},
           "source":[77.1,28.6]},
         "inputs":[
           {"t":10.5,"type":"position","lat":91,"lon":77.2,"accuracy_m":-1,"received_t":12,
            "speed_mps":3,"course_deg":90,"level":"P1"},
           {"t":11,"type":"proceed"},{"t":11,"type":"proceed","waypoint_index":1},
           {"t":12,"type":"skip","waypoint_index":0},{"t":13,"type":"reroute"},
           {"t":14,"type":"route_result","request":1,"coordinates":[[77.2,200]]},
           {"t":14,"type":"route_result","coordinates":[]},
           {"t":15,"type":"route_failed","request":2,"reason":"network"},
           {"t":16,"type":"stop"}]}
        """)
    var options = TripOptions()
    options.arrivalRadius = 30
    options.startWaypointIndex = 1
    let assignment = Assignment(
        tripID: "all", vehicleID: "all",
        route: ProvidedRoute(coordinates: [place(28.6, 77.2), place(28.6, 77.3)]),
        source: place(28.6, 77.1), destination: Target(coordinate: place(28.61, 77.3)),
        viaPoints: [
            Target(coordinate: place(28.6, 77.21)),
            Target(coordinate: place(28.6, 77.22), name: "B"),
        ], options: options)
    let fix = Fix(
        time: Timestamp(seconds: 10.5), coordinate: place(91, 77.2), accuracy: -1, speed: 3,
        course: 90, level: .text("P1"))
    #expect(
        scenario
            == Scenario(
                assignment: assignment, assignedAt: Timestamp(seconds: 10.5),
                steps: [
                    Scenario.Step(fix, receivedAt: Timestamp(seconds: 12)),
                    step(11, .proceed(waypointIndex: nil)),
                    step(11, .proceed(waypointIndex: 1)), step(12, .skip(waypointIndex: 0)),
                    step(13, .reroute),
                    step(
                        14, .route(ProvidedRoute(coordinates: [place(200, 77.2)]), request: 1)),
                    step(14, .route(ProvidedRoute(coordinates: []), request: nil)),
                    step(15, .routeFailed(request: 2, reason: "network")),
                    step(16, .stop(.stopped)),
                ]))
}

@Test func waitsForAFirstRouteWhereCoordinatesAreNull() throws {
    let scenario = try read(
        #"{"route":{"coordinates":null,"via_points":[],"destination":[77.3,28.6]},"inputs":[]}"#)
    #expect(try #require(scenario.assignment).route == nil)
    #expect(scenario.assignment?.destination?.coordinate == place(28.6, 77.3))
    #expect(scenario.assignedAt == Timestamp(seconds: 0))
}

@Test func picksAScenarioByItsName() throws {
    let route = #""route":{"coordinates":[[1,1],[2,2]]},"inputs":[]"#
    let list = #"[{"name":"a",\#(route)},{"name":"b",\#(route)}]"#
    #expect(try read(list, name: "b").assignment?.tripID == "b")
    #expect(throws: ScenarioError(message: "there are 2 scenarios: pick one by its name")) {
        try read(list)
    }
    #expect(throws: ScenarioError(message: "there is no scenario with the name \"c\"")) {
        try read(list, name: "c")
    }
    #expect(try read("[{\(route)}]").assignment?.tripID == "scenario")
}

@Test(arguments: [
    ("5", "scenario must be an object, not 5"),
    ("{}", "scenario.inputs is missing: it must be an array"),
    (#"{"inputs":[]}"#, "scenario.route is missing: it must be an object"),
    (
        #"{"inputs":[],"route":{}}"#,
        "route.destination is missing: it must be there where coordinates are not"
    ),
    (
        #"{"inputs":[],"route":{"coordinates":[[1,1]]}}"#, "route must have at least two points"
    ),
    (
        #"{"inputs":[],"route":{"coordinates":[[1,1],[2,2]],"via_points":["x"]}}"#,
        "route.via_points[0] must be an object, not \"x\""
    ),
    (
        #"{"inputs":[],"config":{"radius":5},"route":{"coordinates":[[1,1],[2,2]]}}"#,
        "config.radius is not an option"
    ),
    (#"{"inputs":[{"type":"stop"}]}"#, "inputs[0].t is missing: it must be a number of seconds"),
    (
        #"{"inputs":[{"t":1,"type":"fly"}]}"#,
        "inputs[0].type must be one of position, positions, proceed, skip, reroute, stop, put, "
            + "delete, clock, route_result, route_failed, not \"fly\""
    ),
    (
        #"{"inputs":[{"t":1,"type":"stop"},{"t":1,"type":"position","lat":1}]}"#,
        "inputs[1].lon is missing: it must be a number"
    ),
    (
        #"{"inputs":[{"t":1,"type":"route_result","coordinates":[[1,2],[1]]}]}"#,
        "inputs[0].coordinates[1] must be [lon, lat], not an array"
    ),
])
func saysWhatIsWrongWithAScenario(text: String, message: String) {
    #expect(throws: ScenarioError(message: message)) { try read(text) }
}
