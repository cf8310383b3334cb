internal import Glibc

/// A folder of tiles, `{zoom}/{column}/{row}.mvt` or `.pbf`, as tippecanoe and others write them.
struct TileFolder: TileReader {
    let facts: GroundFacts
    private let path: String

    /// Takes a folder that has a folder for each zoom.
    ///
    /// - Throws: When it cannot be read, or has none.
    init(_ path: String) throws(GroundError) {
        self.path = path
        let zooms = try Self.names(in: path).compactMap { Int($0) }.filter { (0...24).contains($0) }
        guard let first = zooms.min(), let last = zooms.max() else {
            throw GroundError(
                .damaged, "\(path) has no tiles: there is no folder such as 12 for a zoom")
        }
        facts = GroundFacts(zooms: first...last)
    }

    func read(_ tile: TileID) throws(GroundError) -> TileData? {
        // Made of three numbers, so that no request can name a file elsewhere.
        let stem = "\(path)/\(tile.zoom)/\(tile.column)/\(tile.row)"
        for ending in [".mvt", ".pbf", ".mvt.gz", ".pbf.gz"] {
            guard let file = try TileFile(stem + ending) else { continue }
            guard file.count <= Self.longestTile else {
                throw GroundError(.damaged, "\(stem + ending) is longer than any tile")
            }
            return TileData(try file.read(at: 0, count: file.count))
        }
        return nil
    }

    private static func names(in path: String) throws(GroundError) -> [String] {
        guard let folder = opendir(path) else {
            throw GroundError(.unreadable, "\(path): \(String(cString: strerror(errno)))")
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            names.append(name)
        }
        return names
    }
}
