import Telemetry
import Testing

@testable import waygate

@Suite("What watch says of alarms") struct AlarmTextTests {
    @Test(arguments: [
        ("place_entered", #"{"place":{"id":"d","name":"Depot"},"reason":"moved"}"#, "enters Depot"),
        (
            "place_exited", #"{"place":{"id":"d"},"reason":"place_deleted","inside_s":7265}"#,
            "leaves d after 2 h 1 min (place deleted)"
        ),
        ("place_passed", #"{"place":{"id":"d","name":"Ga\u001bte"}}"#, "passes Ga\u{FFFD}te"),
        ("place_dwelled", #"{"place":{"id":"d"},"inside_s":1799.6}"#, "has been in d for 30 min"),
        (
            "place_approached", #"{"place":{"id":"d"},"distance_m":1234}"#,
            "comes near d (1.2 km to go)"
        ),
        (
            "speeding_started", #"{"speed_mps":15,"limit_mps":13.9}"#,
            "drives 54 km/h where 50 km/h are allowed"
        ),
        (
            "speeding_ended", #"{"duration_s":61,"top_speed_mps":20,"limit_mps":13.9}"#,
            "was too fast for 61 s, at most 72 km/h where 50 km/h are allowed"
        ),
        ("stop_started", #"{"place":null}"#, "stands still"),
        ("stop_ended", #"{"duration_s":600}"#, "goes on after 10 min"),
        ("vehicle_silent", #"{"silence_s":"x"}"#, "is silent for ?"),
        ("vehicle_heard", #"{"silence_s":1e300}"#, "is heard again after ?"),
    ])
    func tells(_ type: String, _ alarm: String, _ sentence: String) throws {
        let message = BrokerMessage(
            topic: "fleet/van-7/alarm/\(type)", payload: Array(alarm.utf8))
        let event = try #require(
            WatchedEvent(message, root: "fleet", parser: JSONParser()))
        #expect(event.sentence == sentence)
        #expect(event.vehicleID == "van-7" && event.type == type && event.heldAt == nil)
    }

    @Test(arguments: [
        (["--type", "place_enterd"], "did you mean 'place_entered'?"),
        (["--type", "arrived", "--alarms"], "'arrived' is an event, and --alarms shows none"),
    ])
    func refuses(_ words: [String], _ message: String) throws {
        let result = try Tool(["watch"] + words).finish()
        #expect(result.status == 2)
        #expect(result.errors.contains(message), "\(result.errors)")
    }
}
