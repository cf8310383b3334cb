import Foundation
import FoundationNetworking
import Geometry
import Routing
import TestServers
import Testing
import Tracking

/// The planners against real engines on real maps.
@Suite(.serialized, .timeLimit(.minutes(2))) struct PlannerEngineTests {
    private func client(_ server: EngineServer, _ kind: PlannerSettings.Kind) throws
        -> PlannerClient
    {
        var settings = PlannerSettings(kind: kind, url: server.url)
        settings.timeout = 60
        return try PlannerClient(settings: settings)
    }

    @Test(arguments: [PlannerSettings.Kind.osrm, .valhalla])
    func plansOverViaPoints(_ kind: PlannerSettings.Kind) throws {
        let server = try EngineServer(kind.rawValue, map: "liechtenstein")
        let client = try client(server, kind)
        let places = [Places.vaduz, Places.schaan, Places.eschen, Places.eschen, Places.ruggell]
        let route = try client.answer(to: request(places)).get().route
        let legEnds = route.legEnds
        #expect(legEnds.count == 3)
        for (place, index) in zip(places.dropFirst(), legEnds + [route.coordinates.count - 1]) {
            #expect(route.coordinates[index].distance(to: place) < 300)
        }
        let duration = try #require(route.duration)
        #expect(route.segmentDurations.count == route.coordinates.count - 1)
        #expect(abs(route.segmentDurations.reduce(0, +) - duration) < 1)
        #expect((600...1800).contains(duration))
        #expect((11_000...20_000).contains(length(route.coordinates)))
        // OSRM keeps no limits: its "speed" is the profile's guess.
        #expect(route.speedLimits.contains { $0 > 0 } == (kind == .valhalla))
    }

    @Test func measuresWhatOSRMMeasures() throws {
        let server = try EngineServer("osrm", map: "liechtenstein")
        let client = try client(server, .osrm)
        let route = try client.answer(to: request([Places.vaduz, Places.ruggell])).get().route
        #expect(abs((route.duration ?? 0) - 911.1) < 1)
        #expect(abs(length(route.coordinates) / 12_404.7 - 1) < 0.006)
    }

    @Test(arguments: [PlannerSettings.Kind.osrm, .valhalla])
    func goesOnTheWayTheVehicleFaces(_ kind: PlannerSettings.Kind) throws {
        let server = try EngineServer(kind.rawValue, map: "liechtenstein")
        let client = try client(server, kind)
        let plain = try client.answer(to: request([Places.vaduz, Places.ruggell])).get().route
        // Halfway between two crossings.
        let (from, to) = try #require(
            zip(plain.coordinates, plain.coordinates.dropFirst())
                .max { $0.0.distance(to: $0.1) < $1.0.distance(to: $1.1) })
        let place = Coordinate(
            latitude: (from.latitude + to.latitude) / 2,
            longitude: (from.longitude + to.longitude) / 2)
        let ahead = from.course(to: to)
        for turn in [0.0, 180] {
            let facing = (ahead + turn).truncatingRemainder(dividingBy: 360)
            let route = try client.answer(to: request([place, Places.ruggell], course: facing))
                .get().route
            let first = try #require(
                route.coordinates.indices.dropFirst().first {
                    route.coordinates[0].distance(to: route.coordinates[$0]) > 3
                })
            let begins = route.coordinates[0].course(to: route.coordinates[first])
            #expect(cos((begins - facing) * .pi / 180) > 0.5, "\(begins) for \(facing)")
        }
    }

    @Test(arguments: [PlannerSettings.Kind.osrm, .valhalla], TripOptions.Profile.allCases)
    func plansForAll(_ kind: PlannerSettings.Kind, _ profile: TripOptions.Profile) throws {
        let server = try EngineServer(kind.rawValue, map: "monaco")
        let client = try client(server, kind)
        let places = [Places.monacoWest, Places.monacoEast]
        let route = try client.answer(to: request(places, profile: profile)).get().route
        #expect((2_500...8_000).contains(length(route.coordinates)))
    }

    @Test(arguments: [PlannerSettings.Kind.osrm, .valhalla])
    func findsTheDeviationPath(_ kind: PlannerSettings.Kind) throws {
        let server = try EngineServer(kind.rawValue, map: "liechtenstein")
        let client = try client(server, kind)
        let places = [Places.schaan, Places.ruggell]
        let planned = try client.answer(to: request(places, deviationPathStart: Places.vaduz))
            .get()
        let path = planned.deviationPath
        #expect(path.count > 10)
        #expect(try #require(path.first).distance(to: Places.vaduz) < 300)
        #expect(try #require(path.last).distance(to: planned.route.coordinates[0]) < 1)
    }

    @Test(arguments: [
        (PlannerSettings.Kind.osrm, "unusable: the route begins in the wrong place"),
        (.valhalla, "refused: NoSegment: One of the supplied input coordinates"),
    ])
    func refusesAnotherCountry(_ kind: PlannerSettings.Kind, _ words: String) throws {
        let server = try EngineServer(kind.rawValue, map: "liechtenstein")
        let client = try client(server, kind)
        let error = #expect(throws: PlannerError.self) {
            try client.answer(to: request([Places.monacoWest, Places.monacoEast])).get()
        }
        #expect(error?.text.hasPrefix(words) == true, "\(error?.text ?? "")")
    }

    @Test func goesAroundAClosedRoad() throws {
        let server = try EngineServer("osrm", map: "monaco")
        let client = try client(server, .osrm)
        let question = request([Places.monacoWest, Places.monacoEast])
        let before = try client.answer(to: question).get().route
        let nodes = try osmNodes(of: question, at: server.url)
        let middle = nodes[nodes.count / 2..<nodes.count / 2 + 10]
        try server.close(Array(zip(middle, middle.dropFirst())))
        let after = try client.answer(to: question).get().route
        #expect(after.coordinates != before.coordinates)
        #expect((after.duration ?? 0) > (before.duration ?? .infinity))
    }

    @Test(arguments: [PlannerSettings.Kind.osrm, .valhalla])
    func saysWhoItIs(_ kind: PlannerSettings.Kind) throws {
        let server = try EngineServer(kind.rawValue, map: "monaco")
        let client = try client(server, kind)
        #expect(try client.check().hasSuffix("at \(server.url)"))
        server.kill()
        let error = #expect(throws: PlannerError.self) { try client.check() }
        #expect(error?.reason == .unreachable)
    }

    @Test(arguments: [PlannerSettings.Kind.osrm, .valhalla])
    func answersABurst(_ kind: PlannerSettings.Kind) throws {
        let server = try EngineServer(kind.rawValue, map: "liechtenstein")
        let client = try client(server, kind)
        let clock = ContinuousClock()
        _ = try client.answer(to: burst(0)).get()
        let alone = try (1...200).map { index in
            client.ask(PlannerQuestion(vehicleID: "t", tripID: "t", request: burst(index)))
            let answer = try #require(client.answers(1).first)
            _ = try answer.result.get()
            return answer.latency
        }
        let begun = clock.now
        for trip in 1...500 {
            client.ask(
                PlannerQuestion(vehicleID: "\(trip)", tripID: "\(trip)", request: burst(trip)))
        }
        var answers: [PlannerAnswer] = []
        while client.inFlight + client.waiting > 0 {
            answers += client.turn(timeout: 1000, wake: -1)
            #expect(client.inFlight <= 16)
        }
        let total = (clock.now - begun) / .seconds(1)
        #expect(answers.count == 500)
        #expect(answers.allSatisfy { (try? $0.result.get()) != nil })
        print(
            "\(kind): alone", percentiles(alone), "500 at once",
            percentiles(answers.map(\.latency)),
            "all after \(Int(total * 1000)) ms")
    }

    @Test(arguments: [PlannerSettings.Kind.osrm, .valhalla])
    func comesBackWithTheEngine(_ kind: PlannerSettings.Kind) throws {
        let server = try EngineServer(kind.rawValue, map: "liechtenstein")
        let client = try client(server, kind)
        for trip in 1...500 {
            client.ask(
                PlannerQuestion(vehicleID: "\(trip)", tripID: "\(trip)", request: burst(trip)))
        }
        var answers = client.answers(50)
        server.kill()
        answers += client.answers(500 - answers.count)
        #expect(Set(answers.map(\.tripID)).count == 500)
        let lost = answers.filter { (try? $0.result.get()) == nil }
        #expect(!lost.isEmpty)
        for answer in lost {
            let error = #expect(throws: PlannerError.self) { try answer.result.get() }
            #expect(error?.reason == .unreachable)
        }
        try server.start()
        for answer in lost {
            client.ask(
                PlannerQuestion(
                    vehicleID: answer.tripID, tripID: answer.tripID, request: burst(answer.number)))
        }
        let again = client.answers(lost.count)
        #expect(again.count == lost.count)
        #expect(again.allSatisfy { (try? $0.result.get()) != nil })
    }

    /// Questions from all over the country.
    private func burst(_ index: Int) -> RouteRequest {
        let share = Double(index % 100) / 100
        let place = Coordinate(
            latitude: Places.vaduz.latitude
                + share * (Places.schaan.latitude - Places.vaduz.latitude),
            longitude: Places.vaduz.longitude
                + share * (Places.schaan.longitude - Places.vaduz.longitude))
        return request([place, Places.eschen, Places.ruggell], number: index, course: 340)
    }

    private func percentiles(_ latencies: [Double]) -> String {
        let sorted = latencies.sorted()
        let shown = [0.5, 0.99].map { share in
            Int((sorted[Int(Double(sorted.count - 1) * share)] * 1e6).rounded())
        }
        return "p50 \(shown[0]) µs, p99 \(shown[1]) µs"
    }
}

/// The OSM nodes that OSRM's answer to a question passes.
func osmNodes(of request: RouteRequest, at url: String) throws -> [Int] {
    struct Answer: Decodable {
        struct Route: Decodable { var legs: [Leg] }
        struct Leg: Decodable { var annotation: Annotation }
        struct Annotation: Decodable { var nodes: [Int] }
        var routes: [Route]
    }
    let points = [request.from, request.destination.coordinate]
        .map { "\($0.longitude),\($0.latitude)" }.joined(separator: ";")
    let address = "\(url)/route/v1/driving/\(points)?annotations=nodes"
    let data = try Data(contentsOf: #require(URL(string: address)))
    return try JSONDecoder().decode(Answer.self, from: data).routes[0].legs[0].annotation.nodes
}

private func length(_ line: [Coordinate]) -> Double {
    zip(line, line.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
}

extension PlannerClient {
    /// Takes turns until that many answers are there; fewer when they take over 60 s.
    func answers(_ count: Int) -> [PlannerAnswer] {
        let clock = ContinuousClock()
        let deadline = clock.now.advanced(by: .seconds(60))
        var answers: [PlannerAnswer] = []
        while answers.count < count && clock.now < deadline {
            answers += turn(timeout: 1000, wake: -1)
        }
        return answers
    }

    /// Asks one question and returns its answer.
    func answer(
        to request: RouteRequest
    ) throws -> Result<PlannedRoute, PlannerError> {
        ask(PlannerQuestion(vehicleID: "t", tripID: "t", request: request))
        return try #require(answers(1).first).result
    }
}
