import Geometry
import Tracking
import Watching

/// Places scattered over a square around 47 north, 9.5 east.
enum Country {
    /// Returns the coordinate so many metres east and north of the middle.
    static func point(_ east: Double, _ north: Double) -> Coordinate {
        Coordinate(latitude: 47 + north / 111_170, longitude: 9.5 + east / 76_000)
    }

    static func yard(id: String, at center: Coordinate) -> Place {
        let area = unwrap { () throws(AreaError) in
            try Area(.circle(center: center, radius: 100))
        }
        return Place(
            id: id, revision: 1, putAt: Timestamp(seconds: 0), content: PlaceContent(area: area))
    }

    /// Makes places, every second one a circle, the others polygons.
    static func mixed(
        _ count: Int, over extent: Double, vertices: Int, radius: Double = 100,
        onlyPolygons: Bool = false
    ) -> Surroundings {
        var random = Seeded(7)
        var surroundings = Surroundings()
        for index in 0..<count {
            let center = point(
                random.number(-extent / 2...extent / 2), random.number(-extent / 2...extent / 2))
            let shape: Area.Shape =
                index.isMultiple(of: 2) && !onlyPolygons
                ? .circle(center: center, radius: radius)
                : .polygon([[ring(center, vertices, radius, &random)]])
            let area = unwrap { () throws(AreaError) in try Area(shape) }
            surroundings.places.put(
                Place(
                    id: "place-\(index)", revision: 1, putAt: Timestamp(seconds: 0),
                    content: PlaceContent(area: area)))
        }
        return surroundings
    }

    private static func ring(
        _ center: Coordinate, _ vertices: Int, _ radius: Double, _ random: inout Seeded
    ) -> [Coordinate] {
        (0..<vertices).map { corner in
            center.destination(
                course: Double(corner) * 360 / Double(vertices),
                distance: radius * random.number(0.8...1.1))
        }
    }

    /// A shape that is made here is right.
    private static func unwrap(_ area: () throws(AreaError) -> Area) -> Area {
        do throws(AreaError) {
            return try area()
        } catch {
            fatalError(error.message)
        }
    }
}

/// Random numbers that are the same on each run (SplitMix64).
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

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
}
