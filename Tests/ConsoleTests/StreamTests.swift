import Testing

@testable import Console

@Suite(.timeLimit(.minutes(5))) struct StreamTests {
    /// Opens the stream, and returns once it is answered.
    private func open(
        _ server: ConsoleServer, path: String = "/api/stream", lastEventID: String? = nil,
        receiveBuffer: Int32? = nil
    ) throws -> Client {
        let client = try Client(port: server.port, receiveBuffer: receiveBuffer)
        let resume = lastEventID.map { "Last-Event-ID: \($0)\r\n" } ?? ""
        client.write("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(resume)\r\n")
        let head = try client.readHead()
        guard head.status == 200 else { throw Refused(status: head.status) }
        #expect(head.headers["content-type"] == "text/event-stream")
        return client
    }

    private struct Refused: Error { var status: Int }

    private func ids(_ text: String) -> [UInt64] {
        text.split(separator: "\n").filter { $0.hasPrefix("id: ") }
            .compactMap { UInt64($0.dropFirst(4)) }
    }

    private func event(_ vehicleID: String, _ json: String) -> StreamEvent {
        StreamEvent(kind: .event, subjectID: vehicleID, json: Array(json.utf8))
    }

    private func progress(_ vehicleID: String, _ json: String) -> StreamEvent {
        StreamEvent(kind: .progress, subjectID: vehicleID, json: Array(json.utf8))
    }

    @Test func tellsProgressAndEventsAsTheyCome() throws {
        let server = try ConsoleServer(.test, source: FakeSource())
        defer { server.stop() }
        let client = try open(server)
        server.broadcast(progress("a", #"{"n":1}"#))
        server.broadcast(event("a", "{\n\"n\":2}"))
        let text = try #require(try client.readChunks { $0.contains("\"n\":2") })
        #expect(text.contains("event: progress\nid: "))
        #expect(text.contains("\ndata: {\"n\":1}\n\n"))
        #expect(text.contains("event: event\nid: "))
        #expect(text.contains("\ndata: { \"n\":2}\n\n"))
        let numbers = ids(text)
        #expect(numbers == numbers.sorted() && Set(numbers).count == 2)
    }

    @Test func resumesAfterTheLastEventSeen() throws {
        let server = try ConsoleServer(.test, source: FakeSource())
        defer { server.stop() }
        var client = try open(server)
        for n in 1...3 { server.broadcast(event("a", "{\"n\":\(n)}")) }
        let text = try #require(try client.readChunks { $0.contains("\"n\":3") })
        client = try open(server, lastEventID: String(ids(text)[0]))
        let rest = try #require(try client.readChunks { $0.contains("\"n\":3") })
        #expect(!rest.contains("reset") && !rest.contains("\"n\":1") && rest.contains("\"n\":2"))
    }

    @Test(arguments: ["1", "9000000000000000", "x", "-1", "184467440737095516150"])
    func tellsAClientOfAnotherTimeToStartAnew(lastEventID: String) throws {
        let server = try ConsoleServer(.test, source: FakeSource())
        defer { server.stop() }
        server.broadcast(event("a", "{\"n\":1}"))
        let client = try Client(port: server.port)
        client.write(
            "GET /api/stream HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: \(lastEventID)\r\n\r\n")
        _ = try client.readHead()
        let text = try #require(try client.readChunks { $0.contains("data: {}\n\n") })
        #expect(text.contains("event: reset\nid: "))
        server.broadcast(event("a", "{\"n\":2}"))
        let rest = try #require(try client.readChunks { $0.contains("\"n\":2") })
        #expect(!rest.contains("\"n\":1"))
    }

    @Test func beginsWithTheLatestEventsWhereAsked() throws {
        let server = try ConsoleServer(.test, source: FakeSource())
        defer { server.stop() }
        for n in 1...5 { server.broadcast(event("a", "{\"n\":\(n)}")) }
        let client = try open(server, path: "/api/stream?events=2")
        let text = try #require(try client.readChunks { $0.contains("\"n\":5") })
        #expect(!text.contains("\"n\":3") && text.contains("\"n\":4"))
    }

    @Test func dropsAClientThatFallsBehind() throws {
        var settings = ConsoleSettings.test
        settings.limits.streamBytes = 1 << 20
        settings.limits.idleSeconds = 300
        let server = try ConsoleServer(settings, source: FakeSource())
        defer { server.stop() }
        let slow = try open(server, receiveBuffer: 4096)
        let text = String(repeating: "x", count: 1000)
        for n in 0..<20_000 { server.broadcast(event("a", "{\"n\":\(n),\"text\":\"\(text)\"}")) }
        #expect(slow.isClosedByServer())
        let metrics = try Client(port: server.port).request("GET", "/metrics").body
        #expect(metrics.contains("turned_away_total{reason=\"slow\"} 1\n"))
    }

    @Test func cutsAClientThatDoesNotRead() throws {
        var settings = ConsoleSettings.test
        settings.limits.idleSeconds = 1
        let server = try ConsoleServer(settings, source: FakeSource())
        defer { server.stop() }
        let stuck = try open(server, receiveBuffer: 4096)
        let text = String(repeating: "x", count: 1000)
        for n in 0..<4_000 { server.broadcast(event("a", "{\"n\":\(n),\"text\":\"\(text)\"}")) }
        let other = try Client(port: server.port)
        var clients = ""
        while !clients.contains("waygate_http_stream_clients 0\n") {
            clients = try other.request("GET", "/metrics").body
        }
        withExtendedLifetime(stuck) {}
    }

    @Test func sendsWhatDoesNotFitInOneBuffer() throws {
        let server = try ConsoleServer(.test, source: FakeSource())
        defer { server.stop() }
        let client = try open(server)
        let long = String(repeating: "y", count: 300_000)
        server.broadcast(event("a", "{\"text\":\"\(long)\"}"))
        server.broadcast(event("a", "{\"n\":2}"))
        let text = try #require(try client.readChunks { $0.hasSuffix("{\"n\":2}\n\n") })
        #expect(text.contains("{\"text\":\"\(long)\"}\n\nevent: event\n"))
    }

    @Test func showsThatItIsAliveWhenNothingHappens() throws {
        var settings = ConsoleSettings.test
        settings.limits.keepAliveSeconds = 0.3
        settings.limits.idleSeconds = 1
        let server = try ConsoleServer(settings, source: FakeSource())
        defer { server.stop() }
        let client = try open(server)
        let text = try #require(try client.readChunks { $0.utf8.count >= 28 })
        #expect(text == "retry: 2000\n\n" + String(repeating: ":\n\n", count: 5))
    }

    @Test func outlivesTheLimitOfOtherRequests() throws {
        var settings = ConsoleSettings.test
        settings.limits.exchangeSeconds = 1
        let server = try ConsoleServer(settings, source: FakeSource())
        defer { server.stop() }
        let client = try open(server)
        let start = ContinuousClock.now
        var n = 0
        while ContinuousClock.now - start < .seconds(2) {
            n += 1
            server.broadcast(event("a", "{\"n\":\(n)}"))
            #expect(try client.readChunks { $0.contains("{\"n\":\(n)}") } != nil)
        }
    }

    @Test func turnsAwayTooManyClients() throws {
        var settings = ConsoleSettings.test
        settings.limits.streams = 2
        let server = try ConsoleServer(settings, source: FakeSource())
        defer { server.stop() }
        let clients = [try open(server), try open(server)]
        let error = #expect(throws: Refused.self) { try open(server) }
        #expect(error?.status == 503)
        withExtendedLifetime(clients) {}
    }

    @Test func endsItsClientsWhenItStops() throws {
        let server = try ConsoleServer(.test, source: FakeSource())
        let clients = try (0..<10).map { _ in try open(server) }
        server.stop()
        for client in clients { #expect(client.isClosedByServer()) }
        #expect(throws: Client.Failure.self) { try Client(port: server.port) }
        server.stop()
    }

    @Test func survivesClientsThatComeAndGo() async throws {
        let server = try ConsoleServer(.test, source: FakeSource())
        defer { server.stop() }
        try await withThrowingTaskGroup { group in
            group.addTask {
                for n in 0..<20_000 { server.broadcast(progress("v\(n % 500)", "{\"n\":\(n)}")) }
            }
            for _ in 0..<4 {
                group.addTask { for _ in 0..<25 { _ = try open(server) } }
            }
            try await group.waitForAll()
        }
        let metrics = try Client(port: server.port).request("GET", "/metrics").body
        #expect(metrics.contains("waygate_http_requests_total{code=\"200\"} 100\n"))
    }
}
