/// The first 127 bytes of a PMTiles file of version 3: where what lies, and what it is.
struct ArchiveHeader: Equatable {
    /// How many bytes the header has.
    static let count = 127

    /// A stretch of the file, in bytes.
    struct Stretch: Equatable {
        var offset: Int
        var count: Int
    }

    /// How something is packed.
    enum Compression: UInt8 {
        case unknown, none, gzip, brotli, zstd
    }

    var root: Stretch
    var metadata: Stretch
    var leaves: Stretch
    var tiles: Stretch
    /// Of directories and metadata.
    var compression: Compression
    var zooms: ClosedRange<Int>
    /// West, south, east, north, in degrees.
    var bounds: [Double]

    /// Reads a header.
    ///
    /// - Throws: `damaged` when it is none, or one of tiles that the page cannot draw.
    init(_ bytes: [UInt8]) throws(GroundError) {
        guard bytes.count >= Self.count, bytes.starts(with: Array("PMTiles".utf8)) else {
            throw GroundError(.damaged, "is no PMTiles file")
        }
        guard bytes[7] == 3 else {
            throw GroundError(.damaged, "is PMTiles of version \(bytes[7]), not 3")
        }
        root = try Self.stretch(bytes, at: 8)
        metadata = try Self.stretch(bytes, at: 24)
        leaves = try Self.stretch(bytes, at: 40)
        tiles = try Self.stretch(bytes, at: 56)
        let packing = Compression(rawValue: bytes[97])
        guard let packing, packing == .none || packing == .gzip else {
            throw GroundError(
                .damaged, "has directories that are packed with neither gzip nor nothing")
        }
        compression = packing
        let packingOfTiles = Compression(rawValue: bytes[98])
        guard packingOfTiles == Compression.none || packingOfTiles == .gzip else {
            throw GroundError(.damaged, "has tiles that are packed with neither gzip nor nothing")
        }
        guard bytes[99] == 1 else {
            throw GroundError(
                .damaged, "has no vector tiles; http.tiles can show pictures from a server")
        }
        let (first, last) = (Int(bytes[100]), Int(bytes[101]))
        guard first <= last, last <= 24 else {
            throw GroundError(.damaged, "names zooms \(first) to \(last)")
        }
        zooms = first...last
        bounds = stride(from: 102, to: 118, by: 4).map { offset in
            let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[offset + $1]) << (8 * $1) }
            return Double(Int32(bitPattern: bits)) / 1e7
        }
    }

    private static func stretch(_ bytes: [UInt8], at offset: Int) throws(GroundError) -> Stretch {
        let numbers = [offset, offset + 8].map { start in
            (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[start + $1]) << (8 * $1) }
        }
        guard let start = Int(exactly: numbers[0]), let count = Int(exactly: numbers[1]) else {
            throw GroundError(.damaged, "has an offset beyond all files")
        }
        return Stretch(offset: start, count: count)
    }
}
