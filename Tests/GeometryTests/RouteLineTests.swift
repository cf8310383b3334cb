import Geometry
import Testing

/// Returns places that lie some metres to the east and the north of another.
private func places(_ offsets: [(Double, Double)], from base: Coordinate) -> [Coordinate] {
    offsets.map { east, north in
        base.destination(course: 90, distance: east).destination(course: 0, distance: north)
    }
}

private let delhi = Coordinate(latitude: 28.6, longitude: 77.2)

@Test(arguments: [
    delhi, Coordinate(latitude: -16.8, longitude: 179.995),
    Coordinate(latitude: 69.6, longitude: -180), Coordinate(latitude: 0, longitude: 0),
])
func findsBothPassesOfAHairpin(base: Coordinate) throws {
    let line = try #require(
        RouteLine(places([(0, 0), (900, 0), (900, 30), (0, 30)], from: base)))
    let query = try #require(places([(350, 20)], from: base).first)
    #expect(abs(line.length - 1830) < 0.5)
    let passes = line.passes(near: query, from: 0, to: line.length, within: 15, hint: nil)
    try #require(passes.count == 2)
    #expect(abs(passes[0].offset - 350) < 0.5 && abs(passes[0].distance - 20) < 0.05)
    #expect(abs(passes[1].offset - 1480) < 0.5 && abs(passes[1].distance - 10) < 0.05)
    let nearest = line.nearest(to: query, from: 0, to: 600, hint: 100)
    #expect(abs(nearest.offset - passes[0].offset) < 0.001)
    #expect(abs(nearest.distance - passes[0].distance) < 0.001)
}

@Test func answersOnALineWithoutLength() throws {
    let line = try #require(RouteLine([delhi, delhi, delhi]))
    let query = Coordinate(latitude: 28.61, longitude: 77.2)
    #expect(line.length == 0)
    #expect(line.course(at: 0) == nil)
    #expect(line.point(at: 10) == delhi)
    let passes = line.passes(near: query, from: 0, to: 0, within: 100, hint: nil)
    try #require(passes.count == 1)
    #expect(passes[0].offset == 0 && abs(passes[0].distance - query.distance(to: delhi)) < 0.01)
}

@Test func refusesWhatIsNoLine() {
    #expect(RouteLine([]) == nil)
    #expect(RouteLine([delhi]) == nil)
    #expect(RouteLine([delhi, Coordinate(latitude: 90.1, longitude: 0)]) == nil)
    #expect(RouteLine([delhi, Coordinate(latitude: .nan, longitude: 0)]) == nil)
}

@Test(arguments: [Double.nan, .infinity, -.infinity, 200])
func findsNothingNearWhatIsNoPlace(number: Double) throws {
    let line = try #require(RouteLine(places([(0, 0), (900, 0)], from: delhi)))
    let place = Coordinate(latitude: 28.6, longitude: number)
    #expect(line.passes(near: place, within: .infinity).isEmpty)
    #expect(line.nearest(to: place, from: 100) == .init(offset: 100, distance: .infinity))
}

@Test func takesOffsetsThatAreNoNumbersOrBeyondTheLine() throws {
    let line = try #require(RouteLine(places([(0, 0), (900, 0)], from: delhi)))
    let all = line.passes(near: delhi, within: .infinity)
    #expect(all.map(\.offset) == [0])
    for hint in [Double.nan, -.infinity, .infinity, 1e300] {
        let passes = line.passes(
            near: delhi, from: .nan, to: .infinity, within: .infinity, hint: hint)
        #expect(passes == all)
    }
    #expect(line.passes(near: delhi, from: 500, to: 100, within: 0).map(\.offset) == [500])
    #expect(
        line.passes(near: delhi, from: 5000, to: .nan, within: .nan).map(\.offset) == [line.length])
}

@Test func findsAPassAtEachEndOfAPartThatTheDistanceFallsTowards() throws {
    // A half circle's ends are both nearer than what is between them.
    let line = try #require(
        RouteLine(places([(-100, 0), (-100, 500), (100, 500), (100, 0)], from: delhi)))
    let passes = line.passes(near: delhi, within: 1000)
    #expect(passes.map { $0.offset.rounded() } == [0, 600, 1200])
    #expect(passes.map { $0.distance.rounded() } == [100, 500, 100])
    // From the middle of a part that only comes nearer, only its end counts.
    #expect(line.passes(near: delhi, from: 800, to: 1000, within: 1000).map(\.offset) == [1000])
}

@Test func findsOnePassAtARepeatedVertex() throws {
    let corner = places([(0, 0), (500, 0), (500, 0), (500, 0), (1000, 0)], from: delhi)
    let road = try #require(RouteLine(corner))
    let beside = try #require(places([(500, 30)], from: delhi).first)
    #expect(road.passes(near: beside, within: 1000).map { $0.offset.rounded() } == [500])
}
