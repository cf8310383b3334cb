package import Routing
import Synchronization

/// A trip's question to the planner.
package struct TripQuestion: Sendable {
    package var vehicleID: String
    package var planned: PlannerQuestion
}

/// Questions on their way from the tracking stage to the planner stage: at most one a trip is of use.
package final class QuestionQueue: Sendable {
    /// Raised when there is something to ask.
    package let signal = Signal()
    private let questions = Mutex<[TripQuestion]>([])

    func append(_ new: [TripQuestion]) {
        guard !new.isEmpty else { return }
        questions.withLock { $0 += new }
        signal.raise()
    }

    func take() -> [TripQuestion] {
        questions.withLock { questions in
            defer { questions = [] }
            return questions
        }
    }
}
