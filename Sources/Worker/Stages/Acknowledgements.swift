import Store
import Synchronization

/// Events that the broker has acknowledged, on their way to the store stage.
final class Acknowledgements: Sendable {
    private struct Waiting {
        var event: AcknowledgedEvent
        /// The spool position from which the tables hold the event.
        var position: Int64
    }

    /// More are not remembered: their events are sent again after a restart, under the same ids.
    private static let most = 500_000
    private let waiting = Mutex<[Waiting]>([])

    func append(_ event: AcknowledgedEvent, position: Int64) {
        append([event], position: position)
    }

    /// Adds events that the tables hold from `position` on.
    func append(_ events: [AcknowledgedEvent], position: Int64) {
        guard !events.isEmpty else { return }
        waiting.withLock { waiting in
            let room = max(Self.most - waiting.count, 0)
            waiting += events.prefix(room).map { Waiting(event: $0, position: position) }
        }
    }

    /// Takes those whose rows are written once the tables hold `position`.
    func take(upTo position: Int64) -> [AcknowledgedEvent] {
        waiting.withLock { waiting in
            let taken = waiting.filter { $0.position <= position }
            if !taken.isEmpty { waiting.removeAll { $0.position <= position } }
            return taken.map(\.event)
        }
    }

    /// Whether `take` would return something.
    func hasAny(upTo position: Int64) -> Bool {
        waiting.withLock { $0.contains { $0.position <= position } }
    }
}
