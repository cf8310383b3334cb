import Synchronization

/// Messages on their way from the tracking stage to the publishing stage, in order.
package final class PublishQueue: Sendable {
    /// Raised when there is something to publish.
    package let signal = Signal()
    private let capacity: Int
    private let state = Mutex<[Publication]>([])

    /// Creates a queue; the tracking stage stops at `capacity` messages.
    package init(capacity: Int) {
        self.capacity = capacity
    }

    /// Whether the tracking stage has to wait.
    var isFull: Bool { state.withLock { $0.count >= capacity } }

    /// How many messages wait.
    package var count: Int { state.withLock { $0.count } }

    /// Adds messages, also beyond the capacity: one batch's are never split.
    func append(_ publications: [Publication]) {
        guard !publications.isEmpty else { return }
        state.withLock { $0.append(contentsOf: publications) }
        signal.raise()
    }

    /// Takes all there is.
    func take() -> [Publication] {
        state.withLock { publications in
            defer { publications = [] }
            return publications
        }
    }
}
