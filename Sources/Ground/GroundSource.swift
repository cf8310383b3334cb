package import Routing

/// Where the tiles under the live map come from.
package enum GroundSource: Equatable, Sendable {
    /// A server of tiles.
    case server(TileService)
    /// A folder, `{zoom}/{column}/{row}.mvt` in it.
    case folder(String)
    /// A PMTiles file.
    case archive(String)

    /// Reads the setting `http.map`.
    ///
    /// - Parameters:
    ///   - text: `planner`, a URL with `{z}`, `{x}` and `{y}`, a folder, or a file ending in `.pmtiles`.
    ///   - planner: Who is asked for routes, where that is a server of tiles too.
    /// - Throws: `misconfigured` when the planner serves none.
    package init(_ text: String, planner: TileService?) throws(GroundError) {
        if text == "planner" {
            guard let planner else {
                throw GroundError(
                    .misconfigured,
                    "http.map is 'planner', but planner.kind is neither 'osrm' nor 'valhalla'")
            }
            self = .server(planner)
        } else if text.contains("://") {
            self = .server(.template(text))
        } else if text.hasSuffix(".pmtiles") {
            self = .archive(text)
        } else {
            self = .folder(text)
        }
    }

    /// Opens it for one thread.
    func open() throws(GroundError) -> any TileReader {
        switch self {
        case .server(let service): try TileServer(service)
        case .folder(let path): try TileFolder(path)
        case .archive(let path): try TileArchive(path)
        }
    }
}
