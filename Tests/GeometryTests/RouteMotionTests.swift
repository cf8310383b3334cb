import Geometry
import Testing

private let corner = [(60.0, 10.0), (60.01, 10), (60.01, 10), (60.01, 10.02)].map {
    Coordinate(latitude: $0.0, longitude: $0.1)
}

@Test func movesAlongARoute() throws {
    let line = try #require(RouteLine(corner))
    var motion = RouteMotion(line)
    #expect(motion.coordinate == corner[0])
    #expect(motion.course == 0)
    #expect(!motion.isAtEnd)
    motion.advance(by: 500)
    #expect(motion.offset == 500)
    #expect(abs(motion.coordinate.distance(to: corner[0]) - 500) < 0.01)
    motion.advance(by: 1000)
    #expect(abs((motion.course ?? 0) - 90) < 0.02)
    #expect(abs(motion.coordinate.latitude - 60.01) < 1e-9)
    motion.advance(by: -1500)
    #expect(motion.coordinate == corner[0])
    motion.advance(by: 1e9)
    #expect(motion.isAtEnd)
    #expect(motion.remaining == 0)
    #expect(motion.coordinate == corner[3])
    #expect(abs((motion.course ?? 0) - 90) < 0.02)
    motion.move(to: .nan)
    #expect(motion.offset == 0)
}

@Test func comesAsFarInManySmallSteps() throws {
    var random = SeededGenerator(seed: 7)
    let line = try #require(RouteLine(random.line(vertices: 40, step: 60_000)))
    var motion = RouteMotion(line)
    var way = 0.0
    var last = motion.coordinate
    while !motion.isAtEnd {
        motion.advance(by: 500)
        way += last.distance(to: motion.coordinate)
        last = motion.coordinate
    }
    #expect(abs(way - line.length) < 0.006 * line.length)
}

@Test func standsOnARouteWithoutLength() throws {
    let line = try #require(RouteLine([corner[0], corner[0]]))
    var motion = RouteMotion(line)
    #expect(motion.isAtEnd)
    motion.advance(by: 10)
    #expect(motion.coordinate == corner[0])
    #expect(motion.course == nil)
}
