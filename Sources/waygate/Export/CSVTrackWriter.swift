import Store
import Telemetry
import Tracking

/// Writes positions as CSV by RFC 4180: a header, a row each, what is not known empty.
struct CSVTrackWriter: TrackWriter {
    private static let columns = [
        "vehicle_id", "time", "lat", "lon", "accuracy_m", "speed_mps", "course_deg", "altitude_m",
        "level", "provider", "trip_id", "tracked", "attributes",
    ]

    let head = [CSVText.row(Self.columns)]

    mutating func add(_ position: PositionRow) -> [String] {
        [
            CSVText.row([
                position.vehicleID, position.time.iso8601Exact, position.latitude.shortest,
                position.longitude.shortest, position.accuracy?.shortest,
                position.speed?.shortest, position.course?.shortest, position.altitude?.shortest,
                position.level, position.provider, position.tripID,
                position.tracked ? "true" : "false", position.attributes,
            ])
        ]
    }
}

extension PositionRow {
    /// When the vehicle was there.
    var time: Timestamp { Timestamp(microseconds: fixTime) }
}

extension Timestamp {
    /// ISO 8601 in UTC with milliseconds, or with microseconds where there are any.
    var iso8601Exact: String {
        let rest = Int(((microseconds % 1000) + 1000) % 1000)
        guard rest > 0 else { return iso8601 }
        let digits = "\(rest)"
        return iso8601.dropLast() + String(repeating: "0", count: 3 - digits.count) + digits + "Z"
    }
}
