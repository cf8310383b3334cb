import Synchronization
import Testing

@testable import Console

/// A ground that gives each tile away only when told to.
private final class SlowGround: ConsoleGround {
    typealias Answer = @Sendable (GroundContent) -> Void

    private let asked = Mutex<[(tile: GroundTile, then: Answer)]>([])

    var waiting: Int { asked.withLock { $0.count } }

    func describe() -> [UInt8] { Array(#"{"minzoom":3,"maxzoom":14}"#.utf8) }

    func load(_ tile: GroundTile, then: @escaping Answer) {
        asked.withLock { $0.append((tile, then)) }
    }

    /// Answers all that wait.
    func answer(_ content: GroundContent) {
        let all = asked.withLock { asked in
            defer { asked = [] }
            return asked
        }
        for (_, then) in all { then(content) }
    }
}

@Suite(.timeLimit(.minutes(5))) struct GroundEndpointTests {
    @Test func othersAreServedWhileATileIsWaitedFor() throws {
        let ground = SlowGround()
        let server = try ConsoleServer(.test, source: FakeSource(), ground: ground)
        defer { server.stop() }
        let (slow, quick) = (try Client(port: server.port), try Client(port: server.port))
        slow.write("GET /api/ground/12/2156/1438 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        while ground.waiting == 0 { #expect(try quick.request("GET", "/healthz").status == 200) }
        ground.answer(.tile(Array("roads".utf8), isCompressed: false))
        let answer = try slow.readAnswer()
        #expect(answer.status == 200 && answer.body == "roads")
        #expect(answer.headers["content-type"] == "application/vnd.mapbox-vector-tile")
        #expect(answer.headers["cache-control"] == "max-age=600")
        #expect(answer.headers["content-security-policy"]?.contains("default-src 'self'") == true)
        // The connection goes on.
        #expect(try slow.request("GET", "/api/ground").body.contains("maxzoom"))
    }

    @Test(arguments: [
        (GroundContent.nothing, 204, "max-age=600"), (.missing, 204, "no-store"),
        (.tile([1], isCompressed: true), 200, "max-age=600"),
    ])
    func anEmptyGroundIsNoError(_ content: GroundContent, _ status: Int, _ caching: String) throws {
        let ground = SlowGround()
        let server = try ConsoleServer(.test, source: FakeSource(), ground: ground)
        defer { server.stop() }
        let client = try Client(port: server.port)
        client.write("GET /api/ground/0/0/0 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        while ground.waiting == 0 {}
        ground.answer(content)
        let answer = try client.readAnswer()
        #expect(answer.status == status)
        #expect(answer.headers["cache-control"] == caching)
        #expect(answer.headers["content-encoding"] == (status == 200 ? "gzip" : nil))
    }

    @Test(arguments: [
        "12/2156/1438.mvt", "12/2156", "12/2156/1438/1", "../../../etc/passwd", "12/..%2F2156/1438",
        "12/-1/0", "12/4096/0", "23/0/0", "0x1/0/0", "1/٢/0", "1/+1/0", "999999999999999999999/0/0",
    ])
    func thereIsNoSuchTile(_ path: String) throws {
        let ground = SlowGround()
        let server = try ConsoleServer(.test, source: FakeSource(), ground: ground)
        defer { server.stop() }
        let client = try Client(port: server.port)
        #expect(try client.request("GET", "/api/ground/\(path)").status == 404)
        #expect(ground.waiting == 0)
    }

    @Test func withoutAGroundThereIsNone() throws {
        let server = try ConsoleServer(.test, source: FakeSource())
        defer { server.stop() }
        let client = try Client(port: server.port)
        #expect(try client.request("GET", "/api/ground").status == 404)
        #expect(try client.request("GET", "/api/ground/0/0/0").status == 404)
        #expect(try client.request("GET", "/").body.contains("data-ground=\"off\""))
    }

    @Test func stopsWhileTilesAreWaitedFor() throws {
        let ground = SlowGround()
        let server = try ConsoleServer(.test, source: FakeSource(), ground: ground)
        let clients = try (0..<20).map { _ in try Client(port: server.port) }
        for client in clients {
            client.write("GET /api/ground/0/0/0 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        }
        while ground.waiting < 20 {}
        server.stop()
        // Too late, and nobody is harmed.
        ground.answer(.nothing)
    }

    @Test func clientsThatGoAwayAreForgotten() throws {
        let ground = SlowGround()
        let server = try ConsoleServer(.test, source: FakeSource(), ground: ground)
        defer {
            server.stop()
            // What came late: an answer that is never given keeps the server.
            ground.answer(.nothing)
        }
        for _ in 0..<20 {
            let client = try Client(port: server.port)
            client.write("GET /api/ground/0/0/0 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            while ground.waiting == 0 {}
            if Bool.random() { ground.answer(.nothing) }
        }
        ground.answer(.nothing)
        #expect(try Client(port: server.port).request("GET", "/healthz").status == 200)
    }
}
