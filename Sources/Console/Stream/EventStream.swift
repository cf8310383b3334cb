internal import Synchronization

/// The stream's log with all clients that read it.
///
/// A change wakes no one by itself: `wakeClients`, called ten times a second, does, so that a
/// thousand changes cost a client one write.
final class EventStream: Sendable {
    /// What is counted for the metrics.
    struct Counts: Sendable {
        /// Clients that are connected.
        var clients = 0
        /// Clients that were dropped because they fell behind the log.
        var dropped = 0
        /// Clients that were refused because there were too many.
        var refused = 0
    }

    private struct State {
        var log: StreamLog
        var clients: [ObjectIdentifier: StreamClient] = [:]
        var counts = Counts()
        var isClosing = false
    }

    private let limits: ConsoleLimits
    private let state: Mutex<State>

    /// Creates a stream without clients; `start` is the number before that of its first message.
    init(limits: ConsoleLimits, start: UInt64) {
        self.limits = limits
        let log = StreamLog(
            start: start, maxBytes: limits.streamBytes, maxEntries: limits.streamEntries)
        self.state = Mutex(State(log: log))
    }

    /// What is counted for the metrics, now.
    var counts: Counts {
        state.withLock {
            var counts = $0.counts
            counts.clients = $0.clients.count
            return counts
        }
    }

    /// Adds a message; whoever calls it waits for no client.
    func append(_ event: StreamEvent) {
        state.withLock { $0.log.append(event) }
    }

    /// Returns a new client, or `nil` when there are too many.
    ///
    /// - Parameters:
    ///   - lastEventID: The number of the last message that the client has seen, as it says; one that
    ///     the log no longer reaches makes the stream begin with a `reset`.
    ///   - events: How many of the latest events a client without `lastEventID` wants first.
    func open(lastEventID: String?, events: Int) -> StreamClient? {
        state.withLock { state in
            guard !state.isClosing, state.clients.count < limits.streams else {
                state.counts.refused += 1
                return nil
            }
            var opening = Array("retry: 2000\n\n".utf8)
            var cursor = state.log.cursor(beforeEvents: events)
            if let lastEventID {
                cursor = state.log.head
                if let id = UInt64(lastEventID), state.log.reaches(id) {
                    cursor = id
                } else {
                    opening += StreamLog.frame(id: cursor, name: "reset", json: Array("{}".utf8))
                }
            }
            let client = StreamClient(stream: self, opening: opening, cursor: cursor)
            state.clients[ObjectIdentifier(client)] = client
            return client
        }
    }

    /// Forgets a client whose connection has ended.
    func close(_ client: StreamClient) {
        state.withLock { _ = $0.clients.removeValue(forKey: ObjectIdentifier(client)) }
    }

    /// Lets every client go on that has something to be told, or has been silent for long.
    func wakeClients(at now: ContinuousClock.Instant) {
        let woken = state.withLock { state in
            let head = state.log.head
            return state.clients.values.compactMap { client in
                client.wake(head: head, at: now, keepAlive: keepAlive)
            }
        }
        for connection in woken { connection.resume() }
    }

    /// Ends the stream for all clients, and lets in no more.
    func closeAll() {
        let woken = state.withLock { state in
            state.isClosing = true
            return state.clients.values.compactMap { $0.wakeToEnd() }
        }
        for connection in woken { connection.resume() }
    }

    /// Fills `buffer` with what `client` has to be told next.
    ///
    /// - Parameter connection: Suspended until there is more, when there is nothing now.
    func fill(
        _ buffer: UnsafeMutableRawBufferPointer, for client: StreamClient,
        on connection: HTTPConnection
    ) -> StreamClient.Filled {
        state.withLock { state in
            guard !state.isClosing else { return .ended }
            guard client.keepsUp(with: state.log) else {
                state.counts.dropped += 1
                return .ended
            }
            return client.fill(buffer, from: state.log, on: connection, keepAlive: keepAlive)
        }
    }

    private var keepAlive: Duration { .seconds(limits.keepAliveSeconds) }
}
