import Geometry
import Glibc
import Tracking
import Watching

/// Measures what places cost a fix, a put and a vehicle: `swift run -c release WatchingBenchmark`.
///
/// Vehicles drive at 15 m/s through a country with places, one fix a second each, in turns. Each row has a limit that the
/// product promises on a machine of 2020; the exit status is 1 where one is not kept.
@main
enum WatchingBenchmark {
    private static let seconds = 60

    /// Prints one line for each case.
    static func main() throws {
        print(pad("case", 58), pad("mean ns a fix", 14), pad("limit", 8))
        let idle = Fleet(1000, over: 100_000)
        report("no place, no limits", fleet: idle, Surroundings(), limit: 100)
        let wide = Fleet(1000, over: 100_000)
        report(
            "10,000 places over 100 x 100 km", fleet: wide,
            Country.mixed(10_000, over: 100_000, vertices: 20), limit: 500)
        report(
            "the same, a full look at each fix", fleet: wide,
            Country.mixed(10_000, over: 100_000, vertices: 20), limit: 2000, looksAlways: true)
        report(
            "10,000 places over 10 x 10 km, 5 overlap everywhere", fleet: Fleet(1000, over: 10_000),
            Country.mixed(10_000, over: 10_000, vertices: 20, radius: 120), limit: 2000)
        report(
            "one polygon of 10,000 vertices, crossed by all", fleet: Fleet(1000, over: 2000),
            Country.mixed(1, over: 1, vertices: 10_000, radius: 900, onlyPolygons: true),
            limit: 3000)
        report(
            "1,000 places on one spot", fleet: Fleet(100, over: 100),
            Country.mixed(1000, over: 10, vertices: 20, radius: 500), limit: 60_000)
        hundredThousand()
        putForAll()
        memory()
        exit(failures == 0 ? 0 : 1)
    }

    nonisolated(unsafe) private static var failures = 0

    private static func report(
        _ name: String, fleet: Fleet, _ surroundings: Surroundings, limit: Int,
        looksAlways: Bool = false
    ) {
        var best = Int.max
        for round in 0..<3 {
            var fleet = fleet
            // The first second finds where all vehicles are.
            fleet.drive(1, among: surroundings, looksAlways: looksAlways)
            let start = nanosecondsOfThread()
            fleet.drive(seconds, among: surroundings, looksAlways: looksAlways)
            let took = (nanosecondsOfThread() - start) / (seconds * fleet.count)
            best = min(best, took)
            if round == 2, fleet.driven == 0 { print("nothing was driven") }
        }
        line(name, best, limit: limit)
    }

    private static func hundredThousand() {
        let start = nanosecondsOfThread()
        let before = residentBytes()
        let country = Country.mixed(100_000, over: 300_000, vertices: 10)
        let took = (nanosecondsOfThread() - start) / 1_000_000
        line("100,000 places, 1,000,000 vertices: made and indexed, ms", took, limit: 3000)
        line("the same: MB", (residentBytes() - before) / 1_000_000, limit: 60)
        report("the same: a fix", fleet: Fleet(1000, over: 300_000), country, limit: 1000)
    }

    /// A put with 20,000 vehicles known.
    private static func putForAll() {
        var surroundings = Country.mixed(1000, over: 100_000, vertices: 20)
        var fleet = Fleet(20_000, over: 100_000)
        fleet.drive(2, among: surroundings)
        let change = surroundings.places.put(Country.yard(id: "new", at: Country.point(0, 0)))
        let start = nanosecondsOfThread()
        fleet.tell(.placePut(change), among: surroundings)
        line(
            "a put with 20,000 vehicles, microseconds", (nanosecondsOfThread() - start) / 1000,
            limit: 10_000)
    }

    private static func memory() {
        let surroundings = Country.mixed(10_000, over: 10_000, vertices: 20, radius: 120)
        let before = residentBytes()
        var fleet = Fleet(100_000, over: 1_000_000)
        fleet.drive(3, among: Surroundings())
        let alone = (residentBytes() - before) / fleet.count
        print(
            "bytes a vehicle, in place \(MemoryLayout<Watch>.stride), with what it refers to \(alone)"
        )
        var among = Fleet(20_000, over: 10_000)
        among.drive(2, among: surroundings)
        let packed = among.packedBytes(among: surroundings)
        print("bytes a packed watch among places: \(packed)")
        withExtendedLifetime((fleet, among)) {}
    }

    private static func line(_ name: String, _ value: Int, limit: Int) {
        let isKept = value <= limit
        if !isKept { failures += 1 }
        print(pad(name, 58), pad("\(value)", 14), pad("\(limit)", 8), isKept ? "" : "NOT KEPT")
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
