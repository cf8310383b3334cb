import Store
import Telemetry
import Tracking

/// Writes positions as CSV with a header, a row each; what is not known is empty.
struct CSVTripWriter: TripWriter {
    let head = [
        "time,lat,lon,accuracy_m,speed_mps,course_deg,altitude_m,level,provider,tracked"
    ]
    let tail: [String] = []

    func lines(of position: PositionRow) -> [String] {
        let cells = [
            Timestamp(microseconds: position.fixTime).iso8601,
            position.latitude.shortest, position.longitude.shortest,
            position.accuracy?.shortest, position.speed?.shortest, position.course?.shortest,
            position.altitude?.shortest, position.level.map(Self.quoted),
            position.provider.map(Self.quoted), position.tracked ? "true" : "false",
        ]
        return [cells.map { $0 ?? "" }.joined(separator: ",")]
    }

    /// Quotes what would end its cell, as RFC 4180 says.
    private static func quoted(_ text: String) -> String {
        guard text.contains(where: { "\",\r\n".contains($0) }) else { return text }
        return "\"\(text.replacing("\"", with: "\"\""))\""
    }
}

extension Double {
    /// The number with as few digits as tell it from its neighbours.
    var shortest: String {
        var json = JSONWriter(capacity: 24)
        json.number(self)
        return json.text
    }
}
