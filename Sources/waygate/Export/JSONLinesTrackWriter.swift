import Store
import Telemetry
import Tracking

/// Writes positions as the native JSON that the worker takes, an object a line.
struct JSONLinesTrackWriter: TrackWriter {
    mutating func add(_ position: PositionRow) -> [String] {
        var json = JSONWriter(capacity: 256)
        json.object { json in
            json.members(of: position, at: position.time)
            json.member("vehicle_id", position.vehicleID)
            if let tripID = position.tripID { json.member("trip_id", tripID) }
            json.member("tracked", position.tracked)
        }
        return [json.text]
    }
}

extension JSONWriter {
    /// Writes what a device would say of a position, had it been there at `time`.
    mutating func members(of position: PositionRow, at time: Timestamp) {
        member("time", time.iso8601Exact)
        member("lat", exact: position.latitude)
        member("lon", exact: position.longitude)
        if let accuracy = position.accuracy { member("accuracy_m", exact: accuracy) }
        if let speed = position.speed { member("speed_mps", exact: speed) }
        if let course = position.course { member("course_deg", exact: course) }
        if let altitude = position.altitude { member("altitude_m", exact: altitude) }
        if let level = position.level { member("level", level) }
        if let provider = position.provider { member("provider", provider) }
        if let attributes = position.attributes {
            key("attributes")
            raw(attributes)
        }
    }
}
