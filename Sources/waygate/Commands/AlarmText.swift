import Telemetry

/// What alarms say to a person.
enum AlarmText {
    /// Every type of alarm, the last level of its topic.
    static let types = [
        "place_entered", "place_exited", "place_passed", "place_dwelled", "place_approached",
        "speeding_started", "speeding_ended", "stop_started", "stop_ended", "vehicle_silent",
        "vehicle_heard",
    ]

    /// Returns what happened, as the end of a sentence that opens with the vehicle.
    static func sentence(_ type: String, _ alarm: JSONValue) -> String {
        let place = WatchedEvent.place(alarm["place"])
        let name = place ?? "a place"
        switch type {
        case "place_entered": return "enters \(name)\(because(alarm))"
        case "place_exited":
            let inside = alarm["inside_s"]?.double.map { " after \(duration($0))" } ?? ""
            return "leaves \(name)\(inside)\(because(alarm))"
        case "place_passed": return "passes \(name)"
        case "place_dwelled": return "has been in \(name) for \(duration(alarm, "inside_s"))"
        case "place_approached":
            return "comes near \(name) (\(WatchedEvent.metres(alarm, "distance_m")) to go)"
        case "speeding_started":
            return
                "drives \(speed(alarm, "speed_mps")) where \(speed(alarm, "limit_mps")) are allowed"
        case "speeding_ended":
            return
                "was too fast for \(duration(alarm, "duration_s")), at most \(speed(alarm, "top_speed_mps"))"
                + " where \(speed(alarm, "limit_mps")) are allowed"
        case "stop_started": return "stands still" + (place.map { " at \($0)" } ?? "")
        case "stop_ended": return "goes on after \(duration(alarm, "duration_s"))"
        case "vehicle_silent": return "is silent for \(duration(alarm, "silence_s"))"
        case "vehicle_heard": return "is heard again after \(duration(alarm, "silence_s"))"
        default: return type.printable
        }
    }

    /// Why a place is entered or left where the vehicle did not move, as a clause.
    private static func because(_ alarm: JSONValue) -> String {
        switch alarm["reason"]?.string {
        case nil, "moved": ""
        case let reason?: " (\(reason.printable.replacing("_", with: " ")))"
        }
    }

    private static func speed(_ alarm: JSONValue, _ name: StaticString) -> String {
        guard let speed = alarm[name]?.double, abs(speed) < 1e6 else { return "? km/h" }
        return "\(Int((speed * 3.6).rounded())) km/h"
    }

    private static func duration(_ alarm: JSONValue, _ name: StaticString) -> String {
        alarm[name]?.double.map(duration) ?? "?"
    }

    private static func duration(_ seconds: Double) -> String {
        guard abs(seconds) < 1e9 else { return "?" }
        let whole = Int(seconds.rounded())
        switch whole {
        case ..<120: return "\(whole) s"
        case ..<7200: return "\(whole / 60) min"
        default: return "\(whole / 3600) h \(whole / 60 % 60) min"
        }
    }
}
