import Geometry
import Testing
import Tracking

@testable import Routing

/// Rule R3: rounds around closed roads.
struct DetourTests {
    private static func place(_ east: Double, _ north: Double) -> Coordinate {
        Coordinate(latitude: 47 + north / 111_200, longitude: 9 + east / 76_000)
    }

    private static func road(
        _ id: String, _ east: Double, radius: Double = 50
    ) throws -> ClosedRoad {
        let area = try Area(.circle(center: place(east, 0), radius: radius))
        return ClosedRoad(
            place: PlaceLabel(id: id, name: id, category: nil, level: nil, revision: 1),
            closure: try #require(RoadClosure(area)))
    }

    private static func line(_ from: Double, _ to: Double) throws -> ClosedRoad {
        let area = try Area(.line([place(from, 0), place(to, 0)], width: 0))
        return ClosedRoad(place: nil, closure: try #require(RoadClosure(area)))
    }

    private static func route(_ places: [(Double, Double)], seconds: Double) -> ProvidedRoute {
        ProvidedRoute(coordinates: places.map { place($0.0, $0.1) }, duration: seconds)
    }

    private static let straight = route([(0, 0), (10_000, 0)], seconds: 600)
    private static let around = route(
        [(0, 0), (0, 2000), (10_000, 2000), (10_000, 0)], seconds: 700)

    @Test func areasAreExcludedInAdvanceWhileTheyAreSmall() throws {
        let roads = [
            try Self.road("a", 1000), try Self.road("large", 3000, radius: 1600),
            try Self.road("b", 5000),
        ]
        let detour = Detour(avoid: roads, excludes: true, mostRounds: 3)
        #expect(detour.exclusions.rings.count == 2 && detour.exclusions.places.isEmpty)
        let ring = detour.exclusions.rings[0]
        #expect(ring.first == ring.last)
        #expect(ring.allSatisfy { $0.distance(to: Self.place(1000, 0)) >= 50 })
    }

    @Test func whatAnAnswerDrivesOnIsExcludedNext() throws {
        var detour = Detour(
            avoid: [try Self.road("large", 3000, radius: 1600)], excludes: true, mostRounds: 3)
        #expect(detour.exclusions.isEmpty)
        let goesOn1 = detour.take([Self.straight])
        #expect(goesOn1)
        #expect(detour.exclusions.places.count == 3)
        #expect(detour.exclusions.places.allSatisfy { $0.course == nil })
        let goesOn2 = detour.take([Self.around])
        #expect(!goesOn2)
        #expect(detour.route == Self.around && !detour.isBlocked && detour.rounds == 2)
    }

    @Test func aLineIsExcludedInItsDirection() throws {
        var detour = Detour(
            avoid: [try Self.line(2000, 3000)], excludes: true, mostRounds: 3)
        let goesOn3 = detour.take([Self.straight])
        #expect(goesOn3)
        #expect(detour.exclusions.places.allSatisfy { abs(($0.course ?? 0) - 90) < 1 })
        let back = Self.route([(10_000, 0), (0, 0)], seconds: 600)
        var other = Detour(avoid: [try Self.line(2000, 3000)], excludes: true, mostRounds: 3)
        let goesOn = other.take([back])
        #expect(!goesOn && !other.isBlocked)
    }

    @Test func theFewestCrossingsWinAndThenTheShortestTime() throws {
        let roads = [
            try Self.road("a", 1000, radius: 1600), try Self.road("b", 5000, radius: 1600),
        ]
        let half = Self.route([(0, 0), (3000, 0), (3000, 3000), (10_000, 3000)], seconds: 900)
        var detour = Detour(avoid: roads, excludes: true, mostRounds: 3)
        let goesOn4 = detour.take([Self.straight])
        #expect(goesOn4)
        let goesOn5 = detour.take([half])
        #expect(goesOn5)
        let goesOn6 = detour.take([Self.straight])
        #expect(!goesOn6)
        #expect(detour.route == half && detour.isBlocked && detour.rounds == 3)
        // An engine that gives several at once has no further round.
        var given = Detour(avoid: [roads[1]], excludes: false, mostRounds: 3)
        let slow = Self.route([(0, 0), (0, 2500), (10_000, 2500), (10_000, 0)], seconds: 900)
        let fast = Self.route([(0, 0), (0, 2000), (10_000, 2000), (10_000, 0)], seconds: 800)
        let goesOn7 = given.take([Self.straight, slow, fast])
        #expect(!goesOn7)
        #expect(given.route == fast && given.exclusions.isEmpty)
    }

    @Test func withoutAWayTheRoadIsTakenAllTheSame() throws {
        var detour = Detour(avoid: [try Self.road("bridge", 5000)], excludes: true, mostRounds: 3)
        let goesOn8 = detour.fail()
        #expect(goesOn8)
        #expect(detour.exclusions.isEmpty)
        // One road at a time from now on, until the rounds are over.
        let goesOn9 = detour.take([Self.straight])
        #expect(goesOn9)
        let goesOn10 = detour.fail()
        #expect(!goesOn10)
        #expect(detour.route == Self.straight && detour.isBlocked)
    }

    @Test func withoutClosedRoadsAFailureIsOne() {
        var detour = Detour(avoid: [], excludes: true, mostRounds: 3)
        let goesOn = detour.fail()
        #expect(!goesOn && detour.route == nil)
    }
}
