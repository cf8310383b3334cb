import Geometry
import Routing
import Store
import Telemetry
import Testing
import Tracking

@testable import Worker

/// What roadblocks and better routes do in the fleet: rows, events, retained topics, and what outlives a restart.
@Suite struct RoadTests {
    private static let bridge = """
        "name":"Bridge","geometry":{"circle":{"center":{"lat":47.1,"lon":9.54},"radius_m":100}}
        """

    /// A fleet with a vehicle that drives east through 47.1 N, and an engine that plans.
    private static func town(_ options: String = "") -> Town {
        var settings = FleetSettings(topicRoot: "fleet")
        settings.planner = .engine
        let town = Town(settings)
        town.drive("van", at: 0, 47.1, 9.5)
        town.command(
            "van", "assign",
            """
            "trip_id":"t","route":{"coordinates":[[9.5,47.1],[9.9,47.1]],"duration_s":3600},
            "options":{\(options)}
            """, at: 1)
        town.drive("van", at: 10, 47.1, 9.501)
        town.clear()
        return town
    }

    private static func route(_ places: [(Double, Double)], seconds: Double) -> ProvidedRoute {
        ProvidedRoute(
            coordinates: places.map { Coordinate(latitude: $0.1, longitude: $0.0) },
            duration: seconds)
    }

    /// A way over the next village.
    private static let detour = [
        (9.501, 47.1), (9.53, 47.1), (9.53, 47.13), (9.9, 47.13), (9.9, 47.1),
    ]

    @Test func aRoadblockIsToldAndTripsAskForAWayAround() throws {
        let town = Self.town()
        town.put("bridge", Self.bridge + ",\"roadblock\":{}", at: 20)
        #expect(
            town.published.map(\.topic) == [
                "fleet-place/bridge/event/place_put", "fleet-place/bridge/definition",
                "fleet-place/bridge/event/roadblock_activated", "fleet/van/event/will_reroute",
            ])
        // Its progress has its turn, as many vehicles may have something to tell.
        #expect(town.fleet.outbox.moved.map(\.id) == ["van"])
        #expect(Set(town.changes.events.map(\.eventID)).count == town.changes.events.count)
        let question = try #require(town.fleet.outbox.questions.first)
        #expect(question.request.avoid.map(\.place?.id) == ["bridge"])
        #expect(town.published[3].text.contains("\"roadblocks\":[\"bridge\"]"))
        #expect(town.changes.places.last?.closedSince != nil)
        #expect(town.fleet.activeRoadblocks == 1)
    }

    @Test func aRoadblockBeginsAndEndsByTheClock() {
        let town = Self.town()
        let span = "\"since\":\"2026-03-01T12:01:00Z\",\"until\":\"2026-03-01T12:02:00Z\""
        town.put("bridge", Self.bridge + ",\"roadblock\":{\(span)}", at: 20)
        #expect(town.fleet.activeRoadblocks == 0)
        #expect(town.fleet.nextRoadChange == Town.time(60))
        town.changeRoads(at: 59)
        #expect(town.fleet.activeRoadblocks == 0)
        town.changeRoads(at: 60)
        #expect(town.fleet.activeRoadblocks == 1 && town.fleet.nextRoadChange == Town.time(120))
        town.changeRoads(at: 121)
        #expect(town.fleet.activeRoadblocks == 0 && town.fleet.nextRoadChange == nil)
        let told = town.published.map(\.topic).filter { $0.contains("roadblock") }
        #expect(
            told == [
                "fleet-place/bridge/event/roadblock_activated",
                "fleet-place/bridge/event/roadblock_expired",
            ])
    }

    @Test func aDeletedOrChangedPlaceOpensTheRoad() {
        let town = Self.town()
        for (second, change) in [(20.0, ""), (30, ",\"roadblock\":{}"), (40, "")] {
            town.put("bridge", Self.bridge + change, at: second)
        }
        town.put("bridge", Self.bridge + ",\"roadblock\":{}", at: 50)
        town.take("fleet-place/bridge/command/delete", "", at: 60)
        let told = town.published.map(\.topic).filter { $0.hasPrefix("fleet-place/bridge/event/r") }
        #expect(
            told.map { String($0.split(separator: "_").last ?? "") } == [
                "activated", "expired", "activated", "expired",
            ])
        #expect(town.fleet.activeRoadblocks == 0)
    }

    @Test func aRoadblockThatIsMovedOntoTheRouteIsAskedAround() {
        let town = Self.town()
        let elsewhere = Self.bridge.replacing("47.1,", with: "47.2,")
        town.put("bridge", elsewhere + ",\"roadblock\":{}", at: 20)
        #expect(town.fleet.outbox.questions.isEmpty)
        town.put("bridge", Self.bridge + ",\"roadblock\":{}", at: 30)
        #expect(town.fleet.outbox.questions.count == 1)
        #expect(town.published.count { $0.topic.hasSuffix("roadblock_activated") } == 1)
    }

    @Test func roadblocksAndQuestionsOutliveARestartAndAreNotToldAgain() throws {
        let town = Self.town()
        town.put("bridge", Self.bridge + ",\"roadblock\":{}", at: 20)
        let again = Town(restoredFrom: town)
        #expect(again.fleet.activeRoadblocks == 1)
        again.changeRoads(at: 30)
        #expect(again.published.isEmpty)
        let question = try #require(again.fleet.openQuestions.first)
        #expect(question.request == town.fleet.outbox.questions.first?.request)
        again.take("fleet-place/bridge/command/delete", "", at: 60)
        #expect(again.published.contains { $0.topic.hasSuffix("roadblock_expired") })
    }

    @Test func aRoadblockThatWasMissedIsToldAfterTheRestart() {
        let town = Self.town()
        town.put(
            "bridge", Self.bridge + ",\"roadblock\":{\"since\":\"2026-03-01T12:01:00Z\"}", at: 20)
        let again = Town(restoredFrom: town)
        #expect(again.fleet.activeRoadblocks == 0 && again.fleet.nextRoadChange == Town.time(60))
        again.changeRoads(at: 500)
        #expect(again.published.first?.topic == "fleet-place/bridge/event/roadblock_activated")
    }

    @Test func aBetterRouteIsARetainedTopicUntilItIsGone() throws {
        let town = Self.town("\"better_route\":\"suggest\"")
        town.tick("van", at: 301)
        #expect(town.fleet.outbox.questions.map(\.request.purpose) == [.better])
        town.answer("van", Self.route(Self.detour, seconds: 1800), at: 302)
        let found = try #require(town.published.first { $0.topic.hasSuffix("better_route_found") })
        #expect(found.text.contains("\"proposal\":1,\"gain_s\":1"))
        let drawn = try #require(town.published.last)
        #expect(drawn.topic == "fleet/van/proposal" && drawn.isRetained && drawn.isAcknowledged)
        #expect(drawn.text.contains("\"type\":\"LineString\""))

        let again = Town(restoredFrom: town)
        #expect(again.fleet.vehicles["van"]?.trip?.proposal?.proposal.number == 1)
        again.command("van", "decline", "\"proposal\":1", at: 310)
        #expect(
            again.published.map(\.topic) == [
                "fleet/van/event/better_route_gone", "fleet/van/progress", "fleet/van/proposal",
            ])
        #expect(again.published.last?.payload == [])
        #expect(again.fleet.tally.proposals == ["declined": 1])
        again.command("van", "accept", "\"proposal\":1", at: 311)
        #expect(again.published.last?.text.contains("\"reason\":\"no_proposal\"") == true)
    }

    @Test func anOutsidePlannerIsNotAskedForBetterRoutes() {
        let town = Town()
        town.drive("van", at: 0, 47.1, 9.5)
        town.command(
            "van", "assign",
            """
            "trip_id":"t","route":{"coordinates":[[9.5,47.1],[9.9,47.1]],"duration_s":3600},
            "options":{"better_route":"take"}
            """, at: 1)
        town.drive("van", at: 10, 47.1, 9.501)
        town.tick("van", at: 301)
        #expect(town.fleet.vehicles["van"]?.trip?.outstandingRequest == nil)
    }

    @Test func aClosedPieceOutlivesARestart() throws {
        let town = Self.town()
        town.command("van", "avoid", "\"start_m\":1000,\"length_m\":500", at: 20)
        let question = try #require(town.fleet.outbox.questions.first)
        #expect(question.request.purpose == .avoid && question.request.avoid.count == 1)
        let again = Town(restoredFrom: town)
        #expect(again.fleet.openQuestions.map(\.request) == [question.request])
    }
}
