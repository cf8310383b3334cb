import Foundation
import Geometry
import Routing
import TestServers
import Testing
import Tracking

/// Routes from real engines on real maps, through the running worker.
@Suite(.serialized, .timeLimit(.minutes(4))) struct RerouteTests {
    /// A village on a mountain, on a road that no route through the valley takes.
    private let planken = Coordinate(latitude: 47.1856, longitude: 9.5446)

    private func plan(
        _ places: [Coordinate], _ kind: PlannerSettings.Kind, _ engine: EngineServer
    ) throws -> RouteLine {
        var settings = PlannerSettings(kind: kind, url: engine.url)
        settings.timeout = 60
        let route = try PlannerClient(settings: settings).answer(to: request(places)).get().route
        return try #require(RouteLine(route.coordinates))
    }

    @Test(arguments: [PlannerSettings.Kind.osrm, .valhalla])
    func turnsOffAndArrivesWithAllVisited(_ kind: PlannerSettings.Kind) throws {
        let engine = try EngineServer(kind.rawValue, map: "liechtenstein")
        let test = try WorkerUnderTest(
            settings: "planner: { kind: \"\(kind.rawValue)\", url: \"\(engine.url)\" }")
        let client = test.client
        client.publish(
            "fleet/car/command/assign",
            """
            {"trip_id":"t","command_id":"a","source":\(Places.vaduz.json),
             "via_points":[\(Places.schaan.json),\(Places.eschen.json)],
             "destination":\(Places.ruggell.json),
             "options":{"max_age_at_assignment_s":4000,"deviation_distance_m":200,
                        "deviation_path":true,"reroute_timeout_s":60}}
            """)
        #expect(try client.event("trip_assigned", of: "car").request?.number == 1)
        try client.event("rerouted", of: "car", within: 60)
        #expect(client.count("fleet/car/progress", containing: "\"awaiting_route\"") > 0)
        let initial = try client.reroute("rerouted", of: "car")
        #expect(initial.reason == "initial" && initial.route_revision == 1)
        let first = try client.route(1, of: "car")
        #expect(first.statuses == ["pending", "pending"] && first.line("travelled").isEmpty)
        var driver = Driver(client, "car", age: 3900)
        let line = try first.whole()
        #expect(abs(line.length / (initial.length_m ?? 0) - 1) < 0.01)

        let stop = line.offset(near: Places.schaan)
        driver.drive(line, from: 0, to: stop)
        try release(0, client)
        let stray = try plan([line.point(at: stop), planken], kind, engine)
        driver.drive(stray, from: 0, to: stray.length) { place in
            line.nearest(to: place, from: stop, to: line.length, hint: nil).distance > 210
        }
        #expect(try client.event("will_reroute", of: "car").reason == "deviation")
        #expect(try client.reroute("will_reroute", of: "car").carried_waypoints == [1])
        try client.event("rerouted", of: "car", number: 2, within: 60)
        try checkReroute(client, from: line, to: try #require(driver.place))

        let second = try client.route(2, of: "car").whole()
        let start = second.nearest(
            to: try #require(driver.place), from: 0, to: min(second.length, 500), hint: nil)
        let next = second.offset(near: Places.eschen)
        driver.drive(second, from: start.offset, to: next)
        try release(1, client)
        let drawn = try client.route(2, of: "car")
        #expect(
            drawn.features.map(\.properties.kind) == [
                "travelled", "remaining", "connector", "via_point", "via_point", "destination",
            ])
        #expect(drawn.statuses == ["visited", "visited"])
        #expect(drawn.line("connector").last == Places.ruggell)
        driver.drive(second, from: next, to: second.length)
        try client.event("arrived", of: "car", within: 30)
        try checkEnd(test, positions: driver.count)
    }

    /// Waits until the vehicle is held, and releases it.
    private func release(_ index: Int, _ client: FleetClient) throws {
        let reached = try client.event("waypoint_reached", of: "car", number: index + 1, within: 30)
        #expect(reached.held == true && reached.waypoint?.index == index)
        client.publish("fleet/car/command/proceed", "{\"command_id\":\"p\(index)\"}")
        try client.event("waypoint_resumed", of: "car", number: index + 1)
        _ = try client.wait("the route's via point \(index) to be visited") {
            let drawn = try client.route(index + 1, of: "car")
            return drawn.statuses[index] == "visited" ? true : nil
        }
    }

    /// Checks the second route's event, after a deviation from a line to a place.
    private func checkReroute(
        _ client: FleetClient, from line: RouteLine, to stray: Coordinate
    ) throws {
        let event = try client.reroute("rerouted", of: "car")
        #expect(event.reason == "deviation" && event.route_revision == 2)
        #expect((1_000...30_000).contains(event.length_m ?? 0))
        #expect((60...4_000).contains(event.duration_s ?? 0))
        let path = try #require(event.deviation_path).map {
            Coordinate(latitude: $0[1], longitude: $0[0])
        }
        #expect(path.count > 2)
        let first = try #require(path.first)
        #expect(line.point(at: line.offset(near: first)).distance(to: first) < 50)
        #expect((150...1_000).contains(first.distance(to: stray)))
        #expect(try #require(path.last).distance(to: stray) < 200)
    }

    private func checkEnd(_ test: WorkerUnderTest, positions: Int) throws {
        let types = [
            "trip_assigned", "rerouted", "waypoint_reached", "waypoint_resumed", "will_reroute",
            "rerouted", "waypoint_reached", "waypoint_resumed", "arrived",
        ]
        #expect(test.client.events(of: "car").map(\.type) == types)
        try test.expect(
            ["arrived|2|t"],
            from: "select state, route_revision, route is not null from waygate.trips")
        try test.expect(
            ["0|visited|t", "1|visited|t"],
            from: """
                select waypoint_index, status, resumed_at is not null from waygate.trip_waypoints
                order by 1
                """)
        try test.expect(
            ["\(positions)|\(positions)"],
            from: """
                select count(*), count(*) filter (where tracked = (fix_time <= occurred_at))
                from waygate.positions, waygate.trip_events where type = 'arrived'
                """)
        try test.expect(
            types.enumerated().map { "\($0.offset + 1)|\($0.element)|t" },
            from: """
                select sequence, type, published_at is not null from waygate.trip_events order by 1
                """)
        try test.expect(
            ["arrived|0|2"],
            from: "select state, remaining_waypoints, route_revision from waygate.trip_progress")
    }

    @Test func goesAroundAClosedRoadOnCommand() throws {
        let engine = try EngineServer("osrm", map: "monaco")
        let test = try WorkerUnderTest(
            settings: "planner: { kind: \"osrm\", url: \"\(engine.url)\" }")
        let client = test.client
        client.publish(
            "fleet/car/command/assign",
            """
            {"trip_id":"t","source":\(Places.monacoWest.json),
             "destination":\(Places.monacoEast.json),"options":{"reroute_timeout_s":60}}
            """)
        try client.event("rerouted", of: "car", within: 60)
        let open = try client.reroute("rerouted", of: "car")
        let before = try client.route(1, of: "car").whole()
        let nodes = try osmNodes(
            of: request([Places.monacoWest, Places.monacoEast]), at: engine.url)
        let middle = nodes[nodes.count / 2..<nodes.count / 2 + 10]
        try engine.close(Array(zip(middle, middle.dropFirst())))
        client.publish("fleet/car/command/reroute", "{\"command_id\":\"r\"}")
        let asked = try client.event("will_reroute", of: "car")
        #expect(asked.reason == "requested" && asked.command_id == "r")
        let answer = try client.event("rerouted", of: "car", number: 2, within: 60)
        #expect(answer.reason == "requested")
        let closed = try client.reroute("rerouted", of: "car")
        #expect((closed.duration_s ?? 0) > (open.duration_s ?? .infinity))
        #expect(try client.route(2, of: "car").whole() != before)
    }
}
