import Geometry
import Tracking

/// Made-up routes through a town: streets that cross, and roads that are driven twice.
enum StreetPlan: CaseIterable {
    /// Blocks of 230 m, on or round a corner at each crossing.
    case blocks
    /// Streets of one to three blocks, and a corner at the end of each.
    case streets
    /// The same as `blocks`, and once round a block or two, twice.
    case twiceRound
    /// The same with blocks of another size.
    case otherBlocks
    /// The same as `streets`, and the way back now and then.
    case turningBack
    /// Blocks of 100 to 400 m that are not quite straight, as `waygate simulate` makes them.
    case town

    /// Makes a route.
    func route(_ random: inout SeededGenerator) -> [Coordinate] {
        if self == .town { return town(&random) }
        let block = self == .otherBlocks ? random.number(120...400) : 230
        let start = Coordinate(
            latitude: random.number(-60...60), longitude: random.number(-180...180))
        let course = random.number(0...360)
        var corner = SIMD2(0, 0)
        var corners = [corner]
        for move in moves(&random) {
            corner &+= move
            corners.append(corner)
        }
        return corners.map { corner in
            start.destination(course: course, distance: Double(corner.y) * block)
                .destination(course: course + 90, distance: Double(corner.x) * block)
        }
    }

    private static let ways = [SIMD2(0, 1), SIMD2(1, 0), SIMD2(0, -1), SIMD2(-1, 0)]

    /// From corner to corner of a grid, with 10 to 18 turns.
    private func moves(_ random: inout SeededGenerator) -> [SIMD2<Int>] {
        let longest = self == .streets || self == .turningBack ? 3 : 1
        var heading = random.index(below: 4)
        var headings: [Int] = []
        for _ in 0..<Int.random(in: 10...18, using: &random) {
            for _ in 0...random.index(below: longest) { headings.append(heading) }
            let turnsBack = self == .turningBack && random.chance(0.1)
            heading += turnsBack ? 2 : random.pick(longest > 1 ? [1, 3] : [0, 1, 3])
        }
        if self == .twiceRound || self == .otherBlocks {
            let place = random.index(below: headings.count)
            let turn = random.pick([1, 3])
            let round = (0..<random.pick([4, 5, 8])).map { headings[place] + $0 * turn }
            headings.insert(contentsOf: round, at: place)
        }
        return headings.map { Self.ways[$0 % 4] }
    }

    private func town(_ random: inout SeededGenerator) -> [Coordinate] {
        var line = [Coordinate(latitude: 47.14, longitude: 9.52)]
        var heading = random.index(below: 4)
        var length = 0.0
        while length < 5000 {
            let block = random.number(100...400)
            let course = 20 + Double(heading) * 90 + random.number(-4...4)
            line.append(line[line.count - 1].destination(course: course, distance: block))
            length += block
            heading += random.pick([0, 0, 1, 3])
        }
        return line
    }
}
