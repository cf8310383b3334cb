import Geometry
import Telemetry
import Testing
import Tracking
import Watching

@Test func writesTheProgressOfATrip() {
    var progress = Progress(state: .held, time: Timestamp(microseconds: 1_772_366_460_250_000))
    progress.location = Coordinate(latitude: 28.59999961234, longitude: 77.2102237)
    progress.reported = Coordinate(latitude: 28.599999612345, longitude: 77.21)
    progress.deviation = 3.999
    progress.travelledDistance = 1000.456
    progress.remainingDistance = 2000
    progress.fraction = 1.0 / 3
    progress.eta = Timestamp(microseconds: 1_772_366_560_000_000)
    progress.speed = 50 / 3.6
    progress.course = 90
    progress.level = .text("P2")
    progress.activeWaypoint = TripEvent.Waypoint(
        index: 0,
        target: Target(coordinate: Coordinate(latitude: 28.6, longitude: 77.2), name: "Dock"))
    progress.remainingWaypoints = 1
    progress.waitsAtWaypoint = true
    progress.routeRevision = 1
    progress.animationDuration = 59.99951
    var watch = WatchSummary()
    watch.places = ["yard", "campus"]
    watch.speedLimit = 8.3
    watch.isSpeeding = true
    watch.stoppedSince = Timestamp(microseconds: 1_772_366_400_000_000)
    var json = JSONWriter()
    ProgressEncoder.encode(progress, watch: watch, tripID: "t-1", vehicleID: "v", into: &json)
    #expect(
        json.text == #"{"trip_id":"t-1","vehicle_id":"v","state":"held","#
            + #""time":"2026-03-01T12:01:00.250Z","#
            + #""location":{"lat":28.5999996,"lon":77.2102237},"#
            + #""reported":{"lat":28.599999612345,"lon":77.21},"deviation_m":4,"#
            + #""travelled_distance_m":1000.46,"remaining_distance_m":2000,"fraction":0.333333,"#
            + #""eta":"2026-03-01T12:02:40.000Z","speed_mps":13.889,"course_deg":90,"#
            + #""level":"P2","active_waypoint":{"index":0,"lat":28.6,"lon":77.2,"id":null,"#
            + #""name":"Dock"},"remaining_waypoints":1,"waiting_at_waypoint":true,"#
            + #""route_revision":1,"animation_ms":60000,"places":["yard","campus"],"#
            + #""speed_limit_mps":8.3,"speeding":true,"#
            + #""stopped_since":"2026-03-01T12:00:00.000Z"}"#)
}

@Test func writesTheProgressOfAVehicleWithoutATrip() {
    var progress = Progress(state: .idle, time: Timestamp(microseconds: 0))
    progress.location = Coordinate(latitude: -1.5, longitude: 179.9999999)
    progress.reported = progress.location
    progress.level = .number(2.5)
    var json = JSONWriter()
    ProgressEncoder.encode(progress, tripID: nil, vehicleID: "v", into: &json)
    #expect(
        json.text == #"{"trip_id":null,"vehicle_id":"v","state":"idle","#
            + #""time":"1970-01-01T00:00:00.000Z","location":{"lat":-1.5,"lon":179.9999999},"#
            + #""reported":{"lat":-1.5,"lon":179.9999999},"deviation_m":null,"#
            + #""travelled_distance_m":0,"remaining_distance_m":null,"fraction":null,"#
            + #""eta":null,"speed_mps":null,"course_deg":null,"level":2.5,"#
            + #""active_waypoint":null,"remaining_waypoints":0,"waiting_at_waypoint":false,"#
            + #""route_revision":0,"animation_ms":2000,"places":[],"speed_limit_mps":null,"#
            + #""speeding":false,"stopped_since":null}"#)
}

@Test func writesNoMorePlacesThanTheSmallestThirtyTwo() {
    var watch = WatchSummary()
    watch.places = (0..<40).map { "p\($0)" }
    var json = JSONWriter()
    ProgressEncoder.encode(
        Progress(state: .idle, time: Timestamp(microseconds: 0)), watch: watch, tripID: nil,
        vehicleID: "v", into: &json)
    #expect(json.text.contains(#""p31"]"#))
}

@Test func writesTheStatusOfTheWorker() {
    #expect(WorkerStatus.online.payload == Array(#"{"state":"online"}"#.utf8))
    #expect(WorkerStatus.offline.payload == Array(#"{"state":"offline"}"#.utf8))
}
