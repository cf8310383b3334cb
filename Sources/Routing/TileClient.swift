import CCurl
import Tracking

/// Who serves vector tiles.
package enum TileService: Equatable, Sendable {
    /// An OSRM server, by its `planner.url`: roads from zoom 12 on, with their names.
    case osrm(String)
    /// A Valhalla server, by its `planner.url`: roads from zoom 8 to 14, without names.
    case valhalla(String)
    /// Any server, by a URL with `{z}`, `{x}` and `{y}`.
    case template(String)
}

/// Asks a server for vector tiles, one at a time over a connection that is kept.
///
/// Not `Sendable`: one thread asks.
package final class TileClient {
    /// The zooms that the server has tiles of, as far as is known.
    package let zooms: ClosedRange<Int>
    private let service: TileService
    private let endpoint: Endpoint
    private let loop: HTTPLoop
    private let timeout: Double

    /// Creates a client; it connects when it is first asked.
    ///
    /// - Parameters:
    ///   - limit: A longer tile is cut off and counts as unusable, in bytes.
    ///   - timeout: How long an answer may take, in seconds.
    /// - Throws: `misconfigured` when the service has no URL that can be asked.
    package init(
        _ service: TileService, limit: Int, timeout: Double
    ) throws(PlannerError) {
        self.service = service
        self.timeout = timeout
        switch service {
        case .osrm(let url):
            endpoint = try Endpoint(url: url)
            zooms = 12...17
        case .valhalla(let url):
            endpoint = try Endpoint(url: url)
            zooms = 8...14
        case .template(let url):
            endpoint = try Endpoint(url: url, setting: "http.map")
            zooms = url.contains("/tile/v1/") ? 12...17 : 0...14
        }
        loop = try HTTPLoop(endpoint: endpoint, connections: 1, limit: limit)
    }

    /// Asks for a tile, and waits for the answer; `nil` when the server says that there is none.
    ///
    /// - Throws: `unreachable`, `timeout`, `refused` or `unusable`.
    package func tile(zoom: Int, column: Int, row: Int) throws(PlannerError) -> [UInt8]? {
        let request = HTTPRequest(url: url(zoom: zoom, column: column, row: row))
        _ = try loop.start(request, owner: "tile", timeout: timeout)
        while true {
            if let (_, result) = loop.finished().first {
                let response = try result.get()
                switch response.status {
                case 200: return response.body.isEmpty ? nil : response.body
                // OSRM and Valhalla say 400 to a zoom or a place that they do not serve.
                case 204, 400, 404: return nil
                default:
                    throw PlannerError(
                        .refused, "\(endpoint.origin) answered \(response.status) to a tile")
                }
            }
            loop.wait(milliseconds: 1000, wake: -1)
        }
    }

    private func url(zoom: Int, column: Int, row: Int) -> String {
        switch service {
        case .osrm:
            let path = endpoint.path(for: .driving)
            let base = path.firstRange(of: "/route").map { String(path[..<$0.lowerBound]) } ?? path
            return endpoint.url(path: "\(base)/tile/v1/driving/tile(\(column),\(row),\(zoom)).mvt")
        case .valhalla:
            var path = endpoint.path(for: .driving)
            if path.hasSuffix("/route") { path.removeLast(6) }
            // {"tile":{"z":…,"x":…,"y":…}}, in a URL's writing.
            let tile = "%7B%22z%22:\(zoom),%22x%22:\(column),%22y%22:\(row)%7D"
            return endpoint.url(
                path: "\(path)/tile", parameters: [("json", "%7B%22tile%22:\(tile)%7D")])
        case .template:
            return [("{z}", zoom), ("{x}", column), ("{y}", row)].reduce(
                endpoint.url(path: endpoint.path)
            ) { url, part in
                url.split(separator: part.0, omittingEmptySubsequences: false)
                    .joined(separator: String(part.1))
            }
        }
    }
}
