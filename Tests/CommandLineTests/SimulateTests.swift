import Foundation
import Geometry
import MQTT
import Telemetry
import TestServers
import Testing
import Tracking
import Watching

@testable import waygate

struct SimulatedVehicleTests {
    /// About 1,113 metres due east along the equator.
    private let line: RouteLine
    private let degree = 111_319.49

    init() throws {
        line = try #require(
            RouteLine([
                Coordinate(latitude: 0, longitude: 0), Coordinate(latitude: 0, longitude: 0.01),
            ]))
    }

    private func vehicle(stray: SimulatedVehicle.Stray? = nil) -> SimulatedVehicle {
        SimulatedVehicle(line: line, stops: [.init(index: 0, offset: 500)], speed: 10, stray: stray)
    }

    @Test func placesLieOnTheRoutesAndAreTheSameForASeed() throws {
        let make = { (seed: UInt64) in
            SimulatedPlaces.make(20, along: [line], prefix: "sim-", seed: seed)
        }
        let payloads = make(1).map { $0.payload(commandID: nil) }
        #expect(payloads == make(1).map { $0.payload(commandID: nil) })
        #expect(payloads != make(2).map { $0.payload(commandID: nil) })
        #expect(Set(make(1).map(\.id)).count == 20 && make(1)[0].id == "sim-place-1")
        for place in make(1) {
            guard case .circle(let center, let radius) = try place.content(PlaceLimits()).area.shape
            else {
                Issue.record("no circle")
                return
            }
            #expect((40...150).contains(radius))
            #expect(line.nearest(to: center).distance < 1)
        }
    }

    @Test func waitsAtItsStopUntilItIsReleased() {
        var vehicle = vehicle()
        vehicle.advance(by: 100)
        #expect(vehicle.activity == .parked)
        vehicle.begin()
        vehicle.advance(by: 49)
        #expect(vehicle.activity == .driving)
        #expect(abs(vehicle.motion.offset - 490) < 1e-6)
        vehicle.advance(by: 100)
        #expect(vehicle.activity == .stopped(index: 0))
        #expect(vehicle.motion.offset == 500)
        #expect(vehicle.speed == 0)
        vehicle.release(1)
        #expect(vehicle.activity == .stopped(index: 0))
        vehicle.release(0)
        vehicle.advance(by: 1000)
        #expect(vehicle.activity == .done)
        #expect(vehicle.motion.isAtEnd)
    }

    @Test func doesNotStopWhereItWasReleasedBefore() {
        var vehicle = vehicle()
        vehicle.begin()
        vehicle.release(0)
        vehicle.advance(by: 60)
        #expect(abs(vehicle.motion.offset - 600) < 1e-6)
    }

    @Test func straysAndComesBack() {
        var vehicle = vehicle(stray: .init(offset: 200, distance: 100, turn: 90))
        vehicle.begin()
        vehicle.advance(by: 25)
        #expect(vehicle.activity == .straying(isReturning: false))
        #expect(abs(vehicle.motion.coordinate.latitude * degree + 50) < 1)
        vehicle.advance(by: 10)
        #expect(vehicle.activity == .straying(isReturning: true))
        #expect(vehicle.course.map { abs($0) < 1 || abs($0 - 360) < 1 } == true)
        vehicle.advance(by: 10)
        #expect(vehicle.activity == .driving)
        #expect(abs(vehicle.motion.offset - 250) < 1)
    }

    @Test func followsANewRouteWithItsStops() {
        var vehicle = vehicle(stray: .init(offset: 200, distance: 1000, turn: 90))
        vehicle.begin()
        vehicle.advance(by: 30)
        let here = vehicle.motion.coordinate
        let place = Coordinate(latitude: -0.001, longitude: 0.005)
        vehicle.follow(
            [here, place, Coordinate(latitude: 0, longitude: 0.01)], viaPoints: [(0, place)],
            revision: 2)
        #expect(vehicle.activity == .driving)
        #expect(vehicle.motion.coordinate.distance(to: here) < 0.1)
        vehicle.advance(by: 1000)
        #expect(vehicle.activity == .stopped(index: 0))
        #expect(vehicle.motion.coordinate.distance(to: place) < 0.1)
        // The retained topic repeats a route whenever a via point changes.
        vehicle.follow([place, here], viaPoints: [], revision: 2)
        #expect(vehicle.motion.coordinate.distance(to: place) < 0.1)
    }
}

struct SimulatedFleetTests {
    private func fleet(_ change: (inout FleetPlan) -> Void) throws -> SimulatedFleet {
        var plan = FleetPlan()
        plan.vehicles = 2
        plan.viaPoints = 1
        plan.interval = 1
        change(&plan)
        let line = try #require(
            RouteLine([
                Coordinate(latitude: 47, longitude: 9.50),
                Coordinate(latitude: 47, longitude: 9.51),
            ]))
        return SimulatedFleet(plan, lines: [line], name: "x", start: 1000)
    }

    @Test func reportsItsVehiclesInTurn() throws {
        var fleet = try fleet { $0.assigns = false }
        #expect(fleet.nextMoment == 1000)
        #expect(fleet.step(at: 1000).map(\.topic) == ["sim-1/position"])
        #expect(fleet.nextMoment == 1000.5)
        #expect(fleet.step(at: 1000.5).map(\.topic) == ["sim-2/position"])
        let message = try #require(fleet.step(at: 1001).first)
        let text = String(decoding: message.payload, as: UTF8.self)
        #expect(
            text
                == #"{"time":"1970-01-01T00:16:41.000Z","lat":47,"lon":9.5001826,"accuracy_m":3,"#
                + #""speed_mps":13.89,"course_deg":90,"provider":"simulation"}"#)
    }

    @Test func drivesATripWithItsDispatcher() throws {
        var fleet = try fleet {
            $0.vehicles = 1
            $0.proceedsAfter = 5
            $0.plansRoutes = true
        }
        let first = fleet.step(at: 1000)
        #expect(first.map(\.topic) == ["sim-1/command/assign", "sim-1/position"])
        let decoder = CommandDecoder()
        let assignment = first[0].payload.withUnsafeBytes {
            decoder.decode(
                name: "assign", payload: $0, vehicleID: "sim-1", isRetained: false,
                receivedAt: Timestamp(seconds: 1000), defaults: .init())
        }
        #expect(assignment.tripID == "sim-1-x-1")
        func hear(_ type: String, _ more: String = "") -> [FleetMessage] {
            fleet.hear(
                "sim-1/event/\(type)", Array(#"{"trip_id":"sim-1-x-1"\#(more)}"#.utf8), at: 1001)
        }
        #expect(hear("trip_assigned").isEmpty)
        _ = hear("waypoint_reached", #","held":true,"waypoint":{"index":0}"#)
        #expect(fleet.step(at: 1005.9).map(\.topic) == ["sim-1/position"])
        #expect(
            fleet.step(at: 1006).map(\.topic) == ["sim-1/command/proceed", "sim-1/position"])
        let answers = hear(
            "will_reroute",
            #","request":{"number":3,"from":{"lat":1,"lon":2},"via_points":[],"#
                + #""destination":{"lat":3,"lon":4}}"#)
        #expect(answers.map(\.topic) == ["sim-1/command/route"])
        let answer = String(decoding: answers[0].payload, as: UTF8.self)
        #expect(answer.contains(#""request":3,"route":{"coordinates":[[2,1],[4,3]]}"#))
        #expect(!fleet.isDone)
        _ = hear("arrived")
        #expect(fleet.isDone)
        #expect(fleet.tally.arrivals == 1)
    }

    @Test func hearsNothingOfOtherTrips() throws {
        var fleet = try fleet { _ in }
        _ = fleet.step(at: 1000)
        _ = fleet.hear("sim-1/event/arrived", Array(#"{"trip_id":"old"}"#.utf8), at: 1001)
        _ = fleet.hear("other/event/arrived", Array(#"{"trip_id":"sim-1-x-1"}"#.utf8), at: 1001)
        _ = fleet.hear("sim-1/event/arrived", Array("[".utf8), at: 1001)
        #expect(fleet.tally.arrivals == 0)
    }

    @Test func hasTheNoiseThatIsAskedFor() throws {
        var fleet = try fleet {
            $0.noise = 5
            $0.vehicles = 1
            $0.viaPoints = 0
        }
        var squares = 0.0
        let start = Coordinate(latitude: 47, longitude: 9.5)
        for second in 0..<2000 {
            for message in fleet.step(at: 1000 + Double(second))
            where message.topic.hasSuffix("position") {
                let place = try JSONParser().parse(String(decoding: message.payload, as: UTF8.self))
                {
                    Coordinate(
                        latitude: $0["lat"]?.double ?? 0, longitude: $0["lon"]?.double ?? 0)
                }
                squares += place.distance(to: start) * place.distance(to: start)
            }
        }
        // Two axes of 5 m each.
        #expect(abs((squares / 2000).squareRoot() - 50.0.squareRoot()) < 0.3)
    }

    @Test func countsTheAlarmsOfItsOwnVehicles() throws {
        var fleet = try fleet { $0.assigns = false }
        let alarm = Array(#"{"type":"place_entered","trip_id":null}"#.utf8)
        for vehicle in ["sim-1", "sim-2", "other"] {
            #expect(fleet.hear("\(vehicle)/alarm/place_entered", alarm, at: 1000).isEmpty)
        }
        #expect(fleet.tally.alarms == 2)
    }

    @Test func makesTheSameTownOfTheSameSeed() {
        let centre = Coordinate(latitude: 47.14, longitude: 9.52)
        var one = RouteGenerator(centre: centre, radius: 3000, length: 5000, seed: 7)
        var two = RouteGenerator(centre: centre, radius: 3000, length: 5000, seed: 7)
        var other = RouteGenerator(centre: centre, radius: 3000, length: 5000, seed: 8)
        let line = one.next()
        #expect(line == two.next())
        #expect(line != other.next())
        #expect((5000...5400).contains(RouteLine(line)?.length ?? 0))
        #expect(line.allSatisfy { $0.distance(to: centre) < 8500 })
    }
}

/// `simulate` against a real broker.
@Suite(.timeLimit(.minutes(5)))
struct SimulateCommandTests {
    @Test func publishesPositionsOverOneConnection() throws {
        let server = try MosquittoServer()
        let result = try Tool.run(
            "simulate", "--vehicles", "20", "--no-assign", "--interval", "0.2", "--seconds", "1.5",
            environment: ["WAYGATE_MQTT_URL": "mqtt://127.0.0.1:\(server.port)"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.hasPrefix(#"{"vehicles":20,"positions":1"#))
        #expect(server.log.split(separator: "New client connected").count == 2)
    }

    @Test func saysWhatIsWrongWithItsRoutes() throws {
        let result = try Tool.run("simulate", "--routes", "/nowhere.gpx")
        #expect(result.status == 1)
        #expect(result.errors == "waygate simulate: /nowhere.gpx: No such file or directory\n")
    }
}
