import Geometry
import Testing
import Tracking

@testable import Routing

@Suite struct AnswerTests {
    private let query = RouteQuery(points: [start, via, via, end], profile: .driving)

    private func read(
        _ body: [UInt8], status: Int = 200, by engine: any RoutingEngine.Type = OSRM.self,
        for query: RouteQuery? = nil
    ) throws(PlannerError) -> ProvidedRoute {
        let response = HTTPResponse(status: status, body: body)
        return try AnswerReader(engine: engine).routes(in: response, for: query ?? self.query)[0]
    }

    @Test(arguments: ["osrm.json", "osrm-geojson.json"])
    func readsOSRM(_ name: String) throws {
        let route = try read(fixture(name))
        #expect(route.coordinates.count == 162)
        #expect(route.coordinates[0] == Coordinate(latitude: 47.140923, longitude: 9.520866))
        #expect(route.coordinates[161] == Coordinate(latitude: 47.162094, longitude: 9.522175))
        #expect(route.legEnds == [51, 52])
        #expect(route.coordinates[51] == Coordinate(latitude: 47.149883, longitude: 9.520946))
        #expect(route.duration == 689.8)
        #expect(route.segmentDurations.count == 161)
        // A leg's annotations leave out its turns, the leg's own time does not.
        #expect(abs(route.segmentDurations[..<51].reduce(0, +) - 197.4) < 1e-6)
        #expect(route.segmentDurations[51] == 0)
        #expect(abs(route.segmentDurations[52...].reduce(0, +) - 492.4) < 1e-6)
    }

    @Test func readsValhalla() throws {
        let route = try read(fixture("valhalla.json"), by: Valhalla.self)
        #expect(route.coordinates[0] == Coordinate(latitude: 47.140923, longitude: 9.520866))
        #expect(route.coordinates.count == 157)
        #expect(route.legEnds == [55, 56])
        #expect(route.coordinates[55] == Coordinate(latitude: 47.149883, longitude: 9.520946))
        #expect(route.duration == 532.985)
        #expect(route.segmentDurations.count == 156)
        #expect(abs(route.segmentDurations.reduce(0, +) - 532.985) < 0.01)
        #expect(route.segmentDurations.allSatisfy { $0 >= 0 })
        #expect(route.speedLimits.count == 156)
        #expect(route.speedLimits.filter { $0 > 0 }.count == 19)
        #expect(Set(route.speedLimits) == [0, 30 / 3.6, 50 / 3.6])
    }

    @Test("Speed limits are read in both units, and are unknown where there is none")
    func readsSpeedLimits() throws {
        let query = RouteQuery(points: [start, end], profile: .driving)
        func limits(_ limits: String) throws -> [Double] {
            let body =
                #"{"code":"Ok","routes":[{"geometry":"gfv~Gspby@??wuBcL","duration":9,"legs":["#
                + #"{"annotation":{"duration":[1,1],"maxspeed":\#(limits)}}]}]}"#
            return try read(Array(body.utf8), by: Valhalla.self, for: query).speedLimits
        }
        #expect(
            try limits(#"[{"speed":90,"unit":"km/h"},{"speed":50,"unit":"mph"}]"#) == [25, 22.352])
        #expect(try limits(#"[{"none":true},{"speed":36,"unit":"km/h"}]"#) == [0, 10])
        #expect(try limits(#"[{"unknown":true},{"speed":5,"unit":"knots"}]"#) == [])
        #expect(try limits(#"[{"speed":36,"unit":"km/h"}]"#) == [])
    }

    @Test func takesPolylinesWithFiveDecimals() throws {
        // 47.141,9.5209 to 47.16,9.523.
        let body = #"{"code":"Ok","routes":[{"geometry":"gfv~Gspby@wuBcL"}]}"#
        let points = try read(Array(body.utf8)).coordinates
        #expect(points == [start, Coordinate(latitude: 47.16, longitude: 9.523)])
    }

    @Test(arguments: [
        ("no annotations", #""legs":[{"duration":5},{"duration":5},{"duration":5}]"#),
        ("too few legs", #""legs":[{"annotation":{"duration":[1,2]}}]"#),
        (
            "too many times",
            #""legs":[{"annotation":{"duration":[1]}},{"annotation":{"duration":[1]}},"#
                + #"{"annotation":{"duration":[1,1]}}]"#
        ),
        (
            "an unknown time",
            #""legs":[{"annotation":{"duration":[1]}},{"annotation":{"duration":[null]}},"#
                + #"{"annotation":{"duration":[]}}]"#
        ),
        ("no array", #""legs":7"#),
    ])
    func leavesOutLegsThatDoNotFit(_ name: String, _ legs: String) throws {
        let body =
            #"{"code":"Ok","routes":[{"geometry":"gfv~Gspby@??wuBcL","duration":9,\#(legs)}]}"#
        let route = try read(Array(body.utf8))
        #expect(route.coordinates.count == 3)
        #expect(route.duration == 9)
        #expect(route.legEnds.isEmpty && route.segmentDurations.isEmpty)
    }

    private static let bad: [(String, Int, PlannerError.Reason, String)] = [
        ("", 200, .unusable, "not JSON"),
        ("<html>", 200, .unusable, "not JSON"),
        (#"{"code":"Ok","routes":[{"geom"#, 200, .unusable, "not JSON"),
        (String(repeating: "[", count: 100), 200, .unusable, "not JSON"),
        ("[]", 200, .unusable, "routes"),
        ("7", 200, .unusable, "routes"),
        (#"{"code":"Ok"}"#, 200, .unusable, "routes"),
        (#"{"code":"Ok","routes":[]}"#, 200, .unusable, "empty"),
        (#"{"code":"Ok","routes":[{}]}"#, 200, .unusable, "geometry"),
        (#"{"code":"Ok","routes":[{"geometry":5}]}"#, 200, .unusable, "geometry"),
        (#"{"code":"Ok","routes":[{"geometry":""}]}"#, 200, .unusable, "empty: 0 points"),
        (#"{"code":"Ok","routes":[{"geometry":"gfv~Gspby@"}]}"#, 200, .unusable, "1 points"),
        (#"{"code":"Ok","routes":[{"geometry":"gfv~Gspby@wuB"}]}"#, 200, .unusable, "polyline"),
        (#"{"code":"Ok","routes":[{"geometry":"gfv~Gspby@é"}]}"#, 200, .unusable, "polyline"),
        (
            #"{"code":"Ok","routes":[{"geometry":{"coordinates":[[9.5,"47"]]}}]}"#, 200,
            .unusable, "[lon, lat]"
        ),
        (
            #"{"code":"Ok","routes":[{"geometry":{"coordinates":[[9.5209,47.141],[9.5,95]]}}]}"#,
            200, .unusable, "point 1 of the route is out of range"
        ),
        (
            #"{"code":"Ok","routes":[{"geometry":{"coordinates":[[9,1e999],[9.5,47]]}}]}"#,
            200, .unusable, "point 0 of the route is out of range"
        ),
        (
            osrmAnswer([Coordinate(latitude: 43.73, longitude: 7.42), end]), 200, .unusable,
            "begins in the wrong place"
        ),
        (
            osrmAnswer([start, Coordinate(latitude: 47.2, longitude: 9.52)]), 200, .unusable,
            "ends in the wrong place"
        ),
        ("oops", 500, .refused, "HTTP status 500"),
        ("{}", 503, .refused, "HTTP status 503"),
        ("", 302, .refused, "HTTP status 302"),
        (
            #"{"code":"NoRoute","message":"Impossible route between points"}"#, 400, .refused,
            "NoRoute: Impossible route between points"
        ),
        (#"{"code":"NoRoute"}"#, 200, .refused, "NoRoute"),
        (#"{"code":"A\u0000\nB"}"#, 400, .refused, "A B"),
    ]

    @Test(arguments: bad)
    func refuses(_ body: String, status: Int, reason: PlannerError.Reason, words: String) {
        let error = #expect(throws: PlannerError.self) {
            try read(Array(body.utf8), status: status)
        }
        #expect(error?.reason == reason)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    private static let badValhalla: [(String, Int, PlannerError.Reason, String)] = [
        (
            #"{"error_code":171,"error":"No suitable edges near location","status_code":400}"#,
            400, .refused, "171: No suitable edges near location"
        ),
        (
            #"{"code":"NoSegment","message":"No street near"}"#, 400, .refused,
            "NoSegment: No street near"
        ),
        ("{}", 200, .unusable, "routes"),
        (#"{"trip":{"legs":[]}}"#, 200, .unusable, "routes"),
    ]

    @Test(arguments: badValhalla)
    func refusesValhalla(
        _ body: String, status: Int, reason: PlannerError.Reason, words: String
    ) {
        let error = #expect(throws: PlannerError.self) {
            try read(Array(body.utf8), status: status, by: Valhalla.self)
        }
        #expect(error?.reason == reason)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test func boundsAServersWords() {
        let words = String(repeating: "x", count: 100_000)
        let error = PlannerError(code: words, words: words)
        #expect(error.message.count < 500)
    }

    @Test(arguments: [
        ("osrm.json", OSRM.self as any RoutingEngine.Type),
        ("osrm-geojson.json", OSRM.self), ("valhalla.json", Valhalla.self),
    ])
    func survivesDamage(_ name: String, _ engine: any RoutingEngine.Type) throws {
        let good = try fixture(name)
        let reader = AnswerReader(engine: engine)
        var random = SeededGenerator(seed: 8)
        var routes = 0
        for _ in 0..<3000 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                bytes[index] = UInt8.random(in: 32...126, using: &random)
            }
            if Bool.random(using: &random) {
                bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random) / 4)
            }
            let response = HTTPResponse(status: 200, body: bytes)
            guard let route = try? reader.routes(in: response, for: query).first else { continue }
            routes += 1
            let count = route.coordinates.count
            #expect(route.legEnds == route.legEnds.sorted())
            #expect(route.legEnds.allSatisfy { (0..<count).contains($0) })
            #expect([0, count - 1].contains(route.segmentDurations.count))
            #expect(route.segmentDurations.allSatisfy { $0.isFinite && $0 >= 0 })
        }
        #expect(routes > 0)
    }
}

/// SplitMix64: the same numbers for the same seed.
private struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
