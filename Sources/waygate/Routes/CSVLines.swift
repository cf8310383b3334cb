import Geometry

/// Reads the lines of a CSV file: a row a point, parted where the name in its row changes.
enum CSVLines {
    private static let latitudes: Set = ["lat", "latitude"]
    private static let longitudes: Set = ["lon", "lng", "long", "longitude"]
    private static let names: Set = [
        "route", "vehicle", "vehicle_id", "trip", "trip_id", "name", "id",
    ]

    static func read(_ text: String) throws(RouteFileError) -> [NamedLine] {
        let rows = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let header = rows.first ?? ""
        let separator: Character = [";", "\t"].first { header.contains($0) } ?? ","
        let titles = cells(header, separator).map { $0.lowercased() }
        guard let latitude = titles.firstIndex(where: latitudes.contains),
            let longitude = titles.firstIndex(where: longitudes.contains)
        else {
            throw RouteFileError(
                "its CSV needs a header with the columns lat and lon, not '\(header.prefix(80))'")
        }
        let name = titles.firstIndex(where: names.contains)
        // Rows of several vehicles may come interleaved, as a recording of a fleet is.
        var lines: [NamedLine] = []
        var places: [String?: Int] = [:]
        for (index, row) in rows.enumerated().dropFirst() where !row.allSatisfy(\.isWhitespace) {
            let cells = cells(row, separator)
            guard cells.count > max(latitude, longitude), let north = decimal(cells[latitude]),
                let east = decimal(cells[longitude])
            else {
                throw RouteFileError("line \(index + 1) of its CSV has no lat and lon: '\(row)'")
            }
            let key = name.flatMap { $0 < cells.count ? cells[$0] : nil }
            if places[key] == nil {
                places[key] = lines.count
                lines.append(NamedLine(name: key, coordinates: []))
            }
            lines[places[key] ?? 0].coordinates.append(Coordinate(latitude: north, longitude: east))
        }
        return lines
    }

    private static func cells(_ row: Substring, _ separator: Character) -> [String] {
        row.split(separator: separator, omittingEmptySubsequences: false).map { cell in
            String(cell.filter { $0 != "\"" && $0 != "\u{FEFF}" && !$0.isWhitespace })
        }
    }
}
