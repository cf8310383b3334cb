import Synchronization

/// Whether the stages move: each notes its turns, and one looks whether all have taken one.
package final class Pulse: Sendable {
    /// A stage that must move for the worker to be well.
    package enum Stage: UInt8, CaseIterable, Sendable {
        case intake = 1
        case tracking = 2
        case planner = 4
        case publish = 8
        case store = 16
    }

    private let moved = Atomic<UInt8>(0)

    /// Creates the pulse of a worker in which nothing has moved yet.
    package init() {}

    /// Notes that a stage has taken a turn.
    package func beat(_ stage: Stage) {
        // Reading is cheaper than writing what stands there already.
        guard moved.load(ordering: .relaxed) & stage.rawValue == 0 else { return }
        moved.bitwiseOr(stage.rawValue, ordering: .relaxed)
    }

    /// Tells whether all of these stages have taken a turn since the last time that this was true.
    package func takeTurn(of stages: [Stage]) -> Bool {
        let all = stages.reduce(0) { $0 | $1.rawValue }
        guard moved.load(ordering: .relaxed) & all == all else { return false }
        moved.store(0, ordering: .relaxed)
        return true
    }
}
