internal import Routing

/// A server of tiles, asked one at a time.
final class TileServer: TileReader {
    let facts: GroundFacts
    private let client: TileClient

    /// Takes a server; it is connected to when it is first asked.
    ///
    /// - Throws: `misconfigured` when it cannot be asked.
    init(_ service: TileService) throws(GroundError) {
        do throws(PlannerError) {
            client = try TileClient(service, limit: Self.longestTile, timeout: 5)
        } catch {
            throw GroundError(.misconfigured, error.message)
        }
        facts = GroundFacts(zooms: client.zooms)
    }

    func read(_ tile: TileID) throws(GroundError) -> TileData? {
        do throws(PlannerError) {
            let bytes = try client.tile(zoom: tile.zoom, column: tile.column, row: tile.row)
            return bytes.map { TileData($0) }
        } catch {
            throw GroundError(.unreadable, error.message)
        }
    }
}
