import Testing

@testable import Console

@Suite struct LimitTests {
    private static let head = """
        POST /api/vehicles/truck-7/stop HTTP/1.1\r
        Host: 127.0.0.1\r
        Authorization: Bearer s3cret\r

        """

    @Test(arguments: [(65_536, 202), (65_537, 413), (1 << 20, 413)])
    func boundsABodyOfKnownLength(bytes: Int, status: Int) throws {
        let source = FakeSource()
        let server = try ConsoleServer(.test, source: source)
        defer { server.stop() }
        let client = try Client(port: server.port)
        // A refused length is answered before the body: none of it need be sent.
        let body = status == 202 ? String(repeating: " ", count: bytes) : ""
        client.write(Self.head + "Content-Length: \(bytes)\r\n\r\n" + body)
        #expect(try client.readAnswer().status == status)
        #expect(source.commands.count == (status == 202 ? 1 : 0))
    }

    @Test func boundsABodyOfUnknownLength() throws {
        let source = FakeSource()
        let server = try ConsoleServer(.test, source: source)
        defer { server.stop() }
        let client = try Client(port: server.port)
        let piece = String(repeating: "x", count: 4096)
        client.write(Self.head + "Transfer-Encoding: chunked\r\n\r\n")
        for _ in 0..<20 { client.write("1000\r\n\(piece)\r\n") }
        client.write("0\r\n\r\n")
        #expect(try client.readAnswer().status == 413)
        #expect(source.commands.isEmpty)
    }

    @Test func boundsTheHeaders() throws {
        let server = try ConsoleServer(.test, source: FakeSource())
        defer { server.stop() }
        let client = try Client(port: server.port)
        let long = String(repeating: "x", count: 70_000)
        client.write("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: \(long)\r\n\r\n")
        #expect(try client.readHead().status == 431)
    }

    @Test func cutsASilentConnection() throws {
        var settings = ConsoleSettings.test
        settings.limits.idleSeconds = 1
        let server = try ConsoleServer(settings, source: FakeSource())
        defer { server.stop() }
        let client = try Client(port: server.port)
        client.write("GET /healthz HT")
        #expect(client.isClosedByServer())
    }

    @Test func cutsARequestThatTrickles() throws {
        var settings = ConsoleSettings.test
        settings.limits.exchangeSeconds = 1
        let server = try ConsoleServer(settings, source: FakeSource())
        defer { server.stop() }
        let client = try Client(port: server.port, seconds: 1)
        client.write("GET /healthz HTTP/1.1\r\n")
        var isCut = false
        for _ in 0..<50 where !isCut {
            client.write("X: y\r\n")
            isCut = client.isClosedByServer()
        }
        #expect(isCut)
    }

    @Test func takesAnyNumberOfRequestsOneAfterAnother() throws {
        var settings = ConsoleSettings.test
        settings.limits.exchangeSeconds = 1
        let server = try ConsoleServer(settings, source: FakeSource())
        defer { server.stop() }
        let client = try Client(port: server.port)
        let start = ContinuousClock.now
        while ContinuousClock.now - start < .seconds(2) {
            #expect(try client.request("GET", "/healthz").status == 200)
        }
    }

    @Test func keepsFurtherConnectionsWaiting() throws {
        var settings = ConsoleSettings.test
        settings.limits.connections = 2
        let server = try ConsoleServer(settings, source: FakeSource())
        defer { server.stop() }
        var held = [try Client(port: server.port), try Client(port: server.port)]
        for client in held { #expect(try client.request("GET", "/healthz").status == 200) }
        let third = try Client(port: server.port, seconds: 1)
        #expect(throws: Client.Failure.self) { try third.request("GET", "/healthz") }
        held.removeAll()
        #expect(try third.readAnswer().status == 200)
    }

    @Test func survivesWhatIsNotHTTP() throws {
        let server = try ConsoleServer(.test, source: FakeSource())
        defer { server.stop() }
        var random = SystemRandomNumberGenerator()
        let beginnings = [
            "", "GET ", "GET / HTTP/1.1\r\n", "POST /api/vehicles/a/stop HTTP/1.1\r\n",
        ]
        for beginning in beginnings {
            for _ in 0..<20 {
                let noise = (0..<500).map { _ in UInt8.random(in: 0...255, using: &random) }
                let client = try Client(port: server.port)
                client.write(beginning + String(decoding: noise, as: UTF8.self) + "\r\n\r\n")
            }
        }
        #expect(try Client(port: server.port).request("GET", "/healthz").status == 200)
    }

    @Test(arguments: [
        "", "8088", "127.0.0.1", "127.0.0.1:", "127.0.0.1:70000", "::1:8088", ":8088",
        "[]:80", "127.0.0.1:-1",
    ])
    func namesABadAddress(_ text: String) throws {
        let error = #expect(throws: ConsoleError.self) {
            try ConsoleServer(ConsoleSettings(listen: text), source: FakeSource())
        }
        #expect(error?.reason == .invalidSetting)
        #expect(error?.message.hasPrefix("http.listen: \"\(text)\" is not") == true)
    }

    @Test func namesATakenAddress() throws {
        let server = try ConsoleServer(.test, source: FakeSource())
        defer { server.stop() }
        let settings = ConsoleSettings(listen: "127.0.0.1:\(server.port)")
        let error = #expect(throws: ConsoleError.self) {
            try ConsoleServer(settings, source: FakeSource())
        }
        #expect(error?.reason == .cannotListen)
        #expect(error?.message.contains("Address already in use") == true)
    }

    @Test(arguments: ["tile.example.org", "https://t.example/{z}/{x}.png", "ftp://t/{z}/{x}/{y}"])
    func namesABadTileServer(_ tiles: String) throws {
        let error = #expect(throws: ConsoleError.self) {
            try ConsoleServer(
                ConsoleSettings(listen: "127.0.0.1:0", tiles: tiles), source: FakeSource())
        }
        #expect(error?.message.hasPrefix("http.tiles: \"\(tiles)\" is not") == true)
    }
}
