internal import Synchronization

/// An answer that another thread gives later; its connection sleeps until then.
final class PendingAnswer: Sendable {
    private enum State: Sendable {
        /// Neither given nor asked for yet.
        case open
        /// The connection is suspended; `give` wakes it.
        case awaited(HTTPConnection)
        /// What was given first.
        case given(HTTPResponse)
    }

    private let state = Mutex(State.open)

    /// Gives the answer, from any thread; only the first one counts.
    func give(_ response: HTTPResponse) {
        state.withLock { state in
            switch state {
            case .open: state = .given(response)
            case .awaited(let connection):
                state = .given(response)
                // Under the lock, so that the connection cannot be closed meanwhile.
                connection.resume()
            case .given: break
            }
        }
    }

    /// Returns the answer, or `nil` after suspending the connection until there is one.
    func take(for connection: HTTPConnection) -> HTTPResponse? {
        state.withLock { state in
            switch state {
            case .open:
                connection.suspend()
                state = .awaited(connection)
                return nil
            case .awaited: return nil
            case .given(let response): return response
            }
        }
    }
}
