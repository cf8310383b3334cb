import Geometry
import Routing
import Tracking
import Worker

/// A planner that takes its time, fails, answers twice or nonsense, or never answers.
final class SimulatedPlanner: RoutePlanner {
    private struct Asked {
        var question: PlannerQuestion
        var due: Double
    }

    let engineName = "simulated"
    private let clock: SimulatedClock
    private var random: Randomness
    private var asked: [Asked] = []

    init(clock: SimulatedClock, random: Randomness) {
        self.clock = clock
        self.random = random
    }

    func ask(_ question: PlannerQuestion) {
        cancel(vehicleID: question.vehicleID)
        if random.once(in: 8) { return }
        for _ in 0..<(random.once(in: 6) ? 2 : 1) {
            let due = clock.uptime + Double.random(in: 0...15, using: &random)
            asked.append(Asked(question: question, due: due))
        }
    }

    func cancel(vehicleID: String) {
        asked.removeAll { $0.question.vehicleID == vehicleID }
    }

    func turn(timeout: Int32, wake: Int32) -> [PlannerAnswer] {
        let due = asked.filter { $0.due <= clock.uptime }
        asked.removeAll { $0.due <= clock.uptime }
        return due.map { answer($0.question) }
    }

    private func answer(_ question: PlannerQuestion) -> PlannerAnswer {
        let result: Result<PlannedRoute, PlannerError> =
            random.once(in: 5)
            ? .failure(PlannerError(.refused, "simulated"))
            : .success(PlannedRoute(route: route(question.request)))
        return PlannerAnswer(
            vehicleID: question.vehicleID, tripID: question.tripID,
            number: question.request.number, result: result, latency: 1)
    }

    /// The straight way, or one around what lies in the middle, or one that misses a via point.
    private func route(_ request: RouteRequest) -> ProvidedRoute {
        var line = [request.from]
        if !random.once(in: 10) { line += request.viaPoints.map(\.target.coordinate) }
        if random.once(in: 3) {
            let north = request.from.latitude + 0.004
            line += [20.032, 20.045].map { Coordinate(latitude: north, longitude: $0) }
        }
        line.append(request.destination.coordinate)
        return ProvidedRoute(
            coordinates: line, duration: Double.random(in: 500...4000, using: &random))
    }
}
