import Geometry

/// Random numbers that are the same for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    mutating func number(_ range: ClosedRange<Double>) -> Double {
        Double.random(in: range, using: &self)
    }

    mutating func index(below count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

    mutating func chance(_ share: Double) -> Bool { number(0...1) < share }
}

extension SeededGenerator {
    /// Returns a place anywhere on earth, with more near the antimeridian, the equator and the poles than there
    /// would be by chance.
    mutating func place() -> Coordinate {
        let latitude =
            switch index(below: 8) {
            case 0: number(-0.001...0.001)
            case 1: number(80...89)
            case 2: number(-89.99...(-89))
            default: number(-75...75)
            }
        let longitude =
            switch index(below: 5) {
            case 0: chance(0.5) ? number(179.99...180) : number(-180...(-179.99))
            default: number(-180...180)
            }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    /// Returns the vertices of a line of some shape, somewhere on earth.
    mutating func line(vertices count: Int, step: Double) -> [Coordinate] {
        var line = [place()]
        var course = number(0...360)
        let swing = [0, 5, 40, 180][index(below: 4)]
        let bend = [0, 0, 360 / Double(count), 720 / Double(count)][index(below: 4)]
        while line.count < count {
            course += bend + number(0...1) * Double(swing) - Double(swing) / 2
            // The second circle of a figure eight turns the other way.
            if bend > 0, line.count == count / 2, chance(0.5) { course += 180 }
            line.append(
                line[line.count - 1].destination(course: course, distance: step * number(0.2...1.8))
            )
            if chance(0.05) { line.append(line[line.count - 1]) }
        }
        if chance(0.2) { line += line.reversed() }
        if chance(0.2) { line.append(line[0]) }
        if chance(0.2) {
            line += line.reversed().map { $0.destination(course: course, distance: 30) }
        }
        return line
    }
}
