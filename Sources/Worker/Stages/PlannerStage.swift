import Routing
import Synchronization
import Tracking

/// Puts the trips' questions to the planner, and its answers into the spool.
package final class PlannerStage {
    /// Entries that tracking may be behind when answers are taken.
    private static let maxBacklog: Int64 = 16
    /// Seconds for which answers wait at most.
    private static let patience = 1.0

    private let planner: any RoutePlanner
    private let shared: WorkerState
    private let clock: any WorkerClock
    /// When answers were last taken.
    private var turnedAt = 0.0

    /// Creates a stage.
    package init(planner: any RoutePlanner, shared: WorkerState, clock: any WorkerClock) {
        self.planner = planner
        self.shared = shared
        self.clock = clock
        shared.metrics.withLock { $0.begin(with: planner.engineName) }
    }

    /// One turn: passes questions on and takes answers.
    ///
    /// - Parameter timeout: How long to wait for something to do, in milliseconds.
    package func step(timeout: Int32) {
        var answers: [PlannerAnswer] = []
        if isAhead {
            shared.questions.signal.wait(seconds: timeout > 0 ? 0.005 : 0)
        } else {
            answers = planner.turn(timeout: timeout, wake: shared.questions.signal.descriptor)
            shared.questions.signal.clear()
            turnedAt = clock.uptime
        }
        for answer in answers { take(answer) }
        for question in shared.questions.take() { planner.ask(question) }
    }

    /// Whether answers have to wait for tracking.
    ///
    /// Positions must not come late behind a burst of answers. A tracking stage that is behind for long, by
    /// positions, makes the answers slow but does not stop them.
    private var isAhead: Bool {
        shared.trackingBacklog > Self.maxBacklog && clock.uptime < turnedAt + Self.patience
    }

    private func take(_ answer: PlannerAnswer) {
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
            $0.answered(answer, by: planner.engineName)
        }
        shared.inbox.post(
            OwnEntry(
                kind: kind, receivedAt: clock.now, vehicleID: answer.vehicleID,
                payload: notice.encoded()))
    }
}
