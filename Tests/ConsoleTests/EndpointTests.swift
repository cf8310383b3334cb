import Testing

@testable import Console

@Suite struct EndpointTests {
    /// A request with what its answer must be.
    struct Row: CustomTestStringConvertible, Sendable {
        var method = "GET"
        var path: String
        var status = 200
        var type: String?
        var body: String?

        var testDescription: String { "\(method) \(path) → \(status)" }
    }

    @Test(arguments: [
        Row(path: "/healthz", type: "text/plain", body: "ok\n"),
        Row(path: "/metrics", type: "text/plain; version=0.0.4; charset=utf-8"),
        Row(path: "/readyz", type: "application/json"),
        Row(path: "/", type: "text/html; charset=utf-8"),
        Row(path: "/leaflet/leaflet.js", type: "text/javascript; charset=utf-8"),
        Row(path: "/leaflet/leaflet.css", type: "text/css; charset=utf-8"),
        Row(
            path: "/api/vehicles", type: "application/geo+json",
            body: #"{"type":"FeatureCollection","features":[]}"#),
        Row(path: "/api/vehicles?x=1", body: #"{"type":"FeatureCollection","features":[]}"#),
        Row(path: "/api/vehicles/truck-7/route", body: #"{"of":"truck-7"}"#),
        Row(path: "/api/vehicles/%C3%A5%20b/route", body: #"{"of":"å b"}"#),
        Row(path: "/api/vehicles/a%252Fb/route", body: #"{"of":"a%2Fb"}"#),
        Row(path: "/api/vehicles/a%2Fb/route", status: 404),
        Row(path: "/api/vehicles/unknown/route", status: 404),
        Row(path: "/api/vehicles/truck-7/proposal", body: #"{"to":"truck-7"}"#),
        Row(path: "/api/vehicles/unknown/proposal", status: 204),
        Row(path: "/api/vehicles/truck-7", status: 404),
        Row(path: "/api/vehicles//route", status: 404),
        Row(path: "/api/vehicles/%00/route", status: 404),
        Row(path: "/api/vehicles/%FF/route", status: 404),
        Row(path: "/api/vehicles/%4/route", status: 404),
        Row(path: "/api/vehicles/a%0Ab/route", status: 404),
        Row(path: "/api/vehicles/truck-7/assign", status: 404),
        Row(path: "/api/places?q=depot&limit=7", body: #"{"limit":7,"q":"depot"}"#),
        Row(
            path: "/api/places?q=a+b%2Fc&bbox=9%2C47%2C10%2C48", body: #"{"limit":500,"q":"a b/c"}"#
        ),
        Row(path: "/api/places?bbox=9,47,10", status: 400),
        Row(path: "/api/places?bbox=9,48,10,47", status: 400),
        Row(path: "/api/places?limit=2001", status: 400),
        Row(path: "/api/places?near=north", status: 400),
        Row(path: "/api/places/depot", type: "application/geo+json"),
        Row(path: "/api/places/nowhere", status: 404),
        Row(path: "/api/places/nowhere/vehicles", status: 404),
        Row(path: "/api/places/depot/hours", status: 404),
        Row(path: "/api/alarms?after=3", body: "{\"last\":0,\"alarms\":[]}\n"),
        Row(path: "/api/alarms?after=x", status: 400),
        Row(path: "/metrics/", status: 404),
        Row(path: "//", status: 404),
        Row(path: "/page/../../../../etc/passwd", status: 404),
        Row(path: "/page/..%2f..%2f..%2fetc/passwd", status: 404),
        Row(path: "/leaflet/../../../../../etc/passwd", status: 404),
        Row(path: "/leaflet/%2e%2e/%2e%2e/etc/passwd", status: 404),
        Row(path: "/leaflet/", status: 404),
        Row(path: "/leaflet/leaflet.css.map", status: 404),
        Row(method: "HEAD", path: "/healthz", type: "text/plain", body: ""),
        Row(method: "HEAD", path: "/api/stream", type: "text/event-stream", body: ""),
        Row(method: "POST", path: "/healthz", status: 405),
        Row(method: "DELETE", path: "/api/vehicles", status: 405),
        Row(method: "GET", path: "/api/vehicles/truck-7/stop", status: 405),
        Row(method: "PUT", path: "/api/vehicles/truck-7/stop", status: 405),
        Row(method: "POST", path: "/nothing", status: 404),
    ])
    func answers(_ row: Row) throws {
        let server = try ConsoleServer(.test, source: FakeSource())
        defer { server.stop() }
        let answer = try Client(port: server.port).request(row.method, row.path)
        #expect(answer.status == row.status)
        if let type = row.type { #expect(answer.headers["content-type"] == type) }
        if let body = row.body { #expect(answer.body == body) }
        if row.status == 405 {
            let allowed = row.path.hasSuffix("/stop") ? "POST" : "GET, HEAD"
            #expect(answer.headers["allow"] == allowed)
        }
    }

    @Test func saysWhichPartIsNotReady() throws {
        let parts = [
            ReadinessPart(part: "broker", ok: true, detail: "connected"),
            ReadinessPart(part: "database", ok: false, detail: "\"db\" refused\n"),
        ]
        let server = try ConsoleServer(.test, source: FakeSource(parts: parts))
        defer { server.stop() }
        let answer = try Client(port: server.port).request("GET", "/readyz")
        #expect(answer.status == 503)
        #expect(
            answer.body == #"{"ready":false,"parts":[{"part":"broker","ok":true,"#
                + #""detail":"connected"},{"part":"database","ok":false,"#
                + #""detail":"\"db\" refused\u000a"}]}"# + "\n")
    }

    @Test func addsItsOwnMetrics() throws {
        let server = try ConsoleServer(.test, source: FakeSource())
        defer { server.stop() }
        let client = try Client(port: server.port)
        _ = try client.request("GET", "/nothing")
        let body = try client.request("GET", "/metrics").body
        #expect(body.hasPrefix("waygate_up 1\n"))
        #expect(body.contains("waygate_http_requests_total{code=\"404\"} 1\n"))
        #expect(body.contains("waygate_http_stream_clients 0\n"))
    }

    @Test func carriesSecurityHeadersOnEveryAnswer() throws {
        var settings = ConsoleSettings.test
        settings.tiles = "https://{s}.tile.example.org:8443/a/{z}/{x}/{y}.png"
        let server = try ConsoleServer(settings, source: FakeSource())
        defer { server.stop() }
        let client = try Client(port: server.port)
        for path in ["/", "/nothing", "/api/vehicles"] {
            let headers = try client.request("GET", path).headers
            let policy = headers["content-security-policy"] ?? ""
            #expect(policy.hasPrefix("default-src 'self'; "))
            #expect(policy.contains("img-src 'self' data: https://*.tile.example.org:8443; "))
            #expect(policy.contains("frame-ancestors 'none'"))
            #expect(headers["x-content-type-options"] == "nosniff")
            #expect(headers["referrer-policy"] == "strict-origin-when-cross-origin")
        }
    }

    @Test(arguments: [
        ("localhost:8088", 200), ("127.0.0.1", 200), ("[::1]:8088", 200), ("10.0.0.1:80", 200),
        ("evil.example", 421), ("evil.example:8088", 421), ("127.0.0.1.evil.example", 421),
        ("", 200),
    ])
    func servesNoStrangersName(host: String, status: Int) throws {
        let server = try ConsoleServer(.test, source: FakeSource())
        defer { server.stop() }
        let answer = try Client(port: server.port)
            .request("GET", "/api/vehicles", headers: ["Host": host])
        #expect(answer.status == status)
    }

    @Test func answersThatACopyStillHolds() throws {
        let server = try ConsoleServer(.test, source: FakeSource())
        defer { server.stop() }
        let client = try Client(port: server.port)
        let first = try client.request("GET", "/")
        let tag = try #require(first.headers["etag"])
        let second = try client.request("GET", "/", headers: ["If-None-Match": tag])
        #expect(second.status == 304)
        #expect(try client.request("GET", "/", headers: ["If-None-Match": "\"x\""]).status == 200)
    }

    @Test func writesTheSettingsIntoThePageEscaped() throws {
        var settings = ConsoleSettings.test
        settings.tiles = "/tiles/{z}/{x}/{y}.png"
        settings.tilesAttribution = "© \"A\" <b> & {{commands}}"
        let server = try ConsoleServer(settings, source: FakeSource())
        defer { server.stop() }
        let page = try Client(port: server.port).request("GET", "/").body
        #expect(page.contains("data-tiles=\"/tiles/{z}/{x}/{y}.png\""))
        #expect(page.contains("© &quot;A&quot; &lt;b&gt; &amp; "))
        #expect(page.contains("data-commands=\"on\""))
    }
}

extension ConsoleSettings {
    /// What tests listen with: any free port, and commands on.
    static let test = ConsoleSettings(listen: "127.0.0.1:0", commandToken: "s3cret")
}
