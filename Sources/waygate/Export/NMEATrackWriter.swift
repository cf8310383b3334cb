import Store
import Telemetry
import Tracking

/// Writes NMEA 0183: a GGA and an RMC a position, each with its checksum.
///
/// Minutes have six decimals, two millimetres, so that no sentence is longer than the 82 characters that the standard
/// allows. What NMEA has no field for (accuracy in metres, level) is left out.
struct NMEATrackWriter: TrackWriter {
    mutating func add(_ position: PositionRow) -> [String] {
        let moment = position.time.iso8601Exact
        // 2026-03-01T12:00:00.000Z
        let time = moment.dropFirst(11).dropLast().replacing(":", with: "")
        let date = moment.prefix(10).split(separator: "-").reversed().map { $0.suffix(2) }.joined()
        let place =
            Self.angle(position.latitude, digits: 2, "N", "S") + ","
            + Self.angle(position.longitude, digits: 3, "E", "W")
        let speed = position.speed.map { ($0 / Self.knot).fixed(3) } ?? ""
        let course = position.course.map { $0.fixed(2) } ?? ""
        let altitude = position.altitude.map { $0.fixed(1) } ?? ""
        return [
            // In the order of most receivers: some readers take what RMC says for the GGA before it.
            Self.sentence("GPGGA,\(time),\(place),1,,,\(altitude),M,,M,,"),
            Self.sentence("GPRMC,\(time),A,\(place),\(speed),\(course),\(date),,,A"),
        ]
    }

    /// Metres per second.
    private static let knot = 1852.0 / 3600

    /// Adds the frame with the exclusive or of all within it.
    ///
    /// Lines end with CR and LF; the latter is the output's.
    private static func sentence(_ body: String) -> String {
        let sum = body.utf8.reduce(0, ^)
        let digits = String(sum, radix: 16, uppercase: true)
        return "$\(body)*\(digits.count == 1 ? "0" : "")\(digits)\r"
    }

    /// Degrees and minutes as one number, and the half of the globe.
    private static func angle(
        _ degrees: Double, digits: Int, _ positive: String, _ negative: String
    ) -> String {
        let units = (abs(degrees) * 60_000_000).rounded()
        let whole = Int(units / 60_000_000)
        let minutes = (units - Double(whole) * 60_000_000) / 1_000_000
        let text = "\(whole)"
        let zeros = String(repeating: "0", count: digits - text.count)
        let minuteText = minutes.fixed(6)
        return zeros + text + (minutes < 10 ? "0" : "") + minuteText + ","
            + (degrees < 0 ? negative : positive)
    }
}
