import Console
import Ground
import Routing
import Telemetry
import Worker

/// Hands the tiles of the setting `http.map` to the live map.
struct GroundBridge: ConsoleGround {
    private let ground: Ground

    /// Opens what the settings name.
    ///
    /// - Throws: `GroundError` when it cannot be read.
    init(_ source: GroundSource) throws(GroundError) {
        ground = try Ground(source)
    }

    func describe() -> [UInt8] {
        let facts = ground.facts
        var json = JSONWriter()
        json.object { json in
            json.member("minzoom", facts.zooms.lowerBound)
            json.member("maxzoom", facts.zooms.upperBound)
            if let bounds = facts.bounds {
                json.key("bounds")
                json.array { json in for degrees in bounds { json.number(degrees) } }
            }
            if let attribution = facts.attribution { json.member("attribution", attribution) }
        }
        return Array(json.text.utf8)
    }

    func load(_ tile: GroundTile, then: @escaping @Sendable (GroundContent) -> Void) {
        let id = TileID(zoom: tile.zoom, column: tile.column, row: tile.row)
        ground.load(id) { content in
            switch content {
            case .tile(let data): then(.tile(data.bytes, isCompressed: data.isPacked))
            case .nothing: then(.nothing)
            case .missing: then(.missing)
            }
        }
    }

    /// Ends the threads.
    func stop() { ground.stop() }
}

extension GroundSource {
    /// Returns what the settings name; `nil` without `http.map`.
    ///
    /// - Throws: `GroundError` when they name a planner that serves no tiles.
    static func from(_ configuration: Configuration) throws(GroundError) -> GroundSource? {
        guard let map = configuration.http.map else { return nil }
        let url = configuration.planner.url ?? ""
        let planner: TileService? =
            switch configuration.planner.kind {
            case .osrm: .osrm(url)
            case .valhalla: .valhalla(url)
            case .outside, .none: nil
            }
        return try GroundSource(map, planner: planner)
    }
}
