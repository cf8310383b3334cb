internal import CMicrohttpd
internal import Glibc
internal import Synchronization

/// One libmicrohttpd daemon with its thread, from `init` to `stop`.
final class HTTPDaemon: Sendable {
    private struct State {
        /// The daemon; `nil` once it is stopped.
        var daemon: UInt?
        /// Since when each connection has been in its present exchange; streams are not in one.
        var exchanges: [HTTPConnection: ContinuousClock.Instant] = [:]
        /// What connections are suspended for; `nil` once no more may be.
        var pending: [HTTPConnection: PendingAnswer]? = [:]
    }

    private let limits: ConsoleLimits
    private let commonHeaders: [(name: String, value: String)]
    private let answer: @Sendable (HTTPRequest) -> HTTPResponse
    private let state = Mutex(State())

    /// Serves a listening socket, and closes it in the end.
    ///
    /// - Parameters:
    ///   - headers: What every answer carries.
    ///   - answer: Called with each request, on the daemon's thread.
    /// - Throws: `ConsoleError.Reason.cannotStart`.
    init(
        socket: Int32, limits: ConsoleLimits, headers: [(name: String, value: String)],
        answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse
    ) throws(ConsoleError) {
        self.limits = limits
        self.commonHeaders = headers
        self.answer = answer
        var settings = WaygateDaemonSettings()
        settings.listen_socket = socket
        settings.connection_limit = UInt32(limits.connections)
        settings.timeout_seconds = UInt32(limits.idleSeconds)
        settings.connection_memory = limits.connectionBytes
        settings.respond = respond
        settings.completed = completed
        settings.connection_changed = connectionChanged
        // Paths are decoded part by part, so that an escaped slash does not become a separator.
        settings.unescape = { _, _, text in text.map { strlen($0) } ?? 0 }
        settings.context = Unmanaged.passUnretained(self).toOpaque()
        guard let daemon = waygate_start_daemon(&settings) else {
            throw ConsoleError(
                reason: .cannotStart,
                message: "libmicrohttpd did not start: \(String(cString: strerror(errno)))")
        }
        state.withLock { $0.daemon = UInt(bitPattern: daemon) }
    }

    deinit { stop() }

    /// Closes all connections and waits for the daemon's thread to end.
    ///
    /// No stream may be open any more; answers that are still to be given are given up.
    func stop() {
        let pending = state.withLock { state in
            defer { state.pending = nil }
            return state.pending ?? [:]
        }
        for answer in pending.values { answer.give(Self.stopping) }
        let daemon = state.withLock { state in
            defer { state.daemon = nil }
            return state.daemon
        }
        MHD_stop_daemon(daemon.flatMap { OpaquePointer(bitPattern: $0) })
    }

    /// Cuts the connections whose exchange takes longer than it may.
    func cutOverdue(at now: ContinuousClock.Instant) {
        state.withLock { state in
            for (connection, since) in state.exchanges
            where now - since > .seconds(limits.exchangeSeconds) {
                // Under the lock the connection is not yet closed, so the number is still its own.
                shutdown(connection.socket, Int32(SHUT_RDWR))
            }
        }
    }

    /// Takes in what has come of a request; called at its head, for each piece and at its end.
    fileprivate func advance(
        _ exchange: Exchange, on connection: HTTPConnection, piece: UnsafeRawBufferPointer
    ) -> MHD_Result {
        guard piece.isEmpty else {
            exchange.append(piece, limit: limits.bodyBytes)
            return .YES
        }
        let response = exchange.response ?? answer(exchange.request)
        exchange.response = response
        switch response.body {
        case .bytes: break
        case .stream:
            state.withLock { _ = $0.exchanges.removeValue(forKey: connection) }
            connection.limitUnsentBytes(to: 262_144)
        case .later(let pending):
            guard let given = take(pending, for: connection) else { return .YES }
            return connection.send(given, with: commonHeaders)
        }
        return connection.send(response, with: commonHeaders)
    }

    private static let stopping = HTTPResponse.failure(503, "the worker is stopping")

    /// Returns an answer that is given later, or `nil` after putting its connection to sleep: then this
    /// is asked again.
    private func take(_ pending: PendingAnswer, for connection: HTTPConnection) -> HTTPResponse? {
        let mayWait = state.withLock { state in
            state.pending?.updateValue(pending, forKey: connection)
            return state.pending != nil
        }
        if !mayWait { pending.give(Self.stopping) }
        guard let given = pending.take(for: connection) else { return nil }
        state.withLock { _ = $0.pending?.removeValue(forKey: connection) }
        return given
    }

    /// Starts an exchange's time anew, or forgets the connection.
    fileprivate func note(_ connection: HTTPConnection, isOpen: Bool) {
        state.withLock { state in
            state.exchanges[connection] = isOpen ? .now : nil
            state.pending?[connection] = nil
        }
    }

    /// Returns whether a body of the length that the headers tell may be sent.
    fileprivate func admits(_ headers: [String: String]) -> Bool {
        guard let length = headers["content-length"] else { return true }
        return Int(length).map { $0 <= limits.bodyBytes } ?? false
    }
}

/// A request that is still coming in.
private final class Exchange {
    var request: HTTPRequest
    /// The answer, once it is known or somebody is to give it.
    var response: HTTPResponse?

    init(_ request: HTTPRequest) {
        self.request = request
    }

    /// Keeps a piece of the body, or none of it when it becomes too long.
    func append(_ piece: UnsafeRawBufferPointer, limit: Int) {
        guard !request.isTooLarge else { return }
        guard request.body.count + piece.count <= limit else {
            request.isTooLarge = true
            request.body = []
            return
        }
        request.body.append(contentsOf: piece)
    }
}

private let respond: MHD_AccessHandlerCallback = {
    context, connection, url, method, _, piece, size, slot in
    guard let context, let connection, let url, let method, let size, let slot else { return .NO }
    let daemon = Unmanaged<HTTPDaemon>.fromOpaque(context).takeUnretainedValue()
    let handle = HTTPConnection(connection)
    guard let existing = slot.pointee else {
        var request = HTTPRequest(
            method: String(cString: method), path: HTTPRequest.parts(ofPath: String(cString: url)),
            headers: handle.headers, arguments: handle.arguments, body: [])
        request.isTooLarge = !daemon.admits(request.headers)
        let exchange = Exchange(request)
        slot.pointee = Unmanaged.passRetained(exchange).toOpaque()
        guard request.isTooLarge else { return .YES }
        // Answering at once makes libmicrohttpd close the connection instead of reading the body.
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        return daemon.advance(exchange, on: handle, piece: nothing)
    }
    let exchange = Unmanaged<Exchange>.fromOpaque(existing).takeUnretainedValue()
    let bytes = UnsafeRawBufferPointer(start: piece, count: size.pointee)
    size.pointee = 0
    return daemon.advance(exchange, on: handle, piece: bytes)
}

private let completed: MHD_RequestCompletedCallback = { context, connection, slot, _ in
    guard let context, let connection else { return }
    if let slot, let exchange = slot.pointee {
        Unmanaged<Exchange>.fromOpaque(exchange).release()
        slot.pointee = nil
    }
    Unmanaged<HTTPDaemon>.fromOpaque(context).takeUnretainedValue()
        .note(HTTPConnection(connection), isOpen: true)
}

private let connectionChanged: MHD_NotifyConnectionCallback = { context, connection, _, change in
    guard let context, let connection else { return }
    Unmanaged<HTTPDaemon>.fromOpaque(context).takeUnretainedValue()
        .note(HTTPConnection(connection), isOpen: change == .CONNECTION_NOTIFY_STARTED)
}
