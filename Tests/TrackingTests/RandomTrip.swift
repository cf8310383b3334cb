import Foundation
import Geometry
import Testing
import Tracking

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

    mutating func pick<Value>(_ values: [Value]) -> Value { values[index(below: values.count)] }

    /// Returns a place up to `reach` metres away, anywhere in that circle.
    mutating func place(near place: Coordinate, within reach: Double) -> Coordinate {
        guard reach > 0 else { return place }
        let distance = reach * number(0...1).squareRoot()
        return place.destination(course: number(0...360), distance: distance)
    }
}

/// How many trips each of the twelve laws is tried with: as many as `WAYGATE_LAW_SEEDS` says, or else 250, which
/// takes some seconds, and 3,000 where the tests are optimised.
private let lawSeedCount: UInt64 = {
    let more = ProcessInfo.processInfo.environment["WAYGATE_LAW_SEEDS"].flatMap(UInt64.init)
    #if DEBUG
        return more ?? 250
    #else
        return more ?? 3000
    #endif
}()

/// Returns the seeds that a law is tried with; no two laws have the same.
func lawSeeds(of law: Int) -> Range<UInt64> {
    let first = UInt64(law) * 1_000_000 + 1
    return first..<first + lawSeedCount
}

/// A trip made from a seed: its route, via points and options, and a drive along it.
struct RandomTrip {
    enum Shape: CaseIterable {
        case wander, loop, figureEight, hairpins, outAndBack, divided, dense, sparse
    }

    let shape: Shape
    let line: RouteLine
    let assignment: Assignment
    /// Seconds between two fixes.
    let interval: Double
    /// Metres per second.
    let speed: Double

    /// Makes a trip of a seed.
    init(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        shape = random.pick(Shape.allCases)
        line = try #require(RouteLine(Self.vertices(shape, &random)))
        speed = random.number(1.5...35)
        // Up to about a hundred fixes, and mostly fewer, so that many trips can be tried.
        let least = line.length / speed / random.pick([15, 40, 100])
        interval = random.pick([1, 2, 5, 15, 30, 60, 120, 300, 1800].filter { $0 > least })
        var options = TripOptions()
        options.arrivalRadius = random.number(10...80)
        options.deviationDistance = random.number(100...800)
        options.waitsAtWaypoints = random.chance(0.5)
        options.deviationConfirmations = random.pick([1, 1, 3])
        let length = line.length
        let spots = (0..<random.index(below: 6)).map { _ in random.number(0...length) }.sorted()
        let line = line
        assignment = Assignment(
            tripID: "trip-\(seed)", vehicleID: "vehicle",
            route: ProvidedRoute(coordinates: line.coordinates),
            viaPoints: spots.map { Target(coordinate: line.point(at: $0)) }, options: options)
    }

    /// Starts the trip at second 0.
    func start() throws -> Trip {
        try Trip.start(assignment, newest: nil, at: Timestamp(seconds: 0)).trip
    }

    /// Where the vehicle is at each interval: it stands at each via point for one, and at the end for some.
    func offsets(of trip: Trip) -> [Double] {
        var stands = trip.waypoints.compactMap(\.offset).map { (offset: $0, seconds: interval) }
        stands.append((line.length, 4 * interval))
        var offsets: [Double] = []
        var here = 0.0
        var now = 0.0
        for stand in stands {
            let reached = now + (stand.offset - here) / speed
            while Double(offsets.count) * interval < reached {
                offsets.append(here + (Double(offsets.count) * interval - now) * speed)
            }
            while Double(offsets.count) * interval <= reached + stand.seconds {
                offsets.append(stand.offset)
            }
            here = stand.offset
            now = reached + stand.seconds
        }
        return offsets
    }

    /// Whether fixes that are up to `noise` metres off leave open where the vehicle is: it may as well be at another
    /// pass of the route, where it can have come to from wherever it may have been at the fix before.
    ///
    /// So a crossing is no excuse where the vehicle would have had to leap to its other road, or to drive backwards.
    /// Where the route begins at its own end, that it begins there is seen as long as errors are not larger than what
    /// the first match allows.
    func canBeElsewhere(noise: Double) throws -> Bool {
        let quiet = max(15, assignment.options.arrivalRadius)
        let blur = quiet + 3 * noise
        // How fast it drives is not known before it has driven: as fast as in a town.
        let farthest = max(2 * speed, 20) * interval
        var possible = noise > quiet ? nil : [0.0]
        for offset in try offsets(of: start()) {
            let before = possible
            let places = line.passes(near: line.point(at: offset), within: blur).map(\.offset)
                .filter { place in
                    guard let before else { return true }
                    return before.contains {
                        place - $0 >= -2 * blur && place - $0 <= farthest + 2 * blur
                    }
                }
            if places.contains(where: { abs($0 - offset) > 2 * blur }) { return true }
            possible = places
        }
        return false
    }

    /// The fixes of the drive, up to `noise` metres off.
    func fixes(of trip: Trip, noise: Double = 0, _ random: inout SeededGenerator) -> [Fix] {
        offsets(of: trip).enumerated().map { index, offset in
            Fix(
                time: Timestamp(seconds: Double(index) * interval),
                coordinate: random.place(near: line.point(at: offset), within: noise))
        }
    }
}

extension RandomTrip: CustomStringConvertible {
    var description: String {
        let options = assignment.options
        return "\(shape) of \(Int(line.length)) m from \(line.vertex(0)), every \(interval) s at "
            + "\(speed) m/s, radius \(options.arrivalRadius), limit \(options.deviationDistance), "
            + "\(options.waitsAtWaypoints ? "gated" : "ungated")"
    }
}

extension RandomTrip {
    /// Returns a place anywhere on earth, with more at the antimeridian and in the high north than by chance.
    private static func start(_ random: inout SeededGenerator) -> Coordinate {
        let latitude = random.chance(0.25) ? random.number(79...82) : random.number(-70...70)
        let isAtTheEdge = random.chance(0.25)
        let longitude = isAtTheEdge ? random.number(179.97...180) : random.number(-180...180)
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    private static func vertices(
        _ shape: Shape, _ random: inout SeededGenerator
    ) -> [Coordinate] {
        let start = start(&random)
        let course = random.number(0...360)
        switch shape {
        case .wander: return wander(start, count: 5...60, step: 30...400, &random)
        case .dense: return wander(start, count: 200...800, step: 1...10, &random)
        case .sparse: return wander(start, count: 2...5, step: 1000...8000, &random)
        case .outAndBack:
            let way = wander(start, count: 3...30, step: 50...400, &random)
            return way + way.reversed().dropFirst()
        case .divided:
            let way = wander(start, count: 3...30, step: 50...400, &random)
            return way + way.reversed().map { $0.destination(course: course, distance: 12) }
        case .loop:
            return circle(start, course, radius: random.number(100...1200), turn: 1)
        case .figureEight:
            let radius = random.number(100...800)
            return circle(start, course, radius: radius, turn: 1)
                + circle(start, course, radius: radius, turn: -1).dropFirst()
        case .hairpins:
            let leg = random.number(200...1500)
            let gap = random.number(15...120)
            return (0..<2 * random.index(below: 4) + 4).map { index in
                let side = start.destination(course: course, distance: Double(index / 2) * gap)
                let isFar = index % 4 == 1 || index % 4 == 2
                return side.destination(course: course + 90, distance: isFar ? leg : 0)
            }
        }
    }

    private static func wander(
        _ start: Coordinate, count: ClosedRange<Int>, step: ClosedRange<Double>,
        _ random: inout SeededGenerator
    ) -> [Coordinate] {
        var line = [start]
        var course = random.number(0...360)
        let count = Int.random(in: count, using: &random)
        while line.count < count {
            course += random.number(-40...40)
            line.append(
                line[line.count - 1].destination(course: course, distance: random.number(step)))
        }
        return line
    }

    /// A circle that begins and ends at `start`, to the right or to the left.
    private static func circle(
        _ start: Coordinate, _ course: Double, radius: Double, turn: Double
    ) -> [Coordinate] {
        let center = start.destination(course: course + 90 * turn, distance: radius)
        return [start]
            + (1..<36).map { index in
                center.destination(
                    course: course - 90 * turn + 10 * turn * Double(index), distance: radius)
            } + [start]
    }
}
