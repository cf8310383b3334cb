/// Returns how many characters must be added, dropped or changed to make `lhs` of `rhs`: the
/// Levenshtein distance.
package func editDistance(_ lhs: String, _ rhs: String) -> Int {
    let columns = Array(rhs)
    var row = Array(0...columns.count)
    for (index, character) in lhs.enumerated() {
        var diagonal = row[0]
        row[0] = index + 1
        for column in columns.indices {
            let substituted = diagonal + (columns[column] == character ? 0 : 1)
            diagonal = row[column + 1]
            row[column + 1] = min(substituted, row[column] + 1, diagonal + 1)
        }
    }
    return row[columns.count]
}
