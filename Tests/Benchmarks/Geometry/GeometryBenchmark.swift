import Geometry

/// Measures what it costs to find a place on a route, by the route's size:
/// `swift run -c release GeometryBenchmark [areas]`.
@main
enum RouteSearchBenchmark {
    static func main() {
        if CommandLine.arguments.contains("areas") { return AreaBenchmark.run() }
        for count in [10, 500, 10_000, 100_000] {
            guard let line = road(vertices: count) else { continue }
            let bytes = Double(line.memoryBytes) / Double(count)
            print(
                "-- \(count) vertices, \(Int(line.length / 1000)) km,",
                "\((bytes * 10).rounded() / 10) bytes a vertex")
            measure(line)
        }
        measureBuilding()
        AreaBenchmark.run()
    }

    private static func measure(_ line: RouteLine) {
        var random = Seeded(11)
        // Fixes 15 s apart at 20 m/s, 8 m off the road, as a vehicle in the middle of its route sends them.
        let fixes = (0..<1000).map { _ in
            let offset = random.number(0...1) * line.length
            return (
                before: offset,
                place: line.point(at: min(offset + 300, line.length))
                    .destination(course: random.number(0...360), distance: 8)
            )
        }
        func ordinary(_ name: String, _ query: (Int, Double, Coordinate) -> Double) {
            Measure.time(name, runs: 1000) { run in
                let fix = fixes[run % fixes.count]
                return query(run, fix.before, fix.place)
            }
        }
        ordinary("nearest, window of 3 km") { _, before, place in
            line.nearest(to: place, from: before - 1500, to: before + 1500, hint: before).offset
        }
        ordinary("passes, window of 3 km") { _, before, place in
            var sum = 0.0
            line.forEachPass(
                near: place, from: before - 1500, to: before + 1500, within: 50, hint: before
            ) { pass, _ in sum += pass.offset }
            return sum
        }
        ordinary("passes, from the start to 1.5 km ahead") { _, before, place in
            var sum = 0.0
            line.forEachPass(near: place, from: 0, to: before + 1500, within: 50, hint: before) {
                pass, _ in
                sum += pass.offset
            }
            return sum
        }
        let wrong = (0..<1000).map { _ in random.number(0...1) * line.length }
        ordinary("passes, all, a jump to anywhere") { run, _, place in
            var sum = 0.0
            let hint = wrong[run % wrong.count]
            line.forEachPass(near: place, from: 0, to: line.length, within: 50, hint: hint) {
                pass, _ in
                sum += pass.offset
            }
            return sum
        }
        for away in [30.0, 200, 1000, 9000] {
            let far = line.point(at: line.length / 2)
                .destination(course: 160, distance: away * 1000)
            ordinary("passes, all, from \(Int(away)) km off the road") { _, _, _ in
                var sum = 0.0
                line.forEachPass(near: far, from: 0, to: line.length, within: 50, hint: nil) {
                    pass, _ in
                    sum += pass.offset
                }
                return sum
            }
        }
        ordinary("point at an offset") { _, before, _ in line.point(at: before).latitude }
        ordinary("course at an offset") { _, before, _ in line.course(at: before) ?? 0 }
    }

    private static func measureBuilding() {
        print("-- others")
        guard let line = road(vertices: 500) else { return }
        let coordinates = line.coordinates
        Measure.time("a line of 500 vertices from coordinates", runs: 5) { _ in
            RouteLine(coordinates)?.length ?? 0
        }
        let packed = line.packed
        print("packed: \(Double(packed.count) / 500) bytes a vertex")
        Measure.time("a line of 500 vertices from bytes", runs: 5) { _ in
            RouteLine(decoding: packed)?.length ?? 0
        }
        Measure.time("a line of 500 vertices to bytes", runs: 5) { _ in Double(line.packed.count) }
        Measure.time("distance, 40 m", runs: 1000) { run in
            coordinates[run % 499].distance(to: coordinates[run % 499 + 1])
        }
        Measure.time("distance, up to 20 km", runs: 1000) { run in
            coordinates[run % 500].distance(to: coordinates[0])
        }
    }

    /// Returns a road through the country: bends, straights and the odd hairpin, 40 m between vertices.
    private static func road(vertices count: Int) -> RouteLine? {
        var random = Seeded(UInt64(count))
        var line = [Coordinate(latitude: 48.1, longitude: 11.6)]
        var course = 70.0
        var bend = 0.0
        while line.count < count {
            if random.number(0...1) < 0.1 { bend = random.number(-12...12) }
            // Roads lead somewhere: back towards the east.
            course += bend + (70 - course) * 0.03
            line.append(
                line[line.count - 1].destination(course: course, distance: random.number(10...70)))
        }
        return RouteLine(line)
    }
}
