import Geometry

/// The rows of a CSV text with a header.
///
/// Cells are parted by commas, semicolons or tabs, whichever the header holds; quotes around a cell are
/// dropped, and none may hold a separator.
struct CSVTable {
    /// A row that is not empty.
    struct Row {
        /// Its line in the text, from 1.
        let line: Int
        /// The row as it is written.
        let text: Substring
        private let cells: [Substring]

        fileprivate init(line: Int, text: Substring, separator: UInt8) {
            self.line = line
            self.text = text
            cells = CSVTable.cells(of: text, separator)
        }

        /// Returns the cell of a column; `nil` where the row is too short, or there is no such column.
        subscript(column: Int?) -> Substring? {
            guard let column, column < cells.count else { return nil }
            return cells[column]
        }
    }

    private static let latitudes: Set = ["lat", "latitude"]
    private static let longitudes: Set = ["lon", "lng", "long", "longitude"]

    private let titles: [String]
    private let latitude: Int
    private let longitude: Int
    /// The rows below the header.
    let rows: [Row]

    /// Reads a text.
    ///
    /// - Throws: ``RouteFileError`` when its header lacks the columns of a place.
    init(_ text: String) throws(RouteFileError) {
        // Bytes, because a character at a time takes ten times as long.
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let header = Substring(lines.first ?? text.utf8[...])
        let separator =
            [UInt8(ascii: ";"), UInt8(ascii: "\t")].first { header.utf8.contains($0) }
            ?? UInt8(ascii: ",")
        titles = Self.cells(of: header, separator).map { $0.lowercased() }
        guard let latitude = titles.firstIndex(where: Self.latitudes.contains),
            let longitude = titles.firstIndex(where: Self.longitudes.contains)
        else {
            throw RouteFileError(
                "its CSV needs a header with the columns lat and lon, not '\(header.prefix(80))'")
        }
        self.latitude = latitude
        self.longitude = longitude
        rows = lines.enumerated().dropFirst().compactMap { index, line in
            line.allSatisfy(Self.isPadding)
                ? nil : Row(line: index + 1, text: Substring(line), separator: separator)
        }
    }

    /// Returns the first column with one of those names; `nil` when there is none.
    func column(_ names: Set<String>) -> Int? {
        titles.firstIndex(where: names.contains)
    }

    /// Returns the place in a row.
    ///
    /// - Throws: ``RouteFileError`` when it has none.
    func place(in row: Row) throws(RouteFileError) -> Coordinate {
        guard let north = row[latitude].flatMap(decimal), let east = row[longitude].flatMap(decimal)
        else {
            throw RouteFileError("line \(row.line) of its CSV has no lat and lon: '\(row.text)'")
        }
        return Coordinate(latitude: north, longitude: east)
    }

    private static func cells(of row: Substring, _ separator: UInt8) -> [Substring] {
        row.utf8.split(separator: separator, omittingEmptySubsequences: false).map { cell in
            let start = cell.drop(while: isPadding)
            let end = start.lastIndex { !isPadding($0) }.map(start.index(after:))
            return Substring(start[..<(end ?? start.startIndex)])
        }
    }

    /// Tells whether a byte around a cell is none of its own: blanks, quotes, a byte order mark.
    private static func isPadding(_ byte: UInt8) -> Bool {
        " \t\r\"\u{FEFF}".utf8.contains(byte)
    }
}
