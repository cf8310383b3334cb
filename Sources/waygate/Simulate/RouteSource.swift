import Geometry
import Routing
import Tracking
import Worker

/// Where a simulated fleet's lines come from.
enum RouteSource {
    /// A file with lines.
    case file(String, precision: Int)
    /// The configured planner, asked for routes between random places around a centre.
    case planner(centre: Coordinate, radius: Double)
    /// Made up, around a centre.
    case generated(centre: Coordinate, radius: Double)

    /// How long made-up lines are, in metres.
    private static let length = 5000.0

    /// Returns the lines.
    ///
    /// - Parameter count: How many are wanted; a file gives what it has.
    /// - Throws: ``CommandFailure`` where the file or the planner gives none.
    func lines(count: Int, seed: UInt64, configuration: Configuration) throws -> [RouteLine] {
        switch self {
        case .file(let path, let precision):
            let lines = try RouteFile.read(path, precision: precision).compactMap { line in
                RouteLine(line.coordinates)
            }
            let drivable = lines.filter { $0.length > 0 }
            guard !drivable.isEmpty else {
                throw CommandFailure("\(path): its lines have no length")
            }
            return drivable
        case .planner(let centre, let radius):
            return try planned(
                count: count, centre: centre, radius: radius, seed: seed,
                configuration: configuration)
        case .generated(let centre, let radius):
            var generator = RouteGenerator(
                centre: centre, radius: radius, length: Self.length, seed: seed)
            return (0..<count).compactMap { _ in RouteLine(generator.next()) }
        }
    }

    /// Asks the planner; a place that no road leads to is replaced by another.
    private func planned(
        count: Int, centre: Coordinate, radius: Double, seed: UInt64, configuration: Configuration
    ) throws -> [RouteLine] {
        let client: PlannerClient
        do {
            client = try PlannerClient(settings: configuration.plannerSettings)
        } catch {
            throw CommandFailure("planner: \(error.message)")
        }
        var generator = RouteGenerator(
            centre: centre, radius: radius, length: Self.length, seed: seed)
        var lines: [RouteLine] = []
        var asked = 0
        let limit = 20 * count + 50
        func ask() {
            asked += 1
            let from = generator.place()
            var to = generator.place()
            while to.distance(to: from) < radius / 2 { to = generator.place() }
            let request = RouteRequest(
                number: asked, from: from, course: nil, viaPoints: [],
                destination: Target(coordinate: to),
                profile: configuration.tracking.profile)
            client.ask(
                PlannerQuestion(
                    vehicleID: "simulate-\(asked)", tripID: "simulate", request: request))
        }
        for _ in 0..<count { ask() }
        while lines.count < count {
            for answer in client.turn(timeout: 1000, wake: -1) {
                switch answer.result {
                case .success(let planned):
                    if let line = RouteLine(planned.route.coordinates), line.length > 500 {
                        lines.append(line)
                    } else {
                        ask()
                    }
                case .failure(let error):
                    // No road there, or none nearby: another place may do.
                    guard [.refused, .unusable].contains(error.reason), asked < limit else {
                        throw CommandFailure("the planner gives no routes here: \(error.message)")
                    }
                    ask()
                }
            }
            guard asked < limit else {
                throw CommandFailure("the planner gives only routes of less than 500 m here")
            }
        }
        return lines
    }
}
