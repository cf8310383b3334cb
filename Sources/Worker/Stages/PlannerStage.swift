import Routing
import Synchronization
import Tracking

/// Puts the trips' questions to the planner, and its answers into the spool.
package final class PlannerStage {
    private let planner: any RoutePlanner
    private let shared: WorkerState
    private let clock: any WorkerClock
    /// The vehicles whose trips have a question out.
    private var askers: [String: String] = [:]

    /// Creates a stage.
    package init(planner: any RoutePlanner, shared: WorkerState, clock: any WorkerClock) {
        self.planner = planner
        self.shared = shared
        self.clock = clock
    }

    /// One turn: passes questions on and takes answers.
    ///
    /// - Parameter timeout: How long to wait for something to do, in milliseconds.
    package func step(timeout: Int32) {
        let answers = planner.turn(timeout: timeout, wake: shared.questions.signal.descriptor)
        shared.questions.signal.clear()
        for question in shared.questions.take() {
            askers[question.planned.tripID] = question.vehicleID
            planner.ask(question.planned)
        }
        for answer in answers { take(answer) }
    }

    private func take(_ answer: PlannerAnswer) {
        guard let vehicleID = askers[answer.tripID] else { return }
        let kind: EntryKind
        let notice: Notice
        switch answer.result {
        case .success(let planned):
            kind = .route
            notice = Notice(
                tripID: answer.tripID, request: answer.number, route: planned.route,
                deviationPath: planned.deviationPath)
        case .failure(let error):
            kind = .routeFailed
            notice = Notice(tripID: answer.tripID, request: answer.number, reason: error.text)
        }
        shared.metrics.withLock {
            $0.answered(kind == .route ? "answered" : "failed", seconds: answer.latency)
        }
        shared.inbox.post(
            OwnEntry(
                kind: kind, receivedAt: clock.now, vehicleID: vehicleID, payload: notice.encoded()))
    }
}
