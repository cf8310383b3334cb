internal import Telemetry

/// A PMTiles file of version 3: all tiles of a map in one file.
final class TileArchive: TileReader {
    let facts: GroundFacts
    private let file: TileFile
    private let header: ArchiveHeader
    private let root: ArchiveDirectory
    /// Leaf directories that were used of late, by their place.
    private var leaves: [Int: ArchiveDirectory] = [:]

    /// The format knows no more levels of directories.
    private static let deepest = 4
    private static let longestDirectory = 8 << 20
    private static let longestUnpackedDirectory = 32 << 20
    private static let mostLeaves = 32

    /// Opens a file and reads what it says of itself.
    ///
    /// - Throws: When it cannot be read, or is not such a file.
    init(_ path: String) throws(GroundError) {
        do throws(GroundError) {
            guard let file = try TileFile(path) else {
                throw GroundError(.unreadable, "there is no such file")
            }
            let count = min(file.count, ArchiveHeader.count)
            let header = try ArchiveHeader(try file.read(at: 0, count: count))
            root = try Self.directory(header.root, in: file, header)
            facts = GroundFacts(
                zooms: header.zooms, bounds: header.bounds,
                attribution: Self.attribution(in: file, header))
            (self.file, self.header) = (file, header)
        } catch {
            throw GroundError(error.reason, "\(path): \(error.message)")
        }
    }

    func read(_ tile: TileID) throws(GroundError) -> TileData? {
        let number = Self.number(of: tile)
        var directory = root
        for _ in 0..<Self.deepest {
            guard let entry = directory.entry(for: number) else { return nil }
            guard entry.run == 0 else {
                guard entry.count <= Self.longestTile else {
                    throw GroundError(.damaged, "a tile is longer than any should be")
                }
                let stretch = try Self.place(of: entry, in: header.tiles)
                return TileData(try file.read(at: stretch.offset, count: stretch.count))
            }
            directory = try leaf(entry)
        }
        throw GroundError(.damaged, "directories lead to directories without an end")
    }

    /// Returns a tile's number: all smaller zooms first, then along a Hilbert curve.
    static func number(of tile: TileID) -> UInt64 {
        var number = ((UInt64(1) << UInt64(2 * tile.zoom)) - 1) / 3
        var (column, row) = (tile.column, tile.row)
        var side = 1 << tile.zoom
        while side > 1 {
            side /= 2
            let (isEast, isSouth) = (column & side != 0, row & side != 0)
            let quarter: UInt64 = isEast ? (isSouth ? 2 : 3) : (isSouth ? 1 : 0)
            number += quarter * UInt64(side) * UInt64(side)
            (column, row) = (column & (side - 1), row & (side - 1))
            guard !isSouth else { continue }
            if isEast { (column, row) = (side - 1 - column, side - 1 - row) }
            swap(&column, &row)
        }
        return number
    }

    private func leaf(_ entry: ArchiveDirectory.Entry) throws(GroundError) -> ArchiveDirectory {
        if let known = leaves[entry.offset] { return known }
        let stretch = try Self.place(of: entry, in: header.leaves)
        let leaf = try Self.directory(stretch, in: file, header)
        if leaves.count >= Self.mostLeaves { leaves.removeAll() }
        leaves[entry.offset] = leaf
        return leaf
    }

    private static func place(
        of entry: ArchiveDirectory.Entry, in part: ArchiveHeader.Stretch
    ) throws(GroundError) -> ArchiveHeader.Stretch {
        guard entry.count <= part.count, entry.offset <= part.count - entry.count,
            part.offset <= Int.max - part.count
        else { throw GroundError(.damaged, "a directory names a place beyond its part") }
        return ArchiveHeader.Stretch(offset: part.offset + entry.offset, count: entry.count)
    }

    private static func directory(
        _ stretch: ArchiveHeader.Stretch, in file: TileFile, _ header: ArchiveHeader
    ) throws(GroundError) -> ArchiveDirectory {
        guard stretch.count <= longestDirectory else {
            throw GroundError(.damaged, "a directory is longer than any should be")
        }
        return try ArchiveDirectory(try unpacked(stretch, in: file, header))
    }

    private static func unpacked(
        _ stretch: ArchiveHeader.Stretch, in file: TileFile, _ header: ArchiveHeader
    ) throws(GroundError) -> [UInt8] {
        let bytes = try file.read(at: stretch.offset, count: stretch.count)
        guard header.compression == .gzip else { return bytes }
        return try Inflater.unpack(bytes, limit: longestUnpackedDirectory)
    }

    /// Returns whom the tiles are owed to; `nil` where the file does not say so in a way that can be read.
    private static func attribution(in file: TileFile, _ header: ArchiveHeader) -> String? {
        guard header.metadata.count <= longestDirectory,
            let bytes = try? unpacked(header.metadata, in: file, header)
        else { return nil }
        return try? JSONParser().parse(String(decoding: bytes, as: UTF8.self)) { metadata in
            metadata["attribution"]?.string
        }
    }
}
