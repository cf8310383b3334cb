import Geometry
import Telemetry
import Testing
import Tracking

/// 2026-03-01T12:00:00Z.
private let received = Timestamp(seconds: 1_772_366_400)

private func decode(
    _ name: String, _ payload: String, isRetained: Bool = false, defaults: TripOptions = .init(),
    maxBytes: Int = 262_144
) -> CommandMessage {
    Array(payload.utf8).withUnsafeBytes {
        CommandDecoder().decode(
            name: name, payload: $0, vehicleID: "truck-7", isRetained: isRetained,
            receivedAt: received, defaults: defaults, maxBytes: maxBytes)
    }
}

private func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: latitude, longitude: longitude)
}

private func assignment(_ change: (inout Assignment) -> Void) -> Command {
    var assignment = Assignment(
        tripID: "t-1", vehicleID: "truck-7",
        route: ProvidedRoute(coordinates: [place(28.6, 77.2), place(28.7, 77.25)]))
    change(&assignment)
    return .assign(assignment)
}

/// A command's name and payload, and what it must mean.
private struct Understood: Sendable, CustomTestStringConvertible {
    var name: String
    var payload: String
    var command: Command

    init(_ name: String, _ payload: String, _ command: Command) {
        self.name = name
        self.payload = payload
        self.command = command
    }

    var testDescription: String { "\(name) \(payload)" }
}

private let line = #""route":{"coordinates":[[77.2,28.6],[77.25,28.7]]}"#

@Test(arguments: [
    Understood("proceed", "", .proceed(waypointIndex: nil)),
    Understood("proceed", "{}", .proceed(waypointIndex: nil)),
    Understood("proceed", " \r\n", .proceed(waypointIndex: nil)),
    Understood("proceed", #"{"waypoint_index":2}"#, .proceed(waypointIndex: 2)),
    Understood("proceed", #"{"waypoint_index":null,"x":[1]}"#, .proceed(waypointIndex: nil)),
    Understood("skip", " {\"waypoint_index\": 0}\n", .skip(waypointIndex: 0)),
    Understood("reroute", "", .reroute),
    Understood("stop", "{}", .stop),
    Understood("avoid", #"{"length_m":10}"#, .avoid(start: 0, length: 10)),
    Understood("avoid", #"{"start_m":20.5,"length_m":50000}"#, .avoid(start: 20.5, length: 50_000)),
    Understood("accept", #"{"proposal":4}"#, .accept(proposal: 4)),
    Understood("decline", "", .decline(proposal: nil)),
    Understood(
        "route", "{\(line),\"request\":3}",
        .route(
            ProvidedRoute(coordinates: [place(28.6, 77.2), place(28.7, 77.25)]), request: 3,
            deviationPath: [])),
    Understood(
        "route", #"{"route":{"coordinates":[[180,-90],[-180,90,12.5]]},"deviation_path":[[1,2]]}"#,
        .route(
            ProvidedRoute(coordinates: [place(-90, 180), place(90, -180)]), request: nil,
            deviationPath: [place(2, 1)])),
    Understood("assign", "{\"trip_id\":\"t-1\",\(line)}", assignment { _ in }),
    Understood(
        "assign",
        "{\"trip_id\":\"t-1\",\(line),\"vehicle\":{\"height_m\":4.1,\"axle_count\":5,\"hazmat\":true}}",
        assignment {
            var vehicle = VehicleSize()
            vehicle.height = 4.1
            vehicle.axleCount = 5
            vehicle.isHazardous = true
            $0.vehicle = vehicle
        }),
    Understood(
        "assign", #"{"trip_id":"t-1","destination":{"lat":1,"lon":2},"source":{"lat":3,"lon":4}}"#,
        assignment {
            $0.route = nil
            $0.source = place(3, 4)
            $0.destination = Target(coordinate: place(1, 2))
        }),
    Understood(
        "assign",
        "{\"trip_id\":\"t-1\",\(line),"
            + #""via_points":[{"lat":28.65,"lon":77.22},{"lat":-1,"lon":-2.5,"id":"o\u00001","#
            + #""name":"Gate","level":"P2","attributes":{"dock": [4, "\u0000x"]}},"#
            + #"{"lat":0,"lon":0,"id":17,"level":-1}]}"#,
        assignment {
            $0.viaPoints = [
                Target(coordinate: place(28.65, 77.22)),
                Target(
                    coordinate: place(-1, -2.5), id: "o1", name: "Gate", level: .text("P2"),
                    attributes: #"{"dock":[4,"x"]}"#),
                Target(coordinate: place(0, 0), id: "17", level: .number(-1)),
            ]
        }),
    Understood(
        "assign",
        "{\"trip_id\":\"t-1\",\(line),"
            + #""options":{"arrival_radius_m":30,"profile":"biking"},"profile":"truck"}"#,
        assignment {
            $0.options.arrivalRadius = 30
            $0.options.profile = .truck
        }),
    Understood(
        "assign",
        #"{"trip_id":"t-1","route":{"coordinates":[[77.2,28.6],[77.25,28.7]],"duration_s":60,"#
            + #""segment_duration_s":[60],"speed_limit_mps":13.5}}"#,
        assignment {
            $0.route?.duration = 60
            $0.route?.segmentDurations = [60]
            $0.route?.speedLimits = [13.5]
        }),
    Understood(
        "assign",
        #"{"trip_id":"t-1","route":{"coordinates":[[1,1],[2,2],[3,3]],"speed_limit_mps":[null,7]}}"#,
        assignment {
            $0.route = ProvidedRoute(
                coordinates: [place(1, 1), place(2, 2), place(3, 3)], speedLimits: [0, 7])
        }),
    Understood(
        "assign",
        #"{"trip_id":"t-1","route":{"polyline":"_p~iF~ps|U_ulLnnqC_mqNvxq`@"}}"#,
        assignment {
            $0.route = ProvidedRoute(
                coordinates: [place(38.5, -120.2), place(40.7, -120.95), place(43.252, -126.453)])
        }),
    Understood(
        "assign",
        #"{"trip_id":"t-1","route":{"polyline":"_izlhA~rlgdF_{geC~ywl@","precision":6}}"#,
        assignment {
            $0.route = ProvidedRoute(coordinates: [place(38.5, -120.2), place(40.7, -120.95)])
        }),
])
private func understands(_ example: Understood) {
    #expect(decode(example.name, example.payload).outcome == .success(example.command))
}

@Test func readsWhomACommandIsFor() {
    let message = decode("stop", #"{"command_id":"c\u0000-1/#","trip_id":"Tour 5+é"}"#)
    #expect(
        message
            == CommandMessage(
                name: "stop", commandID: "c-1/#", tripID: "Tour 5+é", outcome: .success(.stop)))
}

@Test(arguments: [
    ("", nil), (",\"time\":null", nil),
    (",\"time\":1772362800", -3600), (",\"time\":1772362800250", -3599.75),
    (",\"time\":\"1772362800\"", -3600), (",\"time\":\"2026-03-01T12:30:00+01:00\"", -1800),
    // Never later than the reception, and at most a day before it.
    (",\"time\":\"2026-03-01T12:00:30Z\"", 0), (",\"time\":\"2026-02-01T12:00:00Z\"", -86_400),
])
func countsAnAssignmentFromWhenItWasGiven(time: String, seconds: Double?) {
    let message = decode("assign", "{\"trip_id\":\"t-1\",\(line)\(time)}")
    #expect(
        message.outcome
            == .success(assignment { $0.givenAt = seconds.map(received.advanced(by:)) }))
}

@Test(arguments: ["true", "\"yesterday\"", "{}", "\"2026-02-30T12:00:00Z\""])
func refusesACommandOfNoTime(time: String) throws {
    guard case .failure(let refusal) = decode("stop", "{\"time\":\(time)}").outcome else {
        Issue.record("it was taken")
        return
    }
    #expect(refusal.reason == .invalidCommand)
    #expect(
        refusal.detail.hasPrefix("time must be a time such as"))
}

@Test func mergesOptionsOverTheWorkers() {
    var defaults = TripOptions()
    defaults.maxSpeed = 40
    defaults.arrivalRadius = 80
    let message = decode(
        "assign", "{\"trip_id\":\"t-1\",\(line),\"options\":{\"arrival_radius_m\":20}}",
        defaults: defaults)
    var merged = defaults
    merged.arrivalRadius = 20
    #expect(message.outcome == .success(assignment { $0.options = merged }))
}

/// A command's name and payload, and why it must be refused.
private struct Refused: Sendable, CustomTestStringConvertible {
    var name: String
    var payload: String
    var refusal: Refusal

    init(_ name: String, _ payload: String, _ reason: Refusal.Reason, _ detail: String) {
        self.name = name
        self.payload = payload
        self.refusal = Refusal(reason, detail)
    }

    var testDescription: String { "\(name) \(payload)" }
}

@Test(arguments: [
    Refused(
        "assign", "{\"trip_id\":\"t-1\",\(line),\"vehicle\":{\"height_m\":0}}", .invalidCommand,
        "vehicle.height_m must be a number of metres above 0 and at most 20, not 0"),
    Refused(
        "assign", "{\"trip_id\":\"t-1\",\(line),\"vehicle\":{\"axle_count\":51}}", .invalidCommand,
        "vehicle.axle_count must be a whole number of 2 to 50, not 51"),
    Refused(
        "avoid", "{}", .invalidCommand,
        "length_m is missing: it must be a number of 10 to 50000 metres"),
    Refused(
        "avoid", #"{"length_m":9}"#, .invalidCommand,
        "length_m must be a number of 10 to 50000 metres, not 9"),
    Refused(
        "accept", #"{"proposal":0}"#, .invalidCommand,
        "proposal must be a whole number of at least 1, not 0"),
    Refused("stop", "[]", .invalidCommand, "the payload must be an object, not an array"),
    Refused("stop", "\"now\"", .invalidCommand, "the payload must be an object, not \"now\""),
    Refused(
        "proceed", #"{"waypoint_index":-1}"#, .invalidCommand,
        "waypoint_index must be a whole number of at least 0, not -1"),
    Refused(
        "skip", #"{"waypoint_index":1.5}"#, .invalidCommand,
        "waypoint_index must be a whole number of at least 0, not 1.5"),
    Refused(
        "skip", #"{"waypoint_index":"1"}"#, .invalidCommand,
        "waypoint_index must be a whole number of at least 0, not \"1\""),
    Refused(
        "stop", #"{"command_id":7}"#, .invalidCommand,
        "command_id must be a text of 1 to 128 bytes without control characters, not 7"),
    Refused(
        "stop", #"{"trip_id":"\u0000"}"#, .invalidCommand,
        "trip_id must be a text of 1 to 128 bytes without control characters, not \"\""),
    Refused(
        "stop", #"{"trip_id":"a\u0085"}"#, .invalidCommand,
        "trip_id must be a text of 1 to 128 bytes without control characters, not \"a\u{85}\""),
    Refused(
        "fly", "{", .unknownCommand,
        "\"fly\" is not a command: there are assign, proceed, skip, reroute, avoid, accept, decline, route, stop"
    ),
    Refused(
        "assign", "{\(line)}", .invalidCommand,
        "trip_id is missing: it must be a text of 1 to 128 bytes"),
    Refused(
        "assign", "", .invalidCommand, "trip_id is missing: it must be a text of 1 to 128 bytes"),
    Refused(
        "assign", #"{"trip_id":"t-1"}"#, .invalidCommand,
        "route or destination must be there: both are missing"),
    Refused(
        "assign", "{\"trip_id\":\"t-1\",\(line),\"via_points\":{}}", .invalidCommand,
        "via_points must be an array, not an object"),
    Refused(
        "assign",
        "{\"trip_id\":\"t-1\",\(line),\"via_points\":[{\"lat\":1,\"lon\":2},{\"lat\":1}]}",
        .invalidCommand, "via_points[1].lon is missing: it must be a number from -180 to 180"),
    Refused(
        "assign", "{\"trip_id\":\"t-1\",\(line),\"via_points\":[[77.2,28.6]]}", .invalidCommand,
        "via_points[0] must be an object, not an array"),
    Refused(
        "assign", #"{"trip_id":"t-1","destination":{"lat":90.01,"lon":2}}"#, .invalidCommand,
        "destination.lat must be a number from -90 to 90, not 90.01"),
    Refused(
        "assign", #"{"trip_id":"t-1","destination":{"lat":true,"lon":2}}"#, .invalidCommand,
        "destination.lat must be a number from -90 to 90, not true"),
    Refused(
        "assign", #"{"trip_id":"t-1","destination":{"lat":1,"lon":2,"name":5}}"#, .invalidCommand,
        "destination.name must be a text, not 5"),
    Refused(
        "assign", #"{"trip_id":"t-1","destination":{"lat":1,"lon":2,"level":[]}}"#, .invalidCommand,
        "destination.level must be a number or a text, not an array"),
    Refused(
        "assign", #"{"trip_id":"t-1","destination":{"lat":1,"lon":2,"attributes":[]}}"#,
        .invalidCommand, "destination.attributes must be an object, not an array"),
    Refused(
        "assign",
        #"{"trip_id":"t-1","destination":{"lat":1,"lon":2},"source":{"lat":1,"lon":181}}"#,
        .invalidCommand, "source.lon must be a number from -180 to 180, not 181"),
    Refused(
        "assign", #"{"trip_id":"t-1","destination":{"lat":1,"lon":2},"profile":"rocket"}"#,
        .invalidCommand, "profile must be one of driving, truck, biking, walking, not \"rocket\""),
    Refused(
        "assign", "{\"trip_id\":\"t-1\",\(line),\"options\":{\"speed\":1}}", .invalidOption,
        "options.speed is not an option"),
    Refused(
        "assign", "{\"trip_id\":\"t-1\",\(line),\"options\":{\"wait_at_waypoints\":null}}",
        .invalidOption,
        "options.wait_at_waypoints must be true or false, not null, an array or an object"),
    Refused(
        "assign", "{\"trip_id\":\"t-1\",\(line),\"options\":{\"max_speed_mps\":1e400}}",
        .invalidOption,
        "options.max_speed_mps must be a number above 0 and at most 1000000000, not null"),
    Refused(
        "assign", "{\"trip_id\":\"t-1\",\(line),\"options\":5}", .invalidOption,
        "options must be an object, not 5"),
    Refused(
        "route", "{\"request\":1}", .invalidCommand, "route is missing: it must be an object"),
    Refused(
        "route", "{\(line),\"request\":0}", .invalidCommand,
        "request must be a whole number of at least 1, not 0"),
    Refused("route", #"{"route":"x"}"#, .invalidRoute, "route must be an object, not \"x\""),
    Refused("route", #"{"route":{}}"#, .invalidRoute, "route must have coordinates or polyline"),
    Refused(
        "route", #"{"route":{"coordinates":[],"polyline":""}}"#, .invalidRoute,
        "route must not have both coordinates and polyline"),
    Refused(
        "route", #"{"route":{"coordinates":[[1,2]]}}"#, .invalidRoute,
        "route must have at least two points"),
    Refused(
        "route", #"{"route":{"polyline":""}}"#, .invalidRoute,
        "route must have at least two points"),
    Refused(
        "route", #"{"route":{"polyline":"_p~iF~ps|U_ulL"}}"#, .invalidRoute,
        "route.polyline breaks off or holds a character that is not its"),
    Refused(
        "route", #"{"route":{"polyline":"_izlhA~rlgdF_{geC~ywl@"}}"#, .invalidRoute,
        "route.polyline leaves the map at point 0: is its precision 5?"),
    Refused(
        "route", #"{"route":{"polyline":"_p~iF~ps|U_ulLnnqC","precision":7}}"#, .invalidRoute,
        "route.precision must be 5 or 6, not 7"),
    Refused(
        "route", #"{"route":{"coordinates":[[1,2],[2,91]]}}"#, .invalidRoute,
        "route.coordinates[1] must be [lon, lat] with lon from -180 to 180 and lat from -90 to 90, not [2,91]"
    ),
    Refused(
        "route", #"{"route":{"coordinates":[[1,2],{"lat":1,"lon":2}]}}"#, .invalidRoute,
        "route.coordinates[1] must be [lon, lat] with lon from -180 to 180 and lat from -90 to 90, not an object"
    ),
    Refused(
        "route", #"{"route":{"coordinates":[[1,2],[2,2]],"duration_s":-1}}"#, .invalidRoute,
        "route.duration_s must be a number of at least 0, not -1"),
    Refused(
        "route", #"{"route":{"coordinates":[[1,2],[2,2]],"segment_duration_s":[1,2]}}"#,
        .invalidRoute, "route.segment_duration_s must have one number for each of 1 segments, not 2"
    ),
    Refused(
        "route", #"{"route":{"coordinates":[[1,2],[2,2]],"segment_duration_s":["1"]}}"#,
        .invalidRoute, "route.segment_duration_s[0] must be a number of at least 0, not \"1\""),
    Refused(
        "route", #"{"route":{"coordinates":[[1,2],[2,2]],"speed_limit_mps":"fast"}}"#,
        .invalidRoute,
        "route.speed_limit_mps must be a number of at least 0, or one for each segment, not \"fast\""
    ),
    Refused(
        "route", #"{"route":{"coordinates":[[1,2],[2,2]],"speed_limit_mps":[]}}"#, .invalidRoute,
        "route.speed_limit_mps must have one number for each of 1 segments, not 0"),
])
private func refuses(_ example: Refused) {
    #expect(decode(example.name, example.payload).outcome == .failure(example.refusal))
}

@Test(arguments: [
    "{", "{\"a\":1}x", "\u{FEFF}{", "{\"a\":\"\\ud800\"}", String(repeating: "[", count: 70),
])
func refusesWhatIsNotJSON(payload: String) throws {
    guard case .failure(let refusal) = decode("stop", payload).outcome else {
        Issue.record("taken for a command")
        return
    }
    #expect(refusal.reason == .invalidCommand)
    #expect(refusal.detail.hasPrefix("the payload is not JSON: "))
}

@Test func refusesARetainedCommandAndSaysWhich() {
    let message = decode("stop", #"{"command_id":"c-1"}"#, isRetained: true)
    #expect(message.commandID == "c-1")
    let detail = "stop was published as retained: it would be carried out at each subscription"
    #expect(message.outcome == .failure(Refusal(.retainedCommand, detail)))
}

@Test func keepsTheCommandIDOfARefusedCommand() {
    let message = decode("assign", #"{"command_id":"c-1","trip_id":"t-1"}"#)
    #expect(message.commandID == "c-1")
    #expect(message.tripID == "t-1")
}

@Test func refusesAPayloadThatIsTooLarge() {
    let detail = "the payload has 20 bytes, more than the 19 allowed"
    let message = decode("stop", #"{"command_id":"c-1"}"#, maxBytes: 19)
    #expect(message.outcome == .failure(Refusal(.invalidCommand, detail)))
}
