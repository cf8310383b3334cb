/// What the live map stands on: vector tiles of roads and the like, from somewhere near.
package protocol ConsoleGround: Sendable {
    /// Returns what the page has to know of the tiles, as a JSON object: `minzoom` and `maxzoom`, and
    /// where known `bounds` (west, south, east, north) and `attribution`.
    ///
    /// Called on the server's thread: it must wait for nothing.
    func describe() -> [UInt8]
    /// Loads a tile, and hands it over on any thread, at once or later; always, and only once.
    ///
    /// Called on the server's thread: it must wait for nothing.
    func load(_ tile: GroundTile, then: @escaping @Sendable (GroundContent) -> Void)
}

/// A square of the world, in the numbering that all web maps share.
package struct GroundTile: Hashable, Sendable {
    /// The deepest zoom that is asked for.
    package static let deepest = 22

    /// The zoom, 0...22.
    package let zoom: Int
    /// The column from the west, less than 2 to the power of `zoom`.
    package let column: Int
    /// The row from the north, less than 2 to the power of `zoom`.
    package let row: Int

    /// Creates a tile; `nil` when there is no such square.
    package init?(zoom: Int, column: Int, row: Int) {
        guard (0...Self.deepest).contains(zoom) else { return nil }
        let range = 0..<(1 << zoom)
        guard range.contains(column), range.contains(row) else { return nil }
        self.zoom = zoom
        self.column = column
        self.row = row
    }

    /// Reads `["12", "2156", "1438"]`: plain digits, and nothing that could lead elsewhere.
    init?(_ parts: ArraySlice<String>) {
        let numbers = parts.compactMap { part in
            part.utf8.count <= 8 && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
                ? Int(part) : nil
        }
        guard parts.count == 3, numbers.count == 3 else { return nil }
        self.init(zoom: numbers[0], column: numbers[1], row: numbers[2])
    }
}

/// What there is of a tile.
package enum GroundContent: Equatable, Sendable {
    /// A Mapbox vector tile, perhaps compressed as gzip.
    case tile([UInt8], isCompressed: Bool)
    /// There is nothing here.
    case nothing
    /// It is not to be had now: an empty ground until it is asked for again.
    case missing

    /// The answer to the page, to which an empty ground is no error.
    var response: HTTPResponse {
        let type = "application/vnd.mapbox-vector-tile"
        switch self {
        case .tile(let bytes, let isCompressed):
            let encoding = isCompressed ? [("Content-Encoding", "gzip")] : []
            return HTTPResponse(
                type: type, headers: [("Cache-Control", "max-age=600")] + encoding, body: bytes)
        case .nothing:
            return HTTPResponse(
                status: 204, type: type, headers: [("Cache-Control", "max-age=600")], body: [])
        case .missing: return HTTPResponse(status: 204, type: type, body: [])
        }
    }
}
