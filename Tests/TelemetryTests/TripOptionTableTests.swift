import Telemetry
import Testing
import Tracking

@Test func writesAllOptionsAsResolved() {
    var options = TripOptions()
    options.arrivalRadius = 62.5
    options.waitsAtWaypoints = false
    options.profile = .truck
    var json = JSONWriter()
    TripOptionTable.encode(options, into: &json)
    #expect(
        json.text == #"{"deviation_distance_m":500,"arrival_radius_m":62.5,"#
            + #""wait_at_waypoints":false,"max_accuracy_m":100,"max_speed_mps":70,"#
            + #""max_future_skew_s":60,"max_age_at_assignment_s":300,"#
            + #""deviation_confirmations":1,"off_route_return_ratio":0.8,"#
            + #""reroute_retry_interval_s":30,"reroute_timeout_s":20,"arrival_dwell_s":120,"#
            + #""hold_breach_distance_m":200,"trip_expiry_s":86400,"approach_distance_m":0,"approach_s":0,"#
            + #""skip_suggestion_m":0,"start_waypoint_index":0,"#
            + #""deviation_path":false,"profile":"truck","roadblock_reroute":true,"#
            + #""better_route":"off","better_route_interval_s":300,"better_route_gain_s":300,"#
            + #""better_route_gain_ratio":0.1}"#)
}

@Test func setsEachOptionWhereItIsKept() throws {
    let values: [String: OptionValue] = [
        "deviation_distance_m": .number(1), "arrival_radius_m": .number(2),
        "wait_at_waypoints": .flag(false), "max_accuracy_m": .number(3),
        "max_speed_mps": .number(4), "max_future_skew_s": .number(0),
        "max_age_at_assignment_s": .number(5), "deviation_confirmations": .number(6),
        "off_route_return_ratio": .number(1), "reroute_retry_interval_s": .number(7),
        "reroute_timeout_s": .number(8), "arrival_dwell_s": .number(9),
        "hold_breach_distance_m": .number(10), "trip_expiry_s": .number(0),
        "start_waypoint_index": .number(11), "deviation_path": .flag(true),
        "profile": .text("walking"), "speed_limit_mps": .number(12),
        "approach_distance_m": .number(13), "approach_s": .number(14),
        "skip_suggestion_m": .number(50), "roadblock_reroute": .flag(false),
        "better_route": .text("take"), "better_route_interval_s": .number(120),
        "better_route_gain_s": .number(15), "better_route_gain_ratio": .number(0),
    ]
    #expect(Set(values.keys) == Set(TripOptionTable.names))
    var options = TripOptions()
    for (name, value) in values {
        try TripOptionTable.set(name, value, scope: .assignment, in: &options)
    }
    var expected = TripOptions()
    expected.deviationDistance = 1
    expected.arrivalRadius = 2
    expected.waitsAtWaypoints = false
    expected.reroutesAtRoadblocks = false
    expected.betterRoute = .take
    expected.betterRouteInterval = 120
    expected.betterRouteGain = 15
    expected.betterRouteGainRatio = 0
    expected.maxAccuracy = 3
    expected.maxSpeed = 4
    expected.maxFutureSkew = 0
    expected.maxAgeAtAssignment = 5
    expected.deviationConfirmations = 6
    expected.offRouteReturnRatio = 1
    expected.rerouteRetryInterval = 7
    expected.rerouteTimeout = 8
    expected.arrivalDwell = 9
    expected.holdBreachDistance = 10
    expected.tripExpiry = 0
    expected.startWaypointIndex = 11
    expected.asksForDeviationPath = true
    expected.profile = .walking
    expected.speedLimit = 12
    expected.approachDistance = 13
    expected.approachTime = 14
    expected.skipSuggestion = 50
    #expect(options == expected)
}

@Test(
    arguments: [
        ("radius", .number(5), "options.radius is not an option"),
        (
            "arrival_radius_m", .number(0),
            "options.arrival_radius_m must be a number above 0 and at most 1000000000, not 0"
        ),
        (
            "arrival_radius_m", .number(.nan),
            "options.arrival_radius_m must be a number above 0 and at most 1000000000, not null"
        ),
        (
            "trip_expiry_s", .number(-1),
            "options.trip_expiry_s must be a number of at least 0 and at most 1000000000, not -1"
        ),
        (
            "off_route_return_ratio", .number(1.01),
            "options.off_route_return_ratio must be a number above 0 and at most 1, not 1.01"
        ),
        (
            "deviation_confirmations", .number(1.5),
            "options.deviation_confirmations must be a whole number of at least 1, not 1.5"
        ),
        (
            "start_waypoint_index", .number(-1),
            "options.start_waypoint_index must be a whole number of at least 0, not -1"
        ),
        ("wait_at_waypoints", .number(1), "options.wait_at_waypoints must be true or false, not 1"),
        (
            "deviation_path", .other,
            "options.deviation_path must be true or false, not null, an array or an object"
        ),
        (
            "max_speed_mps", .flag(true),
            "options.max_speed_mps must be a number above 0 and at most 1000000000, not true"
        ),
        (
            "profile", .text("rocket"),
            "options.profile must be one of driving, truck, biking, walking, not \"rocket\""
        ),
    ] as [(String, OptionValue, String)])
func refusesAnOption(name: String, value: OptionValue, detail: String) {
    var options = TripOptions()
    #expect(throws: Refusal(.invalidOption, detail)) {
        try TripOptionTable.set(
            name, value, scope: .assignment, prefix: "options.", in: &options)
    }
    #expect(options == TripOptions())
}

@Test func keepsOptionsOfAssignmentsOutOfTheConfiguration() {
    var options = TripOptions()
    let detail = "tracking.start_waypoint_index is an option of assignments only"
    #expect(throws: Refusal(.invalidOption, detail)) {
        try TripOptionTable.set(
            "start_waypoint_index", .number(1), scope: .worker, prefix: "tracking.", in: &options)
    }
}
