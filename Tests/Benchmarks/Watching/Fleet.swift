import Geometry
import Glibc
import Tracking
import Watching

/// Vehicles that drive straight on at 15 m/s, and turn at the edge of a square.
struct Fleet {
    fileprivate struct Vehicle {
        var watch: Watch
        var east: Double
        var north: Double
        var course: Double
    }

    fileprivate var vehicles: [Vehicle] = []
    private let half: Double
    private var second = 0
    /// How many fixes there were.
    private(set) var driven = 0

    init(_ count: Int, over extent: Double) {
        half = extent / 2
        var random = Seeded(11)
        vehicles = (0..<count).map { index in
            Vehicle(
                watch: Watch(vehicleID: "vehicle-\(index)"),
                east: random.number(-half...half), north: random.number(-half...half),
                course: random.number(0...2 * Double.pi))
        }
    }

    var count: Int { vehicles.count }

    /// Drives on, each vehicle with one fix a second.
    mutating func drive(_ seconds: Int, among surroundings: Surroundings, looksAlways: Bool = false)
    {
        for _ in 0..<seconds {
            second += 1
            var surroundings = surroundings
            // What was found before a change is not believed after it.
            if looksAlways { surroundings.places.put(Country.yard(id: "far", at: Self.far)) }
            let time = Timestamp(seconds: Double(1_000_000 + second))
            for index in vehicles.indices {
                let fix = Fix(
                    time: time, coordinate: vehicles[index].move(within: half), accuracy: 5,
                    speed: 15)
                let outcome = vehicles[index].watch.handle(
                    .fix(WatchedFix(fix)), at: time, in: surroundings)
                driven += outcome.objection == nil ? 1 : 0
            }
        }
    }

    private static let far = Coordinate(latitude: -40, longitude: -100)

    mutating func tell(_ input: WatchInput, among surroundings: Surroundings) {
        for index in vehicles.indices {
            _ = vehicles[index].watch.handle(
                input, at: Timestamp(seconds: 2_000_000), in: surroundings)
        }
    }

    /// The mean length of a packed watch.
    func packedBytes(among surroundings: Surroundings) -> Int {
        vehicles.reduce(0) { $0 + $1.watch.encode(in: surroundings).count } / max(count, 1)
    }
}

extension Fleet.Vehicle {
    fileprivate mutating func move(within half: Double) -> Coordinate {
        east += 15 * sin(course)
        north += 15 * cos(course)
        if abs(east) > half || abs(north) > half { course += 2 }
        return Country.point(east, north)
    }
}

/// What the thread has run on a processor: less disturbed by others than the time of day.
func nanosecondsOfThread() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// What the process has in memory.
func residentBytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var text = [CChar](repeating: 0, count: 256)
    guard fgets(&text, 255, file) != nil else { return 0 }
    let values = text.prefix { $0 != 0 }.map { Character(Unicode.Scalar(UInt8($0))) }
        .split(separator: " ")
    return values.count > 1 ? (Int(String(values[1])) ?? 0) * sysconf(Int32(_SC_PAGESIZE)) : 0
}
