import Synchronization

/// Inputs of the worker's own on their way to the spool.
///
/// Bounded by what there is to say: one answer a request, one expiry a trip.
package final class Inbox: Sendable {
    /// Raised when there is something to take.
    package let signal = Signal()
    private let entries = Mutex<[OwnEntry]>([])

    /// Creates an empty inbox.
    package init() {}

    /// Hands an input over.
    package func post(_ entry: OwnEntry) {
        entries.withLock { $0.append(entry) }
        signal.raise()
    }

    /// Takes all there is.
    func take() -> [OwnEntry] {
        entries.withLock { entries in
            defer { entries.removeAll() }
            return entries
        }
    }

    /// Returns inputs that could not be spooled, to be the first again.
    func putBack(_ returned: [OwnEntry]) {
        guard !returned.isEmpty else { return }
        entries.withLock { $0.insert(contentsOf: returned, at: 0) }
    }
}
