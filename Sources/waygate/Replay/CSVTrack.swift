import Telemetry
import Tracking

/// Reads the positions of one vehicle from a CSV file: a row a position.
enum CSVTrack {
    private static let times: Set = [
        "time", "fix_time", "timestamp", "datetime", "t", "t_s", "time_s", "epoch",
    ]
    private static let vehicles: Set = ["vehicle", "vehicle_id"]
    private static let speeds: Set = ["speed_mps", "speed"]
    private static let courses: Set = ["course_deg", "heading_deg", "course", "heading"]
    private static let accuracies: Set = ["accuracy_m", "accuracy"]
    private static let levels: Set = ["level"]

    /// Where what is said of a position stands in a row.
    private struct Columns {
        let time: Int?
        let speed: Int?
        let course: Int?
        let accuracy: Int?
        let level: Int?

        init(of table: CSVTable) {
            time = table.column(times)
            speed = table.column(speeds)
            course = table.column(courses)
            accuracy = table.column(accuracies)
            level = table.column(levels)
        }
    }

    /// Returns the positions of a vehicle, of the first one named where `vehicleID` is `nil`.
    static func read(
        _ text: String, vehicleID: String?
    ) throws(RouteFileError) -> [TrackPoint] {
        let table = try CSVTable(text)
        let columns = Columns(of: table)
        let vehicle = table.column(vehicles)
        if vehicleID != nil, vehicle == nil {
            throw RouteFileError("its CSV has no column vehicle to look for a vehicle in")
        }
        let wanted = vehicleID.map { $0[...] } ?? table.rows.first?[vehicle]
        var points: [TrackPoint] = []
        for row in table.rows where row[vehicle] == wanted {
            var fix = Fix(time: Timestamp(microseconds: 0), coordinate: try table.place(in: row))
            fix.speed = row[columns.speed].flatMap(decimal).flatMap { $0 >= 0 ? $0 : nil }
            fix.course = row[columns.course].flatMap(decimal)
                .flatMap { (0..<360).contains($0) ? $0 : nil }
            fix.accuracy = row[columns.accuracy].flatMap(decimal)
            fix.level = row[columns.level].flatMap(Level.init(written:))
            points.append(TrackPoint(time: try time(row[columns.time], in: row), fix: fix))
        }
        return points
    }

    private static func time(
        _ cell: Substring?, in row: CSVTable.Row
    ) throws(RouteFileError) -> Timestamp? {
        guard let cell else { return nil }
        guard let time = Timestamp(written: cell) else {
            throw RouteFileError("line \(row.line) of its CSV has no time: '\(row.text)'")
        }
        return time
    }
}

extension Timestamp {
    /// Reads a time as a person or program writes it: ISO 8601, or seconds or less since 1970 by its size.
    init?(written text: Substring) {
        if let number = decimal(text) {
            self.init(epoch: number)
        } else {
            var text = text
            guard let time = text.withUTF8({ Timestamp(iso8601: UnsafeRawBufferPointer($0)) })
            else { return nil }
            self = time
        }
    }
}
