/// Reads a spool while the thread that owns it appends; one thread uses a reader.
package final class SpoolReader {
    private let query: BatchQuery

    /// Opens the spool that this process owns.
    package init(folder: String) throws(SpoolError) {
        query = try BatchQuery(
            Database(path: SpoolFile.path(in: folder), isReadOnly: true))
    }

    /// Returns batches from the one that holds `position` on, at least one if there is any.
    ///
    /// The first may begin before `position`. Positions that were lost to damage are left out.
    /// - Parameter maxBytes: Stops after the batch with which this many bytes are reached.
    /// - Throws: `trimmed` when `position` is before the oldest that is kept.
    package func read(from position: Int64, maxBytes: Int) throws(SpoolError) -> [SpoolBatch] {
        try query.read(from: position, maxBytes: maxBytes)
    }

    /// Returns when the batch was appended that holds `position` or comes next; `nil` at the end.
    package func time(at position: Int64) throws(SpoolError) -> Int64? {
        try query.time(at: position)
    }
}
