import Geometry

/// Measures what places cost: distances, ways, the check of a polygon, and the index.
enum AreaBenchmark {
    static func run() {
        measureShapes()
        measureChecks()
        measureIndex("10,000 areas over 100 × 100 km", count: 10_000, reach: 50_000, radius: 100)
        measureIndex("10,000 areas over 10 × 10 km", count: 10_000, reach: 5_000, radius: 126)
        measureIndex("100,000 areas over 300 × 300 km", count: 100_000, reach: 150_000, radius: 100)
    }

    private static let center = Coordinate(latitude: 47.14, longitude: 9.52)

    private static func measureShapes() {
        var random = Seeded(5)
        let places = (0..<1000).map { _ in
            center.destination(course: random.number(0...360), distance: random.number(0...1500))
        }
        print("-- shapes of 1 km")
        Measure.time("a viewpoint", runs: 1000) { run in
            Viewpoint(places[run % 1000]).coordinate.latitude
        }
        for (name, shape) in [
            ("circle", Area.Shape.circle(center: center, radius: 1000)),
            ("polygon of 5", .polygon([[star(5, 1000)]])),
            ("polygon of 20", .polygon([[star(20, 1000)]])),
            ("polygon of 200", .polygon([[star(200, 1000)]])),
            ("polygon of 10,000", .polygon([[star(10_000, 1000)]])),
            ("polygon of 10,000, 100 km wide", .polygon([[star(10_000, 50_000)]])),
            ("line of 20", .line(star(20, 1000), width: 15)),
        ] {
            guard let area = try? Area(shape) else { continue }
            print("\(name): \(area.memoryBytes) bytes")
            let views = places.map { Viewpoint($0) }
            Measure.time("distance", runs: 1000) { run in
                area.distance(from: views[run % 1000])
            }
            Measure.time("pieces of a way of about 1 km", runs: 100) { run in
                let way = Way(from: places[run % 1000], to: places[(run + 1) % 1000])
                return area.pieces(of: way).first?.start ?? 0
            }
        }
    }

    private static func measureChecks() {
        print("-- checks of 10,000 vertices")
        let shapes: [(String, [Coordinate])] = [
            ("star", star(10_000, 10_000)), ("comb, upright", comb(10_000, slant: 0)),
            ("comb, slanted", comb(10_000, slant: 0.01)),
            ("comb, level", comb(10_000, turned: true)),
            ("circle", round(10_000)),
        ]
        for (name, ring) in shapes {
            once(name) { (try? Area(.polygon([[ring]])))?.squareMetres ?? .nan }
        }
        let triangles = (0..<3333).map { number -> [[Coordinate]] in
            let corner = Coordinate(
                latitude: 10 + 0.0001 * Double(number / 60),
                longitude: 20 + 0.0001 * Double(number % 60))
            return [[corner, moved(corner, 0.00005, 0), moved(corner, 0, 0.00005)]]
        }
        once("3,333 parts") { (try? Area(.polygon(triangles)))?.squareMetres ?? .nan }
        let nested = (1...3333).map { size -> [Coordinate] in
            let size = 0.0001 * Double(size)
            return [
                Coordinate(latitude: 10 - size, longitude: 20 - size),
                Coordinate(latitude: 10 + 2 * size, longitude: 20 - size),
                Coordinate(latitude: 10 - size, longitude: 20 + 2 * size),
            ]
        }
        once("3,333 rings in each other") {
            (try? Area(.polygon([nested])))?.squareMetres ?? .nan
        }
    }

    private static func once(_ name: String, _ work: () -> Double) {
        let clock = ContinuousClock()
        var least = Duration.seconds(1000)
        var result = 0.0
        for _ in 0..<5 { least = min(least, clock.measure { result = work() }) }
        print(
            Measure.pad(name, 46), Measure.pad("\(least / .milliseconds(1)) ms", -26),
            result.isNaN ? "refused" : "")
    }

    private static func measureIndex(_ name: String, count: Int, reach: Double, radius: Double) {
        var random = Seeded(7)
        var areas: [Area] = []
        for number in 0..<count {
            let place = spread(&random, reach)
            let ring = (0..<20).map { index in
                place.destination(
                    course: 18 * Double(index), distance: radius * random.number(0.6...1))
            }
            let shape =
                number.isMultiple(of: 2)
                ? Area.Shape.circle(center: place, radius: radius) : .polygon([[ring]])
            if let area = try? Area(shape) { areas.append(area) }
        }
        print("-- \(name): \(areas.reduce(0) { $0 + $1.memoryBytes } / count) bytes an area")
        let boxes = areas.enumerated().map { (id: Int32($0.offset), box: $0.element.box) }
        once("index at once") { Double(AreaIndex(boxes).count) }
        once("index one by one") {
            var index = AreaIndex()
            for box in boxes { index.put(box.id, box.box) }
            return Double(index.count)
        }
        let index = AreaIndex(boxes)
        var grown = AreaIndex()
        for box in boxes { grown.put(box.id, box.box) }
        print("index: \(index.memoryBytes / count) bytes an area")
        let places = (0..<1000).map { _ in spread(&random, reach) }
        for (name, index) in [("", index), (", grown", grown)] {
            for radius in [0.0, 300, 1000] {
                var hits = 0
                Measure.time("within \(Int(radius)) m\(name)", runs: 1000) { run in
                    index.forEachArea(within: radius, of: Viewpoint(places[run])) { _ in hits += 1 }
                }
                print("   \(Double(hits) / 200_000) hits")
            }
        }
        Measure.time("a full look: within 200 m, all distances", runs: 1000) { run in
            let viewpoint = Viewpoint(places[run])
            var least = Double.infinity
            index.forEachArea(within: 200, of: viewpoint) { id in
                least = min(least, areas[Int(id)].distance(from: viewpoint))
            }
            return least
        }
        Measure.time("along a way of 300 m", runs: 1000) { run in
            var hits = 0.0
            let way = Way(from: places[run], to: places[run].destination(course: 40, distance: 300))
            index.forEachArea(within: 0, of: way) { _ in hits += 1 }
            return hits
        }
    }

    private static func spread(_ random: inout Seeded, _ reach: Double) -> Coordinate {
        center.destination(course: 0, distance: random.number(-reach...reach))
            .destination(course: 90, distance: random.number(-reach...reach))
    }

    private static func star(_ count: Int, _ radius: Double) -> [Coordinate] {
        var random = Seeded(UInt64(count))
        return (0..<count).map { index in
            center.destination(
                course: 360 * Double(index) / Double(count),
                distance: radius * random.number(0.7...1))
        }
    }

    private static func comb(_ count: Int, slant: Double = 0, turned: Bool = false) -> [Coordinate]
    {
        var ring = (0..<count - 2).map { index -> Coordinate in
            let along = 0.00001 * Double(index)
            let across = index % 4 == 1 || index % 4 == 2 ? 0.05 : 0
            return turned
                ? Coordinate(latitude: 10 + along, longitude: 20 + across)
                : Coordinate(latitude: 10 + across, longitude: 20 + along + across * slant)
        }
        ring.append(
            turned
                ? Coordinate(latitude: 10.2, longitude: 19.9)
                : Coordinate(latitude: 9.9, longitude: 20.2))
        ring.append(
            turned
                ? Coordinate(latitude: 10, longitude: 19.9)
                : Coordinate(latitude: 9.9, longitude: 20))
        return ring
    }

    private static func round(_ count: Int) -> [Coordinate] {
        (0..<count).map {
            center.destination(course: 360 * Double($0) / Double(count), distance: 20_000)
        }
    }

    private static func moved(_ place: Coordinate, _ north: Double, _ east: Double) -> Coordinate {
        Coordinate(latitude: place.latitude + north, longitude: place.longitude + east)
    }
}
