import Geometry
import Testing

private let seeds = Array(UInt64(1)...12)

/// What an area must agree with, by the simplest means there are.
private struct Oracle {
    let shape: Area.Shape

    /// Returns the signed distance by looking at each edge as at a route.
    func distance(from place: Coordinate) throws -> Double {
        switch shape {
        case .point(let coordinate): return place.distance(to: coordinate)
        case .circle(let center, let radius): return place.distance(to: center) - radius
        case .line(let line, let width):
            return try #require(RouteLine(line)).nearest(to: place).distance - width / 2
        case .rectangle(let box):
            let corners = [
                (box.south, box.west), (box.south, box.east), (box.north, box.east),
                (box.north, box.west), (box.south, box.west),
            ].map { Coordinate(latitude: $0.0, longitude: $0.1) }
            return try distance(from: place, part: [corners])
        case .polygon(let parts):
            return try parts.map { try distance(from: place, part: $0) }.min() ?? .infinity
        }
    }

    private func distance(from place: Coordinate, part: [[Coordinate]]) throws -> Double {
        var nearest = Double.infinity
        var isInside = false
        for ring in part {
            let closed = ring + [ring[0]]
            nearest = min(nearest, try #require(RouteLine(closed)).nearest(to: place).distance)
            for (start, end) in zip(closed, closed.dropFirst()) {
                let (a, b) = (turn(from: place, to: start), turn(from: place, to: end))
                let isNorth = (
                    start.latitude > place.latitude, end.latitude > place.latitude
                )
                guard isNorth.0 != isNorth.1 else { continue }
                let share = (place.latitude - start.latitude) / (end.latitude - start.latitude)
                if a + share * (b - a) > 0 { isInside.toggle() }
            }
        }
        return isInside ? -nearest : nearest
    }

    private func turn(from place: Coordinate, to other: Coordinate) -> Double {
        let turn = other.longitude - place.longitude
        return turn > 180 ? turn - 360 : turn < -180 ? turn + 360 : turn
    }
}

@Test(arguments: seeds) func agreesWithTheSimplestMeans(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<12 {
        let center = random.habitablePlace()
        let radius: Double = [30, 300, 4000, 60_000][random.index(below: 4)]
        let shape = random.shape(around: center, radius: radius)
        let area = try Area(shape)
        for _ in 0..<20 {
            let place = center.destination(
                course: random.number(0...360), distance: radius * random.number(0...3))
            let found = area.distance(from: place)
            let expected = try Oracle(shape: shape).distance(from: place)
            #expect(
                abs(found - expected) <= 0.03 + 2e-4 * abs(expected),
                "\(seed) \(found) \(expected) \(place) \(shape)")
            let boundary = area.nearestBoundary(from: Viewpoint(place))
            #expect(abs(boundary.distance - found) <= 0.01 + 1e-5 * abs(found))
        }
    }
}

@Test(arguments: seeds) func tellsTheSameWhenMovedInLongitude(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<12 {
        let center = random.habitablePlace()
        let shape = random.shape(around: center, radius: 2000)
        // A whole number of ten millionths, and onto the antimeridian in one case of three.
        let turn = random.chance(0.3) ? 180 - center.longitude : random.number(-180...180)
        let area = try Area(shape)
        let moved = try Area(shape.moved(by: turn))
        #expect(abs(area.squareMetres / moved.squareMetres - 1) < 1e-5)
        for _ in 0..<20 {
            let place = center.destination(
                course: random.number(0...360), distance: random.number(0...5000))
            let distances = (
                area.distance(from: place), moved.distance(from: place.moved(by: turn))
            )
            #expect(abs(distances.0 - distances.1) < 0.03, "\(seed) \(distances)")
        }
    }
}

@Test(arguments: seeds) func piecesAreWhatIsInside(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<12 {
        let center = random.habitablePlace()
        let radius: Double = [30, 300, 4000, 60_000][random.index(below: 4)]
        let area = try Area(random.shape(around: center, radius: radius))
        let way = Way(
            from: center.destination(
                course: random.number(0...360), distance: radius * random.number(0...2)),
            to: center.destination(
                course: random.number(0...360), distance: radius * random.number(0...2)))
        let pieces = area.pieces(of: way)
        var length = 0.0
        for step in 0...400 {
            let fraction = Double(step) / 400
            let distance = area.distance(from: way.point(at: fraction))
            let isInside = pieces.contains { fraction >= $0.start && fraction <= $0.end }
            if abs(distance) > 0.05 + 1e-4 * radius {
                #expect(isInside == (distance <= 0), "\(seed) \(fraction) \(distance) \(pieces)")
            }
            if distance <= 0 { length += way.length / 400 }
        }
        let sum = pieces.reduce(0) { $0 + $1.length }
        #expect(abs(sum - length) <= way.length / 400 * Double(2 * pieces.count + 2) + 0.05)
        #expect(zip(pieces, pieces.dropFirst()).allSatisfy { $0.end < $1.start })
    }
}

@Test(arguments: seeds) func findsAllAreasThatAreNear(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var index = AreaIndex()
    var boxes: [Int32: CoordinateBox] = [:]
    let center = random.chance(0.3) ? random.place() : random.habitablePlace()
    for step in 0..<600 {
        let id = Int32(random.index(below: 300))
        if random.chance(0.25) {
            index.remove(id)
            boxes[id] = nil
        } else {
            let radius: Double = [1, 50, 3000, 80_000][random.index(below: 4)]
            let place = center.destination(
                course: random.number(0...360), distance: random.number(0...200_000))
            let box = try Area(.circle(center: place, radius: radius)).box
            index.put(id, box)
            boxes[id] = box
        }
        guard step % 40 == 0 else { continue }
        #expect(index.count == boxes.count)
        let place = center.destination(
            course: random.number(0...360), distance: random.number(0...200_000))
        let reach = random.number(0...30_000)
        var found: Set<Int32> = []
        let clear = index.forEachArea(within: reach, of: Viewpoint(place)) { found.insert($0) }
        #expect(clear >= reach)
        for (id, box) in boxes {
            let area = try Area(.rectangle(box))
            let distance = area.distance(from: place)
            if distance <= reach { #expect(found.contains(id), "\(seed)") }
            if !found.contains(id) { #expect(distance >= clear - 0.01, "\(seed)") }
        }
        let end = place.destination(course: random.number(0...360), distance: 40_000)
        let way = Way(from: place, to: end)
        var onWay: Set<Int32> = []
        index.forEachArea(within: 0, of: way) { onWay.insert($0) }
        for (id, box) in boxes where try !Area(.rectangle(box)).pieces(of: way).isEmpty {
            #expect(onWay.contains(id), "\(seed)")
        }
    }
}
