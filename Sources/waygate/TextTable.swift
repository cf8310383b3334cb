/// Sets rows of cells in columns, for people.
enum TextTable {
    /// Returns a line a row: cells as wide as the widest of their column, two blanks between them, none at the end.
    static func lines(_ rows: [[String]]) -> [String] {
        var widths: [Int] = []
        for row in rows {
            for (index, cell) in row.enumerated() {
                if index == widths.count { widths.append(0) }
                widths[index] = max(widths[index], cell.count)
            }
        }
        return rows.map { row in
            let last = row.lastIndex { !$0.isEmpty } ?? 0
            return row.prefix(last + 1).enumerated().map { index, cell in
                index == last ? cell : cell.padded(to: widths[index])
            }.joined(separator: "  ")
        }
    }
}
