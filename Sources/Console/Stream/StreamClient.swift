/// One client of the stream: how far it has read, and what it is in the middle of.
///
/// All of its state belongs to the stream and is used only while that holds its lock, hence the
/// unchecked conformance.
final class StreamClient: @unchecked Sendable {
    /// What became of an offer of room.
    enum Filled: Equatable, Sendable {
        /// So many bytes were written.
        case wrote(Int)
        /// There is nothing to say; the connection is suspended.
        case idle
        /// There will be nothing more.
        case ended
    }

    private unowned let stream: EventStream
    /// The number of the last message that was taken from the log.
    private var cursor: UInt64
    /// What was taken from the log and does not fit in one buffer, from `sent` on.
    private var pending: [UInt8]
    private var sent = 0
    private var lastWrite = ContinuousClock.now
    /// The connection, while it is suspended.
    private var suspended: HTTPConnection?

    /// Creates a client that is sent `opening` and then what comes after `cursor`.
    init(stream: EventStream, opening: [UInt8], cursor: UInt64) {
        self.stream = stream
        self.pending = opening
        self.cursor = cursor
    }

    /// Fills `buffer` with what comes next, or suspends `connection`.
    func fill(_ buffer: UnsafeMutableRawBufferPointer, on connection: HTTPConnection) -> Filled {
        stream.fill(buffer, for: self, on: connection)
    }

    /// Tells the stream that the connection has ended.
    func close() {
        stream.close(self)
    }

    /// Returns whether all that the client has not read is still in the log.
    func keepsUp(with log: StreamLog) -> Bool { log.reaches(cursor) }

    /// Returns the connection to be resumed, if it is suspended and there is a reason to.
    func wake(head: UInt64, at now: ContinuousClock.Instant, keepAlive: Duration) -> HTTPConnection?
    {
        guard head > cursor || now - lastWrite >= keepAlive else { return nil }
        return wakeToEnd()
    }

    /// Returns the connection to be resumed, if it is suspended.
    func wakeToEnd() -> HTTPConnection? {
        defer { suspended = nil }
        return suspended
    }

    /// Fills `buffer` from `log`, or suspends `connection`.
    func fill(
        _ buffer: UnsafeMutableRawBufferPointer, from log: StreamLog,
        on connection: HTTPConnection, keepAlive: Duration
    ) -> Filled {
        var room = buffer[...]
        sendPending(into: &room)
        if pending.isEmpty {
            log.forEach(after: cursor) { id, frame in
                guard frame.count <= room.count || room.count == buffer.count else { return false }
                cursor = id
                pending = frame
                sendPending(into: &room)
                return pending.isEmpty
            }
        }
        let now = ContinuousClock.now
        var count = buffer.count - room.count
        if count == 0, now - lastWrite >= keepAlive {
            pending = Array(":\n\n".utf8)
            sendPending(into: &room)
            count = buffer.count - room.count
        }
        guard count == 0 else {
            lastWrite = now
            return .wrote(count)
        }
        connection.suspend()
        suspended = connection
        return .idle
    }

    private func sendPending(into room: inout Slice<UnsafeMutableRawBufferPointer>) {
        let count = min(pending.count - sent, room.count)
        guard count > 0 else { return }
        pending.withUnsafeBytes {
            UnsafeMutableRawBufferPointer(rebasing: room).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: $0[sent..<sent + count]))
        }
        room = room.dropFirst(count)
        sent += count
        if sent == pending.count {
            pending = []
            sent = 0
        }
    }
}
