import Geometry
import Testing

@Test(arguments: 1...20)
func unpacksWhatItPacked(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<20 {
        let count = 2 + random.index(below: 300)
        let line = try #require(RouteLine(random.line(vertices: count, step: 50)))
        let copy = try #require(RouteLine(decoding: line.packed))
        #expect(copy == line)
        #expect(copy.length == line.length)
        #expect(copy.coordinates == line.coordinates)
        #expect(copy.packed == line.packed)
    }
}

@Test func packsTheWholeMap() throws {
    let corners = [
        (90.0, 180.0), (-90, -180), (90, -180), (-90, 180), (0, 0), (1e-7, -1e-7),
        (12.3456789, 98.7654321),
    ].map { Coordinate(latitude: $0.0, longitude: $0.1) }
    let line = try #require(RouteLine(corners))
    #expect(line.coordinates == corners)
    #expect(RouteLine(decoding: line.packed)?.coordinates == corners)
    #expect(line.length.isFinite)
}

@Test(
    arguments: [
        [], [1], [2, 2, 0, 0, 0, 0], [0, 2, 0, 0, 0, 0], [1, 0], [1, 1, 0, 0],
        // Too few vertices, and more bytes than vertices.
        [1, 3, 0, 0, 0, 0], [1, 2, 0, 0, 0, 0, 0],
        // A count that no memory could hold, and one of more bits than are allowed.
        [1, 0xff, 0xff, 0xff, 0xff, 0x7f, 0, 0],
        [1, 0x82, 0x80, 0x80, 0x80, 0x80, 0x80, 0, 0, 0, 0],
        // A latitude and a longitude out of range, and a number without an end.
        [1, 2, 0xff, 0xff, 0xff, 0xff, 0x7f, 0, 0, 0],
        [1, 2, 0, 0xff, 0xff, 0xff, 0xff, 0x7f, 0, 0],
        [1, 2, 0, 0, 0, 0x80],
    ] as [[UInt8]])
func refusesBytesThatAreNoLine(bytes: [UInt8]) {
    #expect(RouteLine(decoding: bytes) == nil)
}

@Test(arguments: 1...20)
func survivesHostileBytes(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let line = try #require(RouteLine(random.line(vertices: 30, step: 5000)))
    let packed = line.packed
    for length in packed.indices {
        #expect(RouteLine(decoding: packed[..<length]) == nil)
    }
    for _ in 0..<300 {
        var bytes = packed
        for _ in 0...random.index(below: 4) {
            bytes[random.index(below: bytes.count)] = UInt8.random(in: 0...255, using: &random)
        }
        guard let other = RouteLine(decoding: bytes) else { continue }
        #expect(other.length.isFinite)
        #expect(RouteLine(decoding: other.packed) == other)
        let pass = other.nearest(to: line.vertex(0), from: 0, to: other.length, hint: nil)
        #expect(pass.distance.isFinite && pass.offset.isFinite)
    }
}

@Test func takesLittleMemory() throws {
    var random = SeededGenerator(seed: 1)
    for count in [500, 10_000, 100_000] {
        var line = [random.place()]
        while line.count < count {
            line.append(
                line[line.count - 1].destination(course: random.number(0...90), distance: 30))
        }
        let route = try #require(RouteLine(line))
        #expect(Double(route.memoryBytes) / Double(count) <= 16)
    }
}
