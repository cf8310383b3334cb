/// A square of the world in the numbering that all web maps share: columns from the west, rows from the north.
package struct TileID: Hashable, Sendable {
    /// The zoom, 0...24.
    package var zoom: Int
    /// 0 to 2 to the power of `zoom`, less 1.
    package var column: Int
    /// 0 to 2 to the power of `zoom`, less 1.
    package var row: Int

    /// Creates a tile's name.
    package init(zoom: Int, column: Int, row: Int) {
        self.zoom = zoom
        self.column = column
        self.row = row
    }
}

/// A vector tile as it was found.
package struct TileData: Equatable, Sendable {
    /// A Mapbox vector tile, perhaps packed.
    package var bytes: [UInt8]
    /// Whether gzip has packed it.
    package var isPacked: Bool

    /// Takes bytes that may be packed or not, which their first two tell.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        isPacked = bytes.starts(with: [0x1F, 0x8B])
    }
}

/// What is known of a set of tiles.
package struct GroundFacts: Equatable, Sendable {
    /// The zooms that there are tiles of.
    package var zooms: ClosedRange<Int>
    /// West, south, east, north, in degrees, of what the tiles show; `nil` when unknown.
    package var bounds: [Double]?
    /// Whom the tiles are owed to, in the words of their maker, which may be HTML.
    package var attribution: String?
}

/// Where tiles come from; one thread reads.
protocol TileReader {
    /// What is known of all tiles.
    var facts: GroundFacts { get }
    /// Reads a tile; `nil` when there is none.
    ///
    /// - Throws: What keeps it from being read.
    func read(_ tile: TileID) throws(GroundError) -> TileData?
}

extension TileReader {
    /// A longer tile is not read, in bytes; packed or not.
    static var longestTile: Int { 4 << 20 }
}
