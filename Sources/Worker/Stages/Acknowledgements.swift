import Synchronization

/// Events that the broker has acknowledged, on their way to the store stage.
final class Acknowledgements: Sendable {
    /// More are not remembered: their events are sent again after a restart, under the same ids.
    private static let most = 500_000
    private let events = Mutex<[AcknowledgedPublication]>([])

    func append(_ new: [AcknowledgedPublication]) {
        guard !new.isEmpty else { return }
        events.withLock { events in
            events += new.prefix(max(Self.most - events.count, 0))
        }
    }

    /// Takes those whose rows are written once the tables hold `position`.
    func take(upTo position: Int64) -> [AcknowledgedPublication] {
        events.withLock { events in
            let taken = events.filter { $0.position <= position }
            if !taken.isEmpty { events.removeAll { $0.position <= position } }
            return taken
        }
    }

    /// Whether `take` would return something.
    func hasAny(upTo position: Int64) -> Bool {
        events.withLock { $0.contains { $0.position <= position } }
    }
}
