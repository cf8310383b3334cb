import Geometry

/// Reads the lines of a CSV file: a row a point, parted where the name in its row changes.
enum CSVLines {
    private static let names: Set = [
        "route", "vehicle", "vehicle_id", "trip", "trip_id", "name", "id",
    ]

    static func read(_ text: String) throws(RouteFileError) -> [NamedLine] {
        let table = try CSVTable(text)
        let name = table.column(names)
        // Rows of several vehicles may come interleaved, as a recording of a fleet is.
        var lines: [NamedLine] = []
        var places: [String?: Int] = [:]
        for row in table.rows {
            let place = try table.place(in: row)
            let key = row[name].map(String.init)
            if places[key] == nil {
                places[key] = lines.count
                lines.append(NamedLine(name: key, coordinates: []))
            }
            lines[places[key] ?? 0].coordinates.append(place)
        }
        return lines
    }
}
