import Geometry
import Glibc
import Tracking

/// Measures what one fix costs, and what a trip takes in memory: `swift run -c release TrackingBenchmark`.
///
/// The ordinary path drives along the route; the worst one jumps to anywhere on it, with the whole route to be
/// searched.
@main
enum TrackingBenchmark {
    private static let sizes = [10, 500, 10_000, 100_000]
    private static let rounds = 20

    /// Prints one line for each length of a route, the fastest of 20 rounds.
    static func main() throws {
        let others = try bytesBesideRoute(winding(10))
        print(
            "a trip with three via points takes \(others) bytes beside its route's line, "
                + "\(MemoryLayout<Trip>.stride) of them in place"
        )
        print("vertices  ordinary ns  jump ns  route bytes a vertex")
        for count in sizes {
            let coordinates = winding(count)
            let trip = try trip(coordinates, maxSpeed: 70)
            // Any jump is believed, so that each one searches all that is ahead.
            let jumper = try self.trip(coordinates, maxSpeed: 1e9)
            guard let line = trip.route?.line else { continue }
            let ordinary = cost(of: fixes(on: line, jumping: false), by: trip)
            let jumping = cost(of: fixes(on: line, jumping: true), by: jumper)
            let share = Double(line.memoryBytes) / Double(count)
            print("\(count)  \(ordinary)  \(jumping)  \((share * 10).rounded() / 10)")
        }
    }

    private static func trip(
        _ coordinates: [Coordinate], maxSpeed: Double, viaPoints: [Target]? = nil
    ) throws -> Trip {
        let last = Target(coordinate: coordinates[coordinates.count - 1], id: "stop")
        var options = TripOptions()
        options.maxSpeed = maxSpeed
        options.waitsAtWaypoints = false
        options.arrivalRadius = 20
        let assignment = Assignment(
            tripID: "trip-000001", vehicleID: "truck-17",
            route: ProvidedRoute(coordinates: coordinates),
            viaPoints: viaPoints ?? [last], options: options)
        return try Trip.start(assignment, newest: nil, at: Timestamp(seconds: 0)).trip
    }

    /// A road of 30 m segments that winds its way, and crosses itself now and then.
    private static func winding(_ count: Int) -> [Coordinate] {
        var line = [Coordinate(latitude: 47, longitude: 9)]
        var course = 0.0
        var state: UInt64 = 1
        for _ in 1..<count {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            course += Double(state >> 40) / Double(1 << 24) * 60 - 30
            line.append(line[line.count - 1].destination(course: course, distance: 30))
        }
        return line
    }

    /// Fixes 8 m off the road: in order, 15 m apart, or all over the first seven tenths of it.
    private static func fixes(on line: RouteLine, jumping: Bool) -> [Fix] {
        let end = line.length * 0.7
        let count = jumping ? 2000 : min(Int(end / 15), 20_000)
        return (0..<count).map { index in
            let share = (Double(index) * 0.618_033_988_749_895)
                .truncatingRemainder(dividingBy: 1)
            let offset = jumping ? share * end : Double(index) * 15
            return Fix(
                time: Timestamp(seconds: Double(index + 1)),
                coordinate: line.point(at: offset).destination(course: 40, distance: 8))
        }
    }

    /// Nanoseconds a fix.
    private static func cost(of fixes: [Fix], by trip: Trip) -> Int {
        let repeats = max(1, 2000 / fixes.count)
        var best = Int.max
        var tracked = 0
        for _ in 0..<rounds {
            let start = nanosecondsOfThread()
            for _ in 0..<repeats {
                var trip = trip
                for fix in fixes {
                    let outcome = trip.handle(.fix(fix), at: fix.time)
                    if outcome.disposition == .tracked { tracked += 1 }
                }
            }
            best = min(best, nanosecondsOfThread() - start)
        }
        precondition(tracked == fixes.count * repeats * rounds, "a fix was not tracked")
        return best / (fixes.count * repeats)
    }

    /// What a trip with three via points takes in memory, without its route's line.
    private static func bytesBesideRoute(_ coordinates: [Coordinate]) throws -> Int {
        let viaPoints = [3, 5, 7].map {
            Target(coordinate: coordinates[$0], id: "stop-\($0)", name: "Depot \($0)")
        }
        let count = 20_000
        var trips: [Trip] = []
        trips.reserveCapacity(count)
        let tripBytes = try bytes {
            for _ in 0..<count {
                trips.append(try trip(coordinates, maxSpeed: 70, viaPoints: viaPoints))
            }
        }
        var lines: [RouteLine?] = []
        let lineBytes = bytes { lines = (0..<count).map { _ in RouteLine(coordinates) } }
        return withExtendedLifetime((trips, lines)) { (tripBytes - lineBytes) / count }
    }

    /// What the process takes more in memory after some work.
    private static func bytes(_ work: () throws -> Void) rethrows -> Int {
        let before = residentBytes()
        try work()
        return residentBytes() - before
    }

    /// What the process has in memory.
    private static func residentBytes() -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var text = [CChar](repeating: 0, count: 256)
        guard fgets(&text, 255, file) != nil else { return 0 }
        let values = text.prefix { $0 != 0 }.map { Character(Unicode.Scalar(UInt8($0))) }
            .split(separator: " ")
        return values.count > 1 ? (Int(String(values[1])) ?? 0) * sysconf(Int32(_SC_PAGESIZE)) : 0
    }

    /// What the thread has run on a processor: less disturbed by others than the time of day.
    private static func nanosecondsOfThread() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
