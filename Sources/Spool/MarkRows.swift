/// Remembers which rows of marks there are, so that the oldest can be deleted in time.
///
/// A pure value. A row holds the marks of one batch.
struct MarkRows {
    /// A session has no more packet ids than this.
    static let most = 65_535
    /// The bytes of a packet id and a digest.
    static let markSize = 10

    private var rows: [(first: Int64, count: Int)] = []
    private var head = 0
    private var total = 0

    /// Notes a row after all others.
    mutating func append(first: Int64, count: Int) {
        rows.append((first, count))
        total += count
    }

    /// Returns the last row that is not needed once `count` marks are added; `nil` for none.
    func obsolete(adding count: Int) -> Int64? {
        var left = total + count
        var last: Int64?
        for row in rows[head...] {
            left -= row.count
            guard left >= Self.most else { break }
            last = row.first
        }
        return last
    }

    /// Notes that the rows up to `first` are deleted.
    mutating func deleted(upTo first: Int64) {
        while head < rows.count, rows[head].first <= first {
            total -= rows[head].count
            head += 1
        }
        guard head >= 4096 || head == rows.count else { return }
        rows.removeFirst(head)
        head = 0
    }

    /// Returns the marks as a row holds them: packet id and digest, the low byte first.
    static func encode(_ marks: [Mark]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(marks.count * markSize)
        for mark in marks {
            withUnsafeBytes(of: mark.packetID.littleEndian) { bytes.append(contentsOf: $0) }
            withUnsafeBytes(of: mark.digest.littleEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    /// Returns the marks of a row.
    static func decode(_ bytes: UnsafeRawBufferPointer) -> [Mark] {
        stride(from: 0, to: bytes.count - markSize + 1, by: markSize).map { place in
            Mark(
                packetID: bytes.loadUnaligned(fromByteOffset: place, as: UInt16.self).littleEndian,
                digest: bytes.loadUnaligned(fromByteOffset: place + 2, as: UInt64.self)
                    .littleEndian)
        }
    }
}
