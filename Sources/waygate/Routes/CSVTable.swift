import Geometry

/// The rows of a CSV text with a header, as RFC 4180 has them and spreadsheets write them.
///
/// Cells are parted by commas, semicolons or tabs, whichever the header holds. One in quotes may hold separators, line
/// ends and doubled quotes. Blanks around a cell are dropped.
struct CSVTable {
    /// A row that is not empty.
    struct Row {
        /// The line in the text where it begins, from 1.
        let line: Int
        fileprivate let cells: [Substring]

        /// Returns the cell of a column; `nil` where the row is too short, or there is no such column.
        subscript(column: Int?) -> Substring? {
            guard let column, column < cells.count else { return nil }
            return cells[column]
        }

        /// The row for a person.
        var text: String { cells.joined(separator: ",") }
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
    /// - Throws: ``RouteFileError`` when its header lacks the columns of a place, or a quote never ends.
    init(_ text: String) throws(RouteFileError) {
        let header = text.utf8.prefix { $0 != UInt8(ascii: "\n") }
        let separator =
            [UInt8(ascii: ";"), UInt8(ascii: "\t")].first { header.contains($0) }
            ?? UInt8(ascii: ",")
        var reader = CSVReader(text, separator: separator)
        titles = try reader.row()?.cells.map { $0.lowercased() } ?? []
        guard let latitude = titles.firstIndex(where: Self.latitudes.contains),
            let longitude = titles.firstIndex(where: Self.longitudes.contains)
        else {
            throw RouteFileError(
                "its CSV needs a header with the columns lat and lon, not '\(Substring(header).prefix(80))'"
            )
        }
        self.latitude = latitude
        self.longitude = longitude
        var rows: [Row] = []
        while let row = try reader.row() {
            if row.cells.contains(where: { !$0.isEmpty }) { rows.append(row) }
        }
        self.rows = rows
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
}

/// Takes a CSV text apart, row by row; by bytes, because a character at a time takes ten times as long.
private struct CSVReader {
    private static let quote = UInt8(ascii: "\"")
    private static let newline = UInt8(ascii: "\n")

    private let separator: UInt8
    private var rest: Substring.UTF8View
    private var line = 1

    init(_ text: String, separator: UInt8) {
        self.separator = separator
        rest = text[...].utf8
        // A byte order mark is no part of the first title.
        if rest.starts(with: "\u{FEFF}".utf8) { rest = rest.dropFirst(3) }
    }

    /// Returns the next row; `nil` at the end.
    ///
    /// - Throws: ``RouteFileError`` when a quote never ends.
    mutating func row() throws(RouteFileError) -> CSVTable.Row? {
        guard !rest.isEmpty else { return nil }
        let start = line
        var cells: [Substring] = []
        repeat {
            cells.append(try cell())
        } while take(separator)
        _ = take(Self.newline)
        line += 1
        return CSVTable.Row(line: start, cells: cells)
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func cell() throws(RouteFileError) -> Substring {
        let unpadded = rest.drop { isPadding($0) }
        if unpadded.first == Self.quote {
            rest = unpadded.dropFirst()
            return try quoted()
        }
        return plain()
    }

    private mutating func plain() -> Substring {
        let end = rest.firstIndex { $0 == separator || $0 == Self.newline } ?? rest.endIndex
        let cell = rest[..<end].drop { isPadding($0) }
        rest = rest[end...]
        let last = cell.lastIndex { !isPadding($0) }.map { cell.index(after: $0) }
        return Substring(cell[..<(last ?? cell.startIndex)])
    }

    /// Returns what stands between quotes, whose first has been taken.
    private mutating func quoted() throws(RouteFileError) -> Substring {
        var text: Substring = ""
        while true {
            guard let end = rest.firstIndex(of: Self.quote) else {
                throw RouteFileError("a quote of its CSV in line \(line) never ends")
            }
            text += Substring(rest[..<end])
            line += rest[..<end].count { $0 == Self.newline }
            rest = rest[end...].dropFirst()
            guard take(Self.quote) else { break }
            text += "\""
        }
        // What stands behind a quote is none of the cell's.
        rest = rest.drop { $0 != separator && $0 != Self.newline }
        return text
    }

    private func isPadding(_ byte: UInt8) -> Bool {
        byte != separator && " \t\r".utf8.contains(byte)
    }
}
