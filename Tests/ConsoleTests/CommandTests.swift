import Testing

@testable import Console

@Suite struct CommandTests {
    /// A command request with what its answer must be.
    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var headers: [String: String]
        var status: Int
    }

    private static let bearer = ["Authorization": "Bearer s3cret"]

    @Test(arguments: [
        Row(testDescription: "the token alone is enough for a program", headers: [:], status: 202),
        Row(
            testDescription: "the scheme's name is in any case",
            headers: ["Authorization": "bearer s3cret"], status: 202),
        Row(testDescription: "no token", headers: ["Authorization": ""], status: 401),
        Row(
            testDescription: "a wrong token", headers: ["Authorization": "Bearer s3creT"],
            status: 401),
        Row(
            testDescription: "the beginning of the token",
            headers: ["Authorization": "Bearer s3cre"], status: 401),
        Row(
            testDescription: "the token and more", headers: ["Authorization": "Bearer s3crets"],
            status: 401),
        Row(
            testDescription: "another scheme", headers: ["Authorization": "Basic s3cret"],
            status: 401),
        Row(
            testDescription: "the page's own header, behind a proxy with passwords",
            headers: ["Authorization": "Basic b3BzOmE=", "X-Waygate-Token": "s3cret"], status: 202),
        Row(
            testDescription: "a wrong token in the page's own header",
            headers: ["X-Waygate-Token": "s3creT"], status: 401),
        Row(
            testDescription: "the console's page", headers: ["Sec-Fetch-Site": "same-origin"],
            status: 202),
        Row(
            testDescription: "another site's page", headers: ["Sec-Fetch-Site": "cross-site"],
            status: 403),
        Row(
            testDescription: "a page of a neighbour", headers: ["Sec-Fetch-Site": "same-site"],
            status: 403),
        Row(
            testDescription: "an older browser on the page",
            headers: ["Origin": "http://127.0.0.1:8088", "Host": "127.0.0.1:8088"], status: 202),
        Row(
            testDescription: "an older browser elsewhere",
            headers: ["Origin": "http://127.0.0.1:8089", "Host": "127.0.0.1:8088"], status: 403),
        Row(
            testDescription: "plain HTTP behind a proxy that passes the host on",
            headers: [
                "Origin": "http://map.example.test", "Host": "127.0.0.1:8088",
                "X-Forwarded-Host": "map.example.test",
            ], status: 202),
        Row(
            testDescription: "two proxies, of which the first one says what it was asked for",
            headers: [
                "Origin": "http://map.example.test:81", "Host": "127.0.0.1:8088",
                "X-Forwarded-Host": "map.example.test:81 , inner",
            ], status: 202),
        Row(
            testDescription: "another site's page through the proxy",
            headers: [
                "Origin": "http://other.example.test", "Host": "127.0.0.1:8088",
                "X-Forwarded-Host": "map.example.test",
            ], status: 403),
        Row(
            testDescription: "another site's page that says so, whatever the hosts",
            headers: [
                "Origin": "http://map.example.test", "X-Forwarded-Host": "map.example.test",
                "Sec-Fetch-Site": "cross-site",
            ], status: 403),
        Row(
            testDescription: "a page without an origin", headers: ["Origin": "null"], status: 403),
    ])
    func letsThroughWhoMay(_ row: Row) throws {
        let source = FakeSource()
        let server = try ConsoleServer(.test, source: source)
        defer { server.stop() }
        let answer = try Client(port: server.port).request(
            "POST", "/api/vehicles/truck-7/proceed",
            headers: Self.bearer.merging(row.headers) { $1 }, body: #"{"waypoint_index":1}"#)
        #expect(answer.status == row.status)
        #expect(source.commands.count == (row.status == 202 ? 1 : 0))
        if row.status == 401 { #expect(answer.headers["www-authenticate"] != nil) }
    }

    @Test func saysWhichProxySettingHidesThePage() throws {
        let source = FakeSource()
        let server = try ConsoleServer(.test, source: source)
        defer { server.stop() }
        let answer = try Client(port: server.port).request(
            "POST", "/api/vehicles/van-7/proceed",
            headers: Self.bearer.merging([
                "Origin": "http://map.example.test", "Host": "127.0.0.1:8088",
            ]) { $1 })
        #expect(answer.status == 403)
        for part in [
            "the page is at 'map.example.test'", "came for '127.0.0.1:8088'",
            "proxy_set_header X-Forwarded-Host $http_host",
        ] {
            #expect(answer.body.contains(part))
        }
        try #require(source.refusals.count == 1)
        #expect(source.refusals[0].contains("'map.example.test'"))
    }

    @Test(arguments: ["proceed", "skip", "reroute", "stop"])
    func passesOn(_ name: String) throws {
        let source = FakeSource()
        let server = try ConsoleServer(.test, source: source)
        defer { server.stop() }
        let client = try Client(port: server.port)
        let body = #"{"waypoint_index":1}"#
        let answer = try client.request(
            "POST", "/api/vehicles/%C3%A5%20b/\(name)", headers: Self.bearer, body: body)
        #expect(answer.status == 202)
        #expect(answer.body == "{\"command_id\":\"c-1\"}\n")
        _ = try client.request("POST", "/api/vehicles/a/\(name)", headers: Self.bearer, body: "")
        #expect(
            source.commands == [
                FakeSource.Command(name: name, vehicleID: "å b", body: body),
                FakeSource.Command(name: name, vehicleID: "a", body: ""),
            ])
    }

    @Test(arguments: [nil, ""])
    func isOffWithoutAToken(_ token: String?) throws {
        var settings = ConsoleSettings.test
        settings.commandToken = token
        let server = try ConsoleServer(settings, source: FakeSource())
        defer { server.stop() }
        let answer = try Client(port: server.port).request(
            "POST", "/api/vehicles/truck-7/proceed", headers: ["Authorization": "Bearer "])
        #expect(answer.status == 403)
        #expect(answer.body.contains("http.command_token"))
    }

    @Test(arguments: [
        (CommandReceipt.malformed("not an object at byte 0"), 400),
        (CommandReceipt.unavailable("the broker is away"), 503),
    ])
    func saysWhyNot(_ receipt: CommandReceipt, status: Int) throws {
        let server = try ConsoleServer(.test, source: FakeSource(receipt: receipt))
        defer { server.stop() }
        let answer = try Client(port: server.port).request(
            "POST", "/api/vehicles/truck-7/stop", headers: Self.bearer, body: "[]")
        #expect(answer.status == status)
        #expect(
            answer.body.contains("not an object at byte 0")
                || answer.body.contains("the broker is away"))
    }

    @Test func refusesAVehicleThatNoTopicCanName() throws {
        let source = FakeSource()
        let server = try ConsoleServer(.test, source: source)
        defer { server.stop() }
        let client = try Client(port: server.port)
        let long = String(repeating: "x", count: 129)
        for id in ["a%2Fb", "%2B", "%23", "a%0D%0Ab", "%C2%85", long] {
            let answer = try client.request(
                "POST", "/api/vehicles/\(id)/stop", headers: Self.bearer, body: "")
            #expect(answer.status == 404)
        }
        #expect(source.commands.isEmpty)
    }
}
