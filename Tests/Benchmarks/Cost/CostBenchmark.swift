import Geometry
import Telemetry
import Tracking
import Watching

/// Does one kind of work so many times, for valgrind to count its instructions: `CostBenchmark WORK TIMES`.
///
/// `Tests/Benchmarks/instructions` runs it and knows what each may cost.
@main
enum CostBenchmark {
    private static let position =
        #"{"time":"2026-03-01T11:59:30.250Z","lat":52.520008,"lon":13.404954,"speed_mps":13.9,"#
        + #""course_deg":271.5,"accuracy_m":4.5}"#

    static func main() throws {
        let words = CommandLine.arguments.dropFirst()
        guard words.count == 2, let work = words.first, let times = words.last.flatMap({ Int($0) })
        else {
            fatalError("usage: CostBenchmark decode|track|save|encode|watch|places|roads TIMES")
        }
        switch work {
        case "decode": try decode(times)
        case "track": _ = try drive(times)
        case "save":
            let trip = try drive(500)
            var bytes = 0
            for _ in 0..<times { bytes += trip.encodeState().count }
            precondition(bytes >= times)
        case "encode": try encode(times)
        case "watch": watch(times, among: Surroundings())
        case "places": watch(times, among: try placesOnAGrid())
        case "roads": try lookForRoadblocks(times)
        default: fatalError("unknown work: \(work)")
        }
    }

    /// One position of 120 bytes, from topic and payload to a report.
    private static func decode(_ times: Int) throws {
        let table = try SourceTable(root: "fleet", sources: [])
        let decoder = PositionDecoder()
        let topic = Array("fleet/truck-17/position".utf8)
        let payload = Array(position.utf8)
        for _ in 0..<times {
            guard case .position(let source) = topic.withUnsafeBytes({ table.match($0) }),
                case .accepted = payload.withUnsafeBytes({
                    decoder.decode(
                        $0, source: source,
                        receivedAt: Timestamp(microseconds: 1_772_366_400_000_000))
                })
            else { fatalError("the position is not accepted") }
        }
    }

    /// Fixes of a vehicle without a trip, 15 m apart.
    private static func watch(_ times: Int, among surroundings: Surroundings) {
        var watch = Watch(vehicleID: "truck-17")
        var place = Coordinate(latitude: 47, longitude: 9)
        for second in 0..<times {
            place = place.destination(course: 40, distance: 15)
            let time = Timestamp(seconds: Double(1_000_000 + second))
            let fix = Fix(time: time, coordinate: place, accuracy: 5, speed: 15)
            let outcome = watch.handle(.fix(WatchedFix(fix)), at: time, in: surroundings)
            precondition(outcome.objection == nil)
        }
    }

    /// 10,000 circles of 100 m, a kilometre from each other.
    private static func placesOnAGrid() throws -> Surroundings {
        var surroundings = Surroundings()
        for index in 0..<10_000 {
            let center = Coordinate(
                latitude: 47 + Double(index / 100) * 0.009,
                longitude: 9 + Double(index % 100) * 0.013)
            let area = try Area(.circle(center: center, radius: 100))
            surroundings.places.put(
                Place(
                    id: "place-\(index)", revision: 1, putAt: Timestamp(seconds: 0),
                    content: PlaceContent(area: area)))
        }
        return surroundings
    }

    /// Fixes along a road of 10,000 vertices.
    private static func drive(_ times: Int) throws -> Trip {
        var coordinates = [Coordinate(latitude: 47, longitude: 9)]
        for index in 1..<10_000 {
            let course = Double(index * 37 % 90)
            coordinates.append(
                coordinates[index - 1].destination(course: course, distance: 30))
        }
        let assignment = Assignment(
            tripID: "trip-000001", vehicleID: "truck-17",
            route: ProvidedRoute(coordinates: coordinates), options: TripOptions())
        var trip = try Trip.start(assignment, newest: nil, at: Timestamp(seconds: 0)).trip
        let line = RouteLine(coordinates)
        for index in 0..<times {
            let time = Timestamp(seconds: Double(index + 1))
            let place = line?.point(at: Double(index) * 15) ?? coordinates[0]
            let outcome = trip.handle(.fix(Fix(time: time, coordinate: place)), at: time)
            precondition(outcome.disposition == .tracked)
        }
        return trip
    }

    /// Whether a route of 2,000 vertices drives on one of 50 roadblocks, of each kind, that lie along it.
    private static func lookForRoadblocks(_ times: Int) throws {
        var coordinates = [Coordinate(latitude: 47, longitude: 9)]
        for index in 1..<2000 {
            let course = Double(index * 37 % 90)
            coordinates.append(
                coordinates[index - 1].destination(course: course, distance: 30))
        }
        guard let line = RouteLine(coordinates) else { fatalError("no line") }
        let closures = try (0..<50).map { index -> RoadClosure in
            let place = coordinates[20 + index * 39].destination(course: 135, distance: 150)
            let end = place.destination(course: 225, distance: 300)
            let shapes: [Area.Shape] = [
                .circle(center: place, radius: 50), .point(place), .line([place, end], width: 0),
            ]
            guard let closure = RoadClosure(try Area(shapes[index % 3])) else {
                fatalError("no closure")
            }
            return closure
        }
        for index in 0..<times {
            precondition(closures[index % 50].crossing(of: line) == nil)
        }
    }

    /// The progress of a trip under way, as JSON.
    private static func encode(_ times: Int) throws {
        let trip = try drive(500)
        var json = JSONWriter()
        for _ in 0..<times {
            json.reset()
            ProgressEncoder.encode(
                trip.progress, tripID: trip.id, vehicleID: "truck-17", into: &json)
        }
        precondition(json.bytes.count > 100)
    }
}
