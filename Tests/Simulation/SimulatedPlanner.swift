import Geometry
import Routing
import Tracking
import Worker

/// A planner that takes its time, fails, or never answers.
final class SimulatedPlanner: RoutePlanner {
    private struct Asked {
        var question: PlannerQuestion
        var due: Double
    }

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
        let due = clock.uptime + Double.random(in: 0...15, using: &random)
        asked.append(Asked(question: question, due: due))
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
        let request = question.request
        let line =
            [request.from] + request.viaPoints.map(\.target.coordinate)
            + [request.destination.coordinate]
        let result: Result<PlannedRoute, PlannerError> =
            random.once(in: 5)
            ? .failure(PlannerError(.refused, "simulated"))
            : .success(PlannedRoute(route: ProvidedRoute(coordinates: line)))
        return PlannerAnswer(
            vehicleID: question.vehicleID, tripID: question.tripID, number: request.number,
            result: result, latency: 1)
    }
}
