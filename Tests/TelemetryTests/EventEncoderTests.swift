import Geometry
import Telemetry
import Testing
import Tracking

private let gate = TripEvent.Waypoint(
    index: 1,
    target: Target(
        coordinate: Coordinate(latitude: 28.5999985, longitude: 77.2204475), id: "o-7",
        name: "Gate \"B\"", level: .number(-1), attributes: #"{"dock":4}"#))
private let depot = Target(coordinate: Coordinate(latitude: 28.5999965, longitude: 77.2306712))
private let gateJSON =
    #"{"index":1,"lat":28.5999985,"lon":77.2204475,"id":"o-7","name":"Gate \"B\"","level":-1,"#
    + #""attributes":{"dock":4}}"#
private let depotJSON = #"{"lat":28.5999965,"lon":77.2306712,"id":null,"name":null}"#
private let stray = Coordinate(latitude: 28.60812345678, longitude: 77.21)
private let request = RouteRequest(
    number: 2, from: stray, course: 91.25, viaPoints: [gate], destination: depot, profile: .truck)
private let requestJSON =
    #"{"number":2,"from":{"lat":28.60812345678,"lon":77.21},"course_deg":91.25,"via_points":["#
    + gateJSON + #"],"destination":"# + depotJSON
    + #","profile":"truck","purpose":"initial","avoid":[]"#

/// A kind of event, its name, and the members of its own.
struct KindCase: Sendable, CustomTestStringConvertible {
    var kind: TripEvent.Kind
    var type: String
    var members: String

    var testDescription: String { type + members }
}

@Test(arguments: [
    KindCase(
        kind: .tripAssigned(routeRevision: 1, request: nil), type: "trip_assigned",
        members: #","route_revision":1,"roadblocks":[]"#),
    KindCase(
        kind: .tripAssigned(routeRevision: 0, request: request, roadblocks: ["b"]),
        type: "trip_assigned",
        members: #","route_revision":0,"roadblocks":["b"],"request":"# + requestJSON + "}"),
    KindCase(
        kind: .waypointReached(gate, held: true, distance: 12.3456), type: "waypoint_reached",
        members: #","waypoint":"# + gateJSON + #","held":true,"distance_m":12.35"#),
    KindCase(
        kind: .waypointResumed(gate), type: "waypoint_resumed",
        members: #","waypoint":"# + gateJSON),
    KindCase(
        kind: .waypointSkipped(gate), type: "waypoint_skipped",
        members: #","waypoint":"# + gateJSON),
    KindCase(
        kind: .willReroute(
            .init(
                reason: .deviation, deviation: 900.004, reported: stray, carriedWaypoints: [1, 4],
                request: request)),
        type: "will_reroute",
        members: #","reason":"deviation","deviation_m":900,"reported":{"lat":28.60812345678,"#
            + #""lon":77.21},"roadblocks":[],"carried_waypoints":[1,4],"request":"# + requestJSON
            + "}"),
    KindCase(
        kind: .willReroute(
            .init(
                reason: .requested, deviation: nil, reported: nil, carriedWaypoints: [],
                request: RouteRequest(
                    number: 1, from: depot.coordinate, course: nil, viaPoints: [],
                    destination: depot, profile: .driving,
                    deviationPathStart: Coordinate(latitude: 28.61, longitude: 77.2)))),
        type: "will_reroute",
        members: #","reason":"requested","deviation_m":null,"reported":null,"roadblocks":[],"#
            + #""carried_waypoints":[],"request":{"number":1,"from":{"lat":28.5999965,"#
            + #""lon":77.2306712},"course_deg":null,"via_points":[],"destination":"# + depotJSON
            + #","profile":"driving","deviation_path_from":{"lat":28.61,"lon":77.2},"#
            + #""purpose":"initial","avoid":[]}"#),
    KindCase(
        kind: .rerouted(.init(revision: 2, reason: .external, length: 1234.567, duration: nil)),
        type: "rerouted",
        members: #","route_revision":2,"reason":"external","length_m":1234.57,"duration_s":null,"#
            + #""roadblocks":[]"#),
    KindCase(
        kind: .rerouted(
            .init(
                revision: 3, reason: .deviation, length: 10, duration: 61.25,
                deviationPath: [stray, depot.coordinate], roadblocks: ["a", "b"])),
        type: "rerouted",
        members: #","route_revision":3,"reason":"deviation","length_m":10,"duration_s":61.3,"#
            + #""roadblocks":["a","b"],"#
            + #""deviation_path":[[77.21,28.6081235],[77.2306712,28.5999965]]"#),
    KindCase(
        kind: .rerouteFailed(error: "no_route"), type: "reroute_failed",
        members: #","error":"no_route""#),
    KindCase(kind: .rerouteCancelled, type: "reroute_cancelled", members: ""),
    KindCase(
        kind: .arrived(destination: depot), type: "arrived",
        members: #","destination":"# + depotJSON),
    KindCase(
        kind: .tripStopped(.superseded), type: "trip_stopped", members: #","reason":"superseded""#),
    KindCase(
        kind: .waypointApproached(
            .waypoint(gate),
            .init(distance: 950.5, eta: Timestamp(microseconds: 1_772_366_520_000_000))),
        type: "waypoint_approached",
        members: #","waypoint":"# + gateJSON
            + #","distance_m":950.5,"eta":"2026-03-01T12:02:00.000Z""#),
    KindCase(
        kind: .waypointApproached(.destination(depot), .init(distance: 0, eta: nil)),
        type: "waypoint_approached",
        members: #","destination":"# + depotJSON + #","distance_m":0,"eta":null"#),
    KindCase(
        kind: .skipSuggested(gate, distance: 900, nearest: 400.25), type: "skip_suggested",
        members: #","waypoint":"# + gateJSON + #","distance_m":900,"nearest_m":400.25"#),
    KindCase(
        kind: .holdBreached(gate, distance: 201), type: "hold_breached",
        members: #","waypoint":"# + gateJSON + #","distance_m":201"#),
    KindCase(
        kind: .roadblockAhead(
            PlaceLabel(id: "b", name: "Bridge", category: "works", level: nil, revision: 3),
            distance: 1200),
        type: "roadblock_ahead",
        members: #","place":{"id":"b","name":"Bridge","category":"works","level":null,"#
            + #""revision":3},"distance_m":1200"#),
    KindCase(
        kind: .betterRouteFound(
            .init(
                number: 4, gain: nil, duration: 600.25, length: 9000, branch: depot.coordinate,
                branchDistance: 40, validUntil: Timestamp(microseconds: 1_772_366_520_000_000))),
        type: "better_route_found",
        members: #","proposal":4,"gain_s":null,"duration_s":600.3,"length_m":9000,"#
            + #""branch":{"lat":28.5999965,"lon":77.2306712},"branch_distance_m":40,"#
            + #""valid_until":"2026-03-01T12:02:00.000Z""#),
    KindCase(
        kind: .betterRouteGone(proposal: 4, .declined), type: "better_route_gone",
        members: #","proposal":4,"reason":"declined""#),
])
func writesEachKindOfEvent(_ example: KindCase) {
    let event = TripEvent(
        sequence: 2, kind: example.kind, time: Timestamp(microseconds: 1_772_366_460_250_000),
        location: Coordinate(latitude: 28.59999961234, longitude: 77.2102237),
        remainingDistance: 2000.0001, remainingWaypoints: 1)
    var json = JSONWriter()
    EventEncoder.encode(event, tripID: "t-1", vehicleID: "truck 7", into: &json)
    let common =
        #"{"id":"4da8c6b8-81a9-5b3f-bdfc-c7c2616858f1","sequence":2,"type":"\#(example.type)","#
        + #""vehicle_id":"truck 7","trip_id":"t-1","time":"2026-03-01T12:01:00.250Z","#
        + #""location":{"lat":28.5999996,"lon":77.2102237},"remaining_distance_m":2000,"#
        + #""remaining_waypoints":1"#
    #expect(json.text == common + example.members + "}")
    #expect(example.kind.type == example.type)
}

@Test func writesAnEventBeforeTheFirstMatchWithTheCommandThatCausedIt() {
    let event = TripEvent(
        sequence: 1, kind: .tripStopped(.stopped), time: Timestamp(microseconds: 0), location: nil,
        remainingDistance: nil, remainingWaypoints: 0)
    var json = JSONWriter()
    EventEncoder.encode(event, tripID: "t-1", vehicleID: "v", commandID: "c-9", into: &json)
    #expect(
        json.text == #"{"id":"1894fd0f-5e1c-5c7b-b68b-b4e6ccddf16a","sequence":1,"#
            + #""type":"trip_stopped","vehicle_id":"v","trip_id":"t-1","#
            + #""time":"1970-01-01T00:00:00.000Z","location":null,"remaining_distance_m":null,"#
            + #""remaining_waypoints":0,"command_id":"c-9","reason":"stopped"}"#)
}

@Test func writesARefusalWithAndWithoutATrip() {
    var rejection = CommandRejection(
        id: "f26def9d-d5bf-5435-b6d7-7541cb86eb57", vehicleID: "v", tripID: nil,
        time: Timestamp(microseconds: 0), progress: nil, command: "proceed", commandID: nil,
        refusal: Refusal(.noActiveTrip, "v has no trip"))
    var json = JSONWriter()
    EventEncoder.encode(rejection, into: &json)
    #expect(
        json.text == #"{"id":"f26def9d-d5bf-5435-b6d7-7541cb86eb57","type":"command_rejected","#
            + #""vehicle_id":"v","trip_id":null,"time":"1970-01-01T00:00:00.000Z","#
            + #""location":null,"remaining_distance_m":null,"remaining_waypoints":null,"#
            + #""command":"proceed","command_id":null,"reason":"no_active_trip","#
            + #""detail":"v has no trip"}"#)

    var progress = Progress(state: .tracking, time: Timestamp(microseconds: 0))
    progress.location = depot.coordinate
    progress.remainingDistance = 7.001
    progress.remainingWaypoints = 3
    rejection.progress = progress
    rejection.tripID = "t-1"
    rejection.commandID = "c-1"
    json.reset()
    EventEncoder.encode(rejection, into: &json)
    #expect(
        json.text == #"{"id":"f26def9d-d5bf-5435-b6d7-7541cb86eb57","type":"command_rejected","#
            + #""vehicle_id":"v","trip_id":"t-1","time":"1970-01-01T00:00:00.000Z","#
            + #""location":{"lat":28.5999965,"lon":77.2306712},"remaining_distance_m":7,"#
            + #""remaining_waypoints":3,"command":"proceed","command_id":"c-1","#
            + #""reason":"no_active_trip","detail":"v has no trip"}"#)
}

@Test func aRequestNamesWhatItIsToAvoidAndTheVehicle() throws {
    var asked = request
    asked.purpose = .roadblock
    let line = try #require(
        RoadClosure(try Area(.line([depot.coordinate, gate.target.coordinate], width: 0))))
    let circle = try #require(RoadClosure(try Area(.circle(center: depot.coordinate, radius: 50))))
    asked.avoid = [
        ClosedRoad(place: nil, closure: line),
        ClosedRoad(
            place: PlaceLabel(id: "b", name: "b", category: nil, level: nil, revision: 1),
            closure: circle),
    ]
    var vehicle = VehicleSize()
    vehicle.height = 4.1
    vehicle.axleCount = 5
    vehicle.isHazardous = true
    asked.vehicle = vehicle
    var json = JSONWriter()
    EventEncoder.encode(asked, into: &json)
    let text = json.text
    #expect(
        text.contains(
            #""purpose":"roadblock","avoid":[{"place_id":null,"geometry":{"type":"LineString","#
                + #""coordinates":[[77.2306712,28.5999965],[77.2204475,28.5999985]]}},"#
                + #"{"place_id":"b","geometry":{"type":"Polygon","coordinates":[[["#))
    #expect(text.hasSuffix(#"],"vehicle":{"height_m":4.1,"axle_count":5,"hazmat":true}}"#))
}
