/// Writes CSV by RFC 4180.
enum CSVText {
    /// Returns a row, a cell that is `nil` being empty.
    ///
    /// It ends with CR; LF is the output's.
    static func row(_ cells: [String?]) -> String {
        cells.map { $0.map(quoted) ?? "" }.joined(separator: ",") + "\r"
    }

    /// Quotes what would end its cell.
    private static func quoted(_ text: String) -> String {
        guard text.utf8.contains(where: { "\",\r\n".utf8.contains($0) }) else { return text }
        return "\"\(text.replacing("\"", with: "\"\""))\""
    }
}
