/// A directory of a PMTiles file: which tiles lie where, or which directory knows more.
struct ArchiveDirectory: Sendable {
    /// A run of tiles that are all alike, or a directory of further ones.
    struct Entry: Equatable, Sendable {
        /// The first tile's number.
        var tile: UInt64
        /// How many tiles from there on are this one; 0 says that a directory lies there.
        var run: UInt64
        /// From the start of all tiles, or of all leaf directories, in bytes.
        var offset: Int
        /// How long it is, in bytes.
        var count: Int
    }

    /// By number.
    let entries: [Entry]

    /// Reads an unpacked directory.
    ///
    /// - Throws: `damaged` when it ends too soon, is out of order, or counts too much.
    init(_ bytes: [UInt8]) throws(GroundError) {
        var numbers = Varints(bytes)
        let count = try numbers.next()
        // Every entry has four numbers of a byte at least.
        guard count <= UInt64(bytes.count / 4) else {
            throw GroundError(.damaged, "a directory is shorter than it says")
        }
        var entries = [Entry](
            repeating: Entry(tile: 0, run: 0, offset: 0, count: 0), count: Int(count))
        var tile: UInt64 = 0
        for index in entries.indices {
            let (sum, isTooMuch) = tile.addingReportingOverflow(try numbers.next())
            guard !isTooMuch, index == 0 || sum > tile else {
                throw GroundError(.damaged, "a directory is out of order")
            }
            tile = sum
            entries[index].tile = tile
        }
        for index in entries.indices { entries[index].run = try numbers.next() }
        for index in entries.indices { entries[index].count = try numbers.nextInt() }
        for index in entries.indices {
            let offset = try numbers.nextInt()
            guard offset == 0 else {
                entries[index].offset = offset - 1
                continue
            }
            guard index > 0 else { throw GroundError(.damaged, "a directory begins with nothing") }
            let before = entries[index - 1]
            let (end, isTooMuch) = before.offset.addingReportingOverflow(before.count)
            guard !isTooMuch else { throw GroundError(.damaged, "a directory counts too much") }
            entries[index].offset = end
        }
        self.entries = entries
    }

    /// Returns the entry that a tile's number falls to; `nil` when there is no such tile.
    func entry(for tile: UInt64) -> Entry? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].tile <= tile { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let entry = entries[low - 1]
        return entry.run == 0 || tile - entry.tile < entry.run ? entry : nil
    }
}

/// Reads numbers of variable length, seven bits a byte, the lowest first.
private struct Varints {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func next() throws(GroundError) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard position < bytes.count else { break }
            let byte = bytes[position]
            position += 1
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        throw GroundError(.damaged, "a directory has a number without an end")
    }

    mutating func nextInt() throws(GroundError) -> Int {
        guard let number = Int(exactly: try next()) else {
            throw GroundError(.damaged, "a directory counts too much")
        }
        return number
    }
}
