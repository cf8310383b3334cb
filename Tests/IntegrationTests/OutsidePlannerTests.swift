import Foundation
import Geometry
import Telemetry
import TestServers
import Testing
import Tracking

/// The example of an outside planner, against a real broker and engine.
@Suite(.timeLimit(.minutes(5))) struct OutsidePlannerTests {
    private let trip = "tour 7"
    private let vehicle = "lorry é 1"

    @Test func answersByCommand() throws {
        let route = try answer(to: request([Places.vaduz, Places.ruggell], number: 3, course: 180))
        #expect(abs((route.duration ?? 0) - 911.1) < 1)
        #expect(route.coordinates[0].distance(to: Places.vaduz) < 100)
        #expect(try #require(route.coordinates.last).distance(to: Places.ruggell) < 100)
    }

    @Test func takesTheWayAroundAClosedRoad() throws {
        // On the shorter way, and 2 km from the other.
        let bridge = Coordinate(latitude: 47.195742, longitude: 9.502496)
        let shapes: [Area.Shape] = [.circle(center: bridge, radius: 30), .point(bridge)]
        let roads = try shapes.map { shape in
            ClosedRoad(place: nil, closure: try #require(RoadClosure(try Area(shape))))
        }
        for road in roads {
            let route = try answer(
                to: request([Places.eschen, Places.vaduz], number: 3, avoid: [road]))
            let line = try #require(RouteLine(route.coordinates))
            #expect(road.closure.crossing(of: line) == nil)
            #expect(abs((route.duration ?? 0) - 800.8) < 1)
        }
    }

    /// What the example answers to a question of the worker's.
    private func answer(to request: RouteRequest) throws -> ProvidedRoute {
        let broker = try MosquittoServer()
        let engine = try EngineServer("osrm", map: "liechtenstein")
        let client = ["-h", "127.0.0.1", "-p", "\(broker.port)"]
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../deploy/examples/outside-planner").standardizedFileURL
        let planner = try run(script.path, [engine.url] + client)
        let commands = Pipe()
        let listener = try run(
            "/usr/bin/mosquitto_sub",
            client + ["-q", "1", "-C", "1", "-t", "fleet/\(vehicle)/command/route"],
            output: commands)
        defer { for process in [listener, planner] { end(process) } }
        let text = question(request)
        // Asked again until it is answered: the planner subscribes when it is ready.
        for _ in 0..<100 where listener.isRunning {
            let topic = "fleet/\(vehicle)/event/will_reroute"
            let asker = try run(
                "/usr/bin/mosquitto_pub", client + ["-q", "1", "-t", topic, "-m", text])
            asker.waitUntilExit()
            usleep(100_000)
        }
        #expect(!listener.isRunning)
        end(listener)
        let payload = commands.fileHandleForReading.readDataToEndOfFile()
        let message = payload.withUnsafeBytes {
            CommandDecoder().decode(
                name: "route", payload: $0, vehicleID: vehicle, isRetained: false,
                receivedAt: Timestamp(seconds: Date.now.timeIntervalSince1970),
                defaults: TripOptions())
        }
        #expect(message.tripID == trip)
        guard case .route(let route, request: 3, deviationPath: []) = try message.outcome.get()
        else { throw NoAnswer(description: "not a route that answers request 3: \(message)") }
        return route
    }

    private struct NoAnswer: Error, CustomStringConvertible { var description: String }

    /// A `will_reroute` event as the worker publishes it.
    private func question(_ request: RouteRequest) -> String {
        let cause = TripEvent.RerouteCause(
            reason: .requested, deviation: nil, reported: Places.vaduz, carriedWaypoints: [],
            request: request)
        let event = TripEvent(
            sequence: 2, kind: .willReroute(cause), time: Timestamp(seconds: 1.7e9), location: nil,
            remainingDistance: nil, remainingWaypoints: 0)
        var json = JSONWriter()
        EventEncoder.encode(event, tripID: trip, vehicleID: vehicle, into: &json)
        return json.text
    }

    private func run(
        _ path: String, _ arguments: [String], output: Pipe? = nil
    ) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        if let output { process.standardOutput = output }
        try process.runUnblocked()
        try output?.fileHandleForWriting.close()
        return process
    }

    /// Ends a process and its children: Foundation gives each a group of its own, and blocks their SIGTERM.
    private func end(_ process: Process) {
        kill(-process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
