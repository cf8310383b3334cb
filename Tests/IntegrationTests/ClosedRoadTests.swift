import Foundation
import Geometry
import Routing
import TestServers
import Testing
import Tracking

/// Closed roads and better ones, with real engines on real maps; what an answer still drives on is judged by our own
/// geometry.
@Suite(.serialized, .timeLimit(.minutes(4))) struct ClosedRoadTests {
    private static let ends = [Places.vaduz, Places.schaan]
    /// A village on a mountain, with one road.
    private static let planken = Coordinate(latitude: 47.1856, longitude: 9.5446)

    private func ask(
        _ client: PlannerClient, _ places: [Coordinate] = ends,
        profile: TripOptions.Profile = .driving, avoid: [ClosedRoad] = [],
        vehicle: VehicleSize? = nil
    ) throws -> (line: RouteLine, answer: PlannerAnswer) {
        let request = request(places, profile: profile, avoid: avoid, vehicle: vehicle)
        client.ask(PlannerQuestion(vehicleID: "t", tripID: "t", request: request))
        let answer = try #require(client.answers(1).first)
        let line = RouteLine(try answer.result.get().route.coordinates)
        return (try #require(line), answer)
    }

    private func client(_ server: EngineServer, _ kind: PlannerSettings.Kind) throws
        -> PlannerClient
    {
        try PlannerClient(settings: PlannerSettings(kind: kind, url: server.url))
    }

    private func closed(_ shape: Area.Shape) throws -> ClosedRoad {
        ClosedRoad(place: nil, closure: try #require(RoadClosure(try Area(shape))))
    }

    @Test func valhallaGoesAroundAreasLinesAndPoints() throws {
        let server = try EngineServer("valhalla", map: "liechtenstein")
        let client = try client(server, .valhalla)
        let plain = try ask(client).line
        let middle = plain.length / 2
        let center = plain.point(at: middle)
        let piece = plain.coordinates(from: middle, to: middle + 150)
        let large = CoordinateBox(
            south: center.latitude - 0.0135, west: center.longitude - 0.03,
            north: center.latitude + 0.0135, east: center.longitude + 0.0004)
        let shapes: [(Area.Shape, rounds: ClosedRange<Int>)] = [
            (.circle(center: center, radius: 30), 1...1), (.point(center), 2...3),
            (.line(piece, width: 0), 2...3),
            // Longer around than what may be excluded in advance.
            (.rectangle(large), 2...3),
        ]
        for (shape, rounds) in shapes {
            let road = try closed(shape)
            let (line, answer) = try ask(client, avoid: [road])
            #expect(rounds.contains(answer.rounds), "\(shape): \(answer.rounds) rounds")
            let crosses = road.closure.crossing(of: line) != nil
            #expect(answer.isBlocked == crosses)
            if case .rectangle = shape { continue }
            #expect(!crosses && line.length > plain.length, "\(shape)")
        }
        // The other way stays open where a line is closed.
        let back = try ask(client, Self.ends.reversed()).line
        let road = try closed(.line(piece, width: 0))
        #expect(try ask(client, Self.ends.reversed(), avoid: [road]).line == back)
    }

    @Test(arguments: [PlannerSettings.Kind.osrm, .valhalla])
    func whatCannotBeAvoidedIsTakenAndNamed(_ kind: PlannerSettings.Kind) throws {
        let server = try EngineServer(kind.rawValue, map: "liechtenstein")
        let client = try client(server, kind)
        let places = [Places.schaan, Self.planken]
        let plain = try ask(client, places).line
        let road = try closed(.circle(center: plain.point(at: plain.length - 1500), radius: 30))
        let (line, answer) = try ask(client, places, avoid: [road])
        #expect(answer.isBlocked && road.closure.crossing(of: line) != nil)
        #expect(abs(line.length - plain.length) < 500)
    }

    @Test func osrmTakesAnAlternativeWhereThereIsOne() throws {
        let server = try EngineServer("osrm", map: "liechtenstein")
        let client = try client(server, .osrm)
        let places = [Places.eschen, Places.vaduz]
        let plain = try ask(client, places).line
        var ways = (around: 0, named: 0)
        for share in [0.2, 0.35, 0.5, 0.65, 0.8] {
            let center = plain.point(at: share * plain.length)
            let road = try closed(.circle(center: center, radius: 30))
            let (line, answer) = try ask(client, places, avoid: [road])
            #expect(answer.rounds == 1)
            #expect(answer.isBlocked == (road.closure.crossing(of: line) != nil))
            if answer.isBlocked { ways.named += 1 } else { ways.around += 1 }
        }
        // Some have an alternative, some have none.
        #expect(ways.around > 0 && ways.named > 0, "\(ways)")
    }

    @Test func aHeavyLorryLeavesOutAWeakRoad() throws {
        let server = try EngineServer("valhalla", map: "monaco")
        let client = try client(server, .valhalla)
        let places = [
            Coordinate(latitude: 43.74525, longitude: 7.40257),
            Coordinate(latitude: 43.75418, longitude: 7.40103),
        ]
        var light = VehicleSize()
        light.weight = 3000
        var heavy = light
        heavy.weight = 18_000
        let lengths = try [light, heavy].map {
            try ask(client, places, profile: .truck, vehicle: $0).line.length
        }
        #expect(lengths[1] > lengths[0] + 2000, "\(lengths)")
    }

    @Test(arguments: [
        (PlannerSettings.Kind.valhalla, ends), (.osrm, [Places.eschen, Places.vaduz]),
    ])
    func aTripGoesAroundABridgeAndBackWhenItIsOpen(
        _ kind: PlannerSettings.Kind, _ places: [Coordinate]
    ) throws {
        let engine = try EngineServer(kind.rawValue, map: "liechtenstein")
        let test = try WorkerUnderTest(
            settings: "planner: { kind: \"\(kind.rawValue)\", url: \"\(engine.url)\" }")
        let client = test.client
        let line = try start(
            client,
            "\"better_route\":\"suggest\",\"better_route_gain_s\":15,\"better_route_gain_ratio\":0,",
            places)
        // OSRM has another way there; Valhalla finds one around any road of the valley.
        let middle =
            kind == .osrm
            ? Coordinate(latitude: 47.195742, longitude: 9.502496)
            : line.point(at: 0.6 * line.length)
        put(client, at: middle)
        #expect(try client.event("will_reroute", of: "car").reason == "roadblock")
        try client.event("rerouted", of: "car", number: 2, within: 60)
        #expect(
            client.count("fleet/car/event/rerouted", containing: "\"roadblocks\":[\"bridge\"]") == 0
        )
        let detour = try client.route(2, of: "car").whole()
        let road = try closed(.circle(center: middle, radius: 30))
        #expect(road.closure.crossing(of: detour) == nil)

        // What is on offer outlives the worker, and is taken.
        client.publish("fleet-place/bridge/command/delete", "{}")
        try client.event("better_route_found", of: "car", within: 60)
        _ = try client.wait("the proposal") { client.last("fleet/car/proposal") }
        test.kill()
        try test.start()
        client.publish("fleet/car/command/accept", "{\"command_id\":\"a\"}")
        let taken = try client.event("rerouted", of: "car", number: 3, within: 60)
        #expect(taken.reason == "better" && taken.command_id == "a")
        #expect(road.closure.crossing(of: try client.route(3, of: "car").whole()) != nil)
        _ = try client.wait("the proposal to go") {
            client.last("fleet/car/proposal") == "" ? true : nil
        }
    }

    @Test func aTripWithOSRMNamesWhatItCannotAvoid() throws {
        let engine = try EngineServer("osrm", map: "liechtenstein")
        let test = try WorkerUnderTest(
            settings: "planner: { kind: \"osrm\", url: \"\(engine.url)\" }")
        let client = test.client
        let line = try start(client, "", [Places.vaduz, Self.planken])
        put(client, at: line.point(at: line.length - 1500))
        #expect(try client.event("will_reroute", of: "car").reason == "roadblock")
        try client.event("rerouted", of: "car", number: 2, within: 60)
        #expect(
            client.count("fleet/car/event/rerouted", containing: "\"roadblocks\":[\"bridge\"]") > 0)
        // Nobody is asked for a way to where no way leads, or from there.
        for (number, shut) in [line.point(at: line.length), line.point(at: 0)].enumerated() {
            put(client, at: shut, radius: 200, as: "shut-\(number)")
            try client.event("roadblock_ahead", of: "car", number: number + 1)
        }
        #expect(client.events(of: "car").count { $0.type == "will_reroute" } == 1)
    }

    /// Assigns a trip that the engine plans, and puts the vehicle at its beginning.
    private func start(
        _ client: FleetClient, _ options: String, _ places: [Coordinate]
    ) throws -> RouteLine {
        client.publish(
            "fleet/car/command/assign",
            """
            {"trip_id":"t","source":\(places[0].json),"destination":\(places[1].json),
             "options":{\(options)"max_age_at_assignment_s":4000,"reroute_timeout_s":60}}
            """)
        try client.event("rerouted", of: "car", within: 60)
        let line = try client.route(1, of: "car").whole()
        var driver = Driver(client, "car", age: 60)
        driver.drive(line, from: 0, to: 50)
        _ = try client.wait("the vehicle on its route") {
            client.last("fleet/car/progress")?.contains("\"state\":\"tracking\"") == true
                ? true : nil
        }
        return line
    }

    private func put(
        _ client: FleetClient, at place: Coordinate, radius: Int = 30, as id: String = "bridge"
    ) {
        client.publish(
            "fleet-place/\(id)/command/put",
            "{\"roadblock\":{},\"geometry\":{\"circle\":{\"center\":\(place.json),\"radius_m\":\(radius)}}}"
        )
    }
}
