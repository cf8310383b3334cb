import Routing
import Synchronization

/// Questions on their way from the tracking stage to the planner stage: at most one a vehicle is of use.
package final class QuestionQueue: Sendable {
    /// Raised when there is something to ask.
    package let signal = Signal()
    private let questions = Mutex<[PlannerQuestion]>([])

    func append(_ new: [PlannerQuestion]) {
        guard !new.isEmpty else { return }
        questions.withLock { $0 += new }
        signal.raise()
    }

    func take() -> [PlannerQuestion] {
        questions.withLock { questions in
            defer { questions = [] }
            return questions
        }
    }
}
