import Geometry
import Testing
import Tracking

/// A drive through made-up streets, of which it is known where the vehicle was and what its receiver said.
struct StreetDrive {
    /// How the vehicle drives, and how it is seen.
    struct Manner {
        /// Standard deviation of the receiver's error to each side, in metres, and the seconds that it lasts.
        var sigma: Double
        var lasting = 20.0
        /// Seconds between two fixes.
        var interval: Double
        /// Metres per second; at random where there is none.
        var speed: Double?
        /// Whether it keeps its speed; else it changes it every few hundred metres, and stops now and then.
        var isSteady = true
        /// Whether it stands at each via point until that is visited, and fixes tell their accuracy, as
        /// `waygate simulate` does it.
        var isSimulated = false
        /// Whether it is held at via points.
        var waits = false
    }

    let manner: Manner
    let line: RouteLine
    private let assignment: Assignment
    private let speed: Double
    private var random: SeededGenerator

    /// Makes the drive of a seed.
    init(seed: UInt64, plan: StreetPlan, _ manner: Manner) throws {
        self.manner = manner
        var random = SeededGenerator(seed: seed)
        let route = plan.route(&random)
        let line = try #require(RouteLine(route))
        self.line = line
        speed = manner.speed ?? random.number(6...22)
        var options = TripOptions()
        options.deviationDistance = 150
        options.waitsAtWaypoints = manner.waits
        let shares = [random.number(0.15...0.45), random.number(0.55...0.85)]
        let stops = shares.map { Target(coordinate: line.point(at: $0 * line.length)) }
        assignment = Assignment(
            tripID: "trip", vehicleID: "vehicle", route: ProvidedRoute(coordinates: route),
            viaPoints: stops, options: options)
        self.random = random
    }

    /// Has the drive tracked, and tells what came of it.
    func track() throws -> DriveTally {
        var witness = try DriveWitness(assignment, on: line)
        var random = random
        var receiver = Receiver(sigma: manner.sigma, lasting: manner.lasting, &random)
        var driver = Driver(speed: speed, isSteady: manner.isSteady)
        var now = 0.0
        // At its end it stands for five minutes, and for eight fixes.
        var end = Double.infinity
        // A vehicle that stands at a stop which is not noticed would stand there for ever.
        while now <= min(end, 7200), !witness.trip.isOver {
            if end == .infinity, driver.offset >= line.length {
                end = now + max(300, 8 * manner.interval)
            }
            let fix = Fix(
                time: Timestamp(seconds: now),
                coordinate: receiver.report(line.point(at: driver.offset)),
                accuracy: manner.isSimulated ? max(3, 2 * manner.sigma) : nil)
            witness.see(fix, at: driver.offset)
            let barrier = witness.trip.waypoints.first { $0.status != .visited }?.offset
            driver.drive(
                manner.interval, upTo: manner.isSimulated ? barrier ?? line.length : line.length,
                &random)
            receiver.wait(manner.interval, &random)
            now += manner.interval
        }
        return witness.tally
    }
}

/// Somebody who drives along a route, evenly or not.
private struct Driver {
    /// Metres from the start.
    private(set) var offset = 0.0
    private let usual: Double
    private let isSteady: Bool
    private var speed: Double
    private var nextChange = 0.0
    private var halt = 0.0

    init(speed: Double, isSteady: Bool) {
        usual = speed
        self.speed = speed
        self.isSteady = isSteady
    }

    /// Drives on for some seconds, but not beyond an offset.
    mutating func drive(_ seconds: Double, upTo end: Double, _ random: inout SeededGenerator) {
        var rest = seconds
        while rest > 0, offset < end {
            if halt > 0 {
                let pause = min(halt, rest)
                halt -= pause
                rest -= pause
                continue
            }
            if !isSteady, offset >= nextChange { change(&random) }
            let goal = isSteady ? end : min(end, nextChange)
            let way = min(speed * rest, goal - offset)
            rest -= max(way / speed, 1e-6)
            offset = way < goal - offset ? offset + way : goal
        }
    }

    private mutating func change(_ random: inout SeededGenerator) {
        speed = usual * random.number(0.4...1.4)
        nextChange = offset + random.number(100...500)
        if random.chance(0.25) { halt = random.number(5...60) }
    }
}
