import Foundation
import Synchronization

/// Questions of other threads about the fleet, answered by the tracking stage between two batches.
package final class FleetQueries: Sendable {
    /// A question with room for its answer.
    private final class Query<Answer: Sendable>: Sendable {
        let ask: @Sendable (Fleet) -> Answer?
        let answer = Mutex<Answer?>(nil)
        let done = DispatchSemaphore(value: 0)

        init(ask: @escaping @Sendable (Fleet) -> Answer?) {
            self.ask = ask
        }

        func put(to fleet: Fleet?) {
            let found = fleet.flatMap(ask)
            answer.withLock { $0 = found }
            done.signal()
        }
    }

    private static let most = 64
    private let waiting = Mutex<[@Sendable (Fleet?) -> Void]>([])

    /// Waits for the answer, up to a second.
    ///
    /// - Returns: `nil` when there is none in time, when too many wait, or when `ask` has none.
    func answer<Answer: Sendable>(
        waking signal: Signal, _ ask: @escaping @Sendable (Fleet) -> Answer?
    ) -> Answer? {
        let query = Query(ask: ask)
        let isTaken = waiting.withLock { waiting in
            guard waiting.count < Self.most else { return false }
            waiting.append { query.put(to: $0) }
            return true
        }
        guard isTaken else { return nil }
        signal.raise()
        guard query.done.wait(timeout: .now() + 1) == .success else { return nil }
        return query.answer.withLock { $0 }
    }

    /// Answers what was asked; with nothing while there is no fleet yet.
    func answer(_ fleet: Fleet?) {
        let asked = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for put in asked { put(fleet) }
    }
}
