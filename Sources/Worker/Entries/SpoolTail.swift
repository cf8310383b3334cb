import Synchronization

/// The newest spooled batches, kept in memory for the tracking stage; the rest is read from the spool.
///
/// Bounded in bytes: the oldest batches are dropped first, since the spool has them.
package final class SpoolTail: Sendable {
    private struct State {
        var batches: [EntryBatch] = []
        var bytes = 0
        var end: Int64 = 0
    }

    private let state: Mutex<State>
    private let maxBytes: Int

    /// Creates a tail that ends at the spool position `end`.
    package init(end: Int64, maxBytes: Int = 16 << 20) {
        self.maxBytes = maxBytes
        state = Mutex(State(end: end))
    }

    /// The position after the newest entry.
    package var end: Int64 { state.withLock { $0.end } }

    /// Adds a batch that the spool has made durable.
    package func append(_ batch: EntryBatch) {
        state.withLock { state in
            state.batches.append(batch)
            state.bytes += batch.bytes.count
            state.end = batch.end
            var dropped = 0
            while state.bytes > maxBytes, dropped < state.batches.count - 1 {
                state.bytes -= state.batches[dropped].bytes.count
                dropped += 1
            }
            state.batches.removeFirst(dropped)
        }
    }

    /// Returns the batches from the one that holds `position` on, up to `limit` of them.
    ///
    /// Empty when there is nothing new; `nil` when the spool has to be read.
    package func batches(from position: Int64, limit: Int) -> [EntryBatch]? {
        state.withLock { state in
            if position >= state.end { return [] }
            guard let oldest = state.batches.first, oldest.first <= position else { return nil }
            while let first = state.batches.first, first.end <= position {
                state.bytes -= first.bytes.count
                state.batches.removeFirst()
            }
            return Array(state.batches.prefix(limit))
        }
    }
}
