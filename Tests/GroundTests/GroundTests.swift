import Foundation
import Routing
import Synchronization
import TestServers
import Testing

@testable import Ground

private let fixtures = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../Fixtures/ground").standardized.path

extension Ground {
    /// Loads a tile and waits for it.
    fileprivate func content(of tile: TileID) async -> GroundTileContent {
        await withCheckedContinuation { continuation in
            load(tile) { continuation.resume(returning: $0) }
        }
    }
}

/// The tile of Vaduz.
private let vaduz = TileID(zoom: 12, column: 2156, row: 1438)

@Suite(.timeLimit(.minutes(5))) struct GroundTests {
    @Test func readsAFolder() async throws {
        let ground = try Ground(GroundSource("\(fixtures)/folder", planner: nil))
        defer { ground.stop() }
        #expect(ground.facts.zooms == 12...13)
        #expect(await ground.content(of: vaduz) == .tile(TileData(Array("plain".utf8))))
        let packed = await ground.content(of: TileID(zoom: 13, column: 4312, row: 2876))
        guard case .tile(let data) = packed else {
            Issue.record("\(packed)")
            return
        }
        #expect(data.isPacked)
        #expect(await ground.content(of: TileID(zoom: 12, column: 0, row: 0)) == .nothing)
        #expect(await ground.content(of: TileID(zoom: 3, column: 0, row: 0)) == .nothing)
    }

    @Test(arguments: ["/nowhere", "/nowhere.pmtiles", "\(fixtures)/zeros.gz", fixtures])
    func refusesWhatHoldsNoTiles(_ path: String) {
        let error = #expect(throws: GroundError.self) {
            try Ground(GroundSource(path, planner: nil))
        }
        #expect(error?.message.contains(path) == true)
    }

    @Test func needsAPlannerThatServesTiles() {
        #expect(throws: GroundError.self) { try GroundSource("planner", planner: nil) }
        #expect(throws: Never.self) { try GroundSource("planner", planner: .osrm("http://h:1")) }
    }

    @Test(arguments: [
        (GroundSource.server(.osrm("URL/")), "/tile/v1/driving/tile(2156,1438,12).mvt"),
        (
            .server(.osrm("URL/osrm/route/v1/{profile}?k=1")),
            "/osrm/tile/v1/driving/tile(2156,1438,12).mvt?k=1"
        ),
        (
            .server(.valhalla("URL/route")),
            "/tile?json=%7B%22tile%22:%7B%22z%22:12,%22x%22:2156,%22y%22:1438%7D%7D"
        ),
        (.server(.template("URL/t/{z}/{x}/{y}.pbf?a={z}")), "/t/12/2156/1438.pbf?a=12"),
    ])
    func asksAServerInItsOwnWay(_ source: GroundSource, _ target: String) async throws {
        let server = try FakeEngine { _ in .json("roads") }
        let ground = try Ground(source.at(server.url))
        defer { ground.stop() }
        #expect(await ground.content(of: vaduz) == .tile(TileData(Array("roads".utf8))))
        #expect(server.requests.map(\.target) == [target])
    }

    @Test func asksOnceForATileThatManyWant() async throws {
        let server = try FakeEngine { _ in .json("roads") }
        let ground = try Ground(.server(.osrm(server.url)))
        defer { ground.stop() }
        await withTaskGroup { group in
            for _ in 0..<50 { group.addTask { await ground.content(of: vaduz) } }
            for await content in group { #expect(content == .tile(TileData(Array("roads".utf8)))) }
        }
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [
        FakeReply.json("{}", status: 503), .hangUp, .raw("nonsense"), .half("ro"), .endless,
    ])
    func leavesTheGroundEmptyWhereAServerFails(_ reply: FakeReply) async throws {
        let server = try FakeEngine { _ in reply }
        let ground = try Ground(.server(.osrm(server.url)))
        defer { ground.stop() }
        #expect(await ground.content(of: vaduz) == .missing)
        // And it is left alone for a while: a machine that is busy may let that pass once.
        for row in 1...8 {
            #expect(await ground.content(of: TileID(zoom: 12, column: 1, row: row)) == .missing)
        }
        #expect(server.requests.count < 5)
    }

    @Test(arguments: [400, 404, 204])
    func takesAServersNoForAnEmptyGround(_ status: Int) async throws {
        let server = try FakeEngine { _ in .json("{}", status: status) }
        let ground = try Ground(.server(.osrm(server.url)))
        defer { ground.stop() }
        #expect(await ground.content(of: vaduz) == .nothing)
        #expect(await ground.content(of: vaduz) == .nothing)
        #expect(server.requests.count == 1)
    }

    @Test func keepsABoundedQueueAndLeavesNobodyWaiting() async throws {
        let server = try FakeEngine { _ in .silence }
        var limits = Ground.Limits()
        limits.readers = 2
        limits.waiting = 10
        let ground = try Ground(.server(.osrm(server.url)), limits: limits)
        let answers = Mutex<[GroundTileContent]>([])
        for column in 0..<100 {
            ground.load(TileID(zoom: 12, column: column, row: 0)) { content in
                answers.withLock { $0.append(content) }
            }
        }
        // Two are being asked for at most, and ten wait.
        #expect(answers.withLock { $0.count } >= 88)
        ground.stop()
        #expect(answers.withLock { $0.count } == 100)
        #expect(answers.withLock { $0.allSatisfy { $0 == .missing } })
    }
}

@Suite struct TileCacheTests {
    @Test func keepsWhatWasAskedForLast() {
        var cache = TileCache(limit: 10_000, lifetime: .seconds(60))
        let now = ContinuousClock.now
        let tile = { TileID(zoom: 12, column: $0, row: 0) }
        let content = GroundTileContent.tile(TileData([UInt8](repeating: 1, count: 800)))
        for column in 0..<100 {
            cache.keep(content, of: tile(column), at: now)
            #expect(cache.content(of: tile(0), at: now) == content)
            #expect(cache.bytes <= 10_000)
        }
        #expect(cache.content(of: tile(50), at: now) == nil)
        #expect(cache.content(of: tile(99), at: now) == content)
        #expect(cache.content(of: tile(99), at: now + .seconds(61)) == nil)
    }
}

extension GroundSource {
    /// The same with `URL` standing for a server's.
    fileprivate func at(_ url: String) -> GroundSource {
        let filled = { (text: String) in text.replacing("URL", with: url) }
        switch self {
        case .server(.osrm(let text)): return .server(.osrm(filled(text)))
        case .server(.valhalla(let text)): return .server(.valhalla(filled(text)))
        case .server(.template(let text)): return .server(.template(filled(text)))
        case .folder, .archive: return self
        }
    }
}
