/// Remembers where the spool can be cut, without a look at the disk.
///
/// A pure value: one boundary for every `grain` bytes, each at the start of a batch.
struct TrimIndex {
    private struct Boundary {
        var position: Int64
        /// How many bytes were appended before it.
        var bytes: Int64
    }

    private let grain: Int64
    private var boundaries: [Boundary] = []
    private var appended: Int64 = 0
    private var end: Int64 = 0

    init(grain: Int64) {
        self.grain = grain
    }

    /// Notes a batch after all others.
    mutating func append(first: Int64, end: Int64, bytes: Int64) {
        if boundaries.last.map({ appended - $0.bytes >= grain }) ?? true {
            boundaries.append(Boundary(position: first, bytes: appended))
        }
        appended += bytes
        self.end = end
    }

    /// Returns the position before which to delete, or `nil` when there is nothing to be done.
    ///
    /// - Parameters:
    ///   - position: Nothing from here on may go.
    ///   - margin: How many bytes before `position` to keep as well.
    ///   - most: How many boundaries to pass at most.
    func cut(before position: Int64, keeping margin: Int64, most: Int) -> Int64? {
        var low = 0
        var high = boundaries.count
        while low < high {
            let middle = (low + high) / 2
            if boundaries[middle].position <= position { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let isAll = position >= end
        let passed = isAll ? appended : boundaries[low - 1].bytes
        if isAll, margin <= 0, low <= most { return end }
        var cut = min(low - 1, most)
        while cut > 0, boundaries[cut].bytes > passed - margin { cut -= 1 }
        return cut > 0 ? boundaries[cut].position : nil
    }

    /// Notes that everything before `position`, which `cut` had returned, is deleted.
    mutating func trimmed(before position: Int64) {
        let kept = boundaries.firstIndex { $0.position >= position } ?? boundaries.count
        boundaries.removeFirst(kept)
    }
}
