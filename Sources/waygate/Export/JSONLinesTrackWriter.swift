import Store
import Telemetry

/// Writes positions as the native JSON that the worker takes, an object a line.
struct JSONLinesTrackWriter: TrackWriter {
    mutating func add(_ position: PositionRow) -> [String] {
        var json = JSONWriter(capacity: 256)
        json.object { json in
            json.member("time", position.time.iso8601Exact)
            json.member("lat", exact: position.latitude)
            json.member("lon", exact: position.longitude)
            if let accuracy = position.accuracy { json.member("accuracy_m", exact: accuracy) }
            if let speed = position.speed { json.member("speed_mps", exact: speed) }
            if let course = position.course { json.member("course_deg", exact: course) }
            if let altitude = position.altitude { json.member("altitude_m", exact: altitude) }
            if let level = position.level { json.member("level", level) }
            if let provider = position.provider { json.member("provider", provider) }
            if let attributes = position.attributes {
                json.key("attributes")
                json.raw(attributes)
            }
            json.member("vehicle_id", position.vehicleID)
            if let tripID = position.tripID { json.member("trip_id", tripID) }
            json.member("tracked", position.tracked)
        }
        return [json.text]
    }
}
