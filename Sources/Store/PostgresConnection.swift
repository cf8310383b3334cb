internal import CPostgres
internal import Glibc

/// One libpq connection, closed when the last reference to it goes.
///
/// All waiting is its own, with a deadline: a server that was stopped, or a network that swallows
/// everything, cannot honour a statement time-out. After such a failure it is of no more use.
final class PostgresConnection {
    private let handle: OpaquePointer
    /// Seconds that the server may be silent while it is waited for.
    var patience: Double

    /// Takes a connected handle over.
    init(_ handle: OpaquePointer, patience: Double) {
        self.handle = handle
        self.patience = patience
        PQsetnonblocking(handle, 1)
        waygate_silence_notices(handle)
    }

    deinit { PQfinish(handle) }

    /// Whether the session stands, as far as is known.
    var isAlive: Bool { PQstatus(handle) == CONNECTION_OK && !isLost }

    /// Set once the server has been silent for too long.
    private var isLost = false

    // MARK: Statements

    /// Runs statements without values, one after another, as one text.
    func script(_ sql: String) throws(StoreError) {
        try sent(PQsendQuery(handle, sql))
        _ = try remainingResults()
    }

    /// Runs one statement.
    ///
    /// - Returns: Its result, all rows at once.
    @discardableResult
    func run(_ sql: String, _ parameters: [Parameter] = []) throws(StoreError) -> PostgresResult {
        try send(Statement(sql, parameters))
        guard let result = try remainingResults() else { throw lost() }
        return result
    }

    /// Runs one statement and hands over its rows one by one, each as a result of one row.
    func stream(
        _ statement: Statement, _ handle: (PostgresResult) throws(StoreError) -> Void
    ) throws(StoreError) {
        try send(statement)
        PQsetSingleRowMode(self.handle)
        var failure: StoreError?
        while let result = try nextResult() {
            guard result.status == PGRES_SINGLE_TUPLE else {
                failure = failure ?? self.failure(of: result)
                continue
            }
            guard failure == nil else { continue }
            do {
                try handle(result)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    /// Sends statements in one go and checks their results in order; after the first that fails the
    /// server skips the others.
    ///
    /// - Parameter check: Called with the place and result of each; what it throws ends the pipeline.
    func pipeline(
        _ statements: [Statement], check: (Int, PostgresResult) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard PQenterPipelineMode(handle) == 1 else { throw lost() }
        for statement in statements {
            try send(statement)
        }
        try sent(PQpipelineSync(handle))
        var failure: StoreError?
        var index = 0
        while true {
            guard let result = try nextResult() else { throw failure ?? lost() }
            if result.status == PGRES_PIPELINE_SYNC { break }
            if failure == nil {
                failure = self.failure(of: result)
            }
            if failure == nil {
                do {
                    try check(index, result)
                } catch {
                    failure = error
                }
            }
            // Each statement's results end with a null.
            _ = try nextResult()
            index += 1
        }
        PQexitPipelineMode(handle)
        if let failure { throw failure }
    }

    /// Copies rows in, in binary format.
    ///
    /// - Parameter next: Appends some more bytes, or returns false when there are none left.
    func copy(
        _ sql: String, _ next: (inout FieldWriter) throws(StoreError) -> Bool
    ) throws(StoreError) {
        try sent(PQsendQuery(handle, sql))
        guard let start = try nextResult() else { throw lost() }
        guard start.status == PGRES_COPY_IN else {
            let failure = failure(of: start)
            _ = try remainingResults()
            throw failure ?? lost()
        }
        var writer = FieldWriter()
        var failure: StoreError?
        do {
            while try next(&writer) {
                let put = writer.bytes.withUnsafeBytes { bytes in
                    PQputCopyData(
                        handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                        CInt(clamping: bytes.count))
                }
                try sent(put)
                try flush()
                writer.removeAll()
            }
        } catch {
            guard isAlive else { throw error }
            failure = error
        }
        try sent(PQputCopyEnd(handle, failure == nil ? nil : "given up"))
        do {
            _ = try remainingResults()
        } catch {
            throw failure ?? error
        }
    }

    // MARK: Sending and receiving

    private func send(_ statement: Statement) throws(StoreError) {
        let parameters = statement.parameters
        let types = parameters.map(\.type)
        let lengths = parameters.map { CInt(clamping: $0.bytes?.count ?? 0) }
        let formats = [CInt](repeating: 1, count: parameters.count)
        // All values in one buffer: each needs an address that lasts until libpq has copied it.
        var values: [UInt8] = []
        values.reserveCapacity(parameters.reduce(1) { $0 + ($1.bytes?.count ?? 0) })
        values.append(0)
        let offsets = parameters.map { parameter -> Int? in
            guard let bytes = parameter.bytes else { return nil }
            defer { values.append(contentsOf: bytes) }
            return values.count
        }
        let outcome = values.withUnsafeBytes { buffer in
            let base = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            let pointers = offsets.map { offset in offset.flatMap { base?.advanced(by: $0) } }
            return PQsendQueryParams(
                handle, statement.sql, CInt(parameters.count), types, pointers, lengths, formats, 1)
        }
        try sent(outcome)
    }

    private func sent(_ outcome: CInt) throws(StoreError) {
        guard outcome == 1 else { throw lost() }
    }

    /// Reads results until there are no more.
    ///
    /// - Returns: The last.
    /// - Throws: The first error among them.
    private func remainingResults() throws(StoreError) -> PostgresResult? {
        var last: PostgresResult?
        var failure: StoreError?
        while let result = try nextResult() {
            failure = failure ?? self.failure(of: result)
            last = result
        }
        if let failure { throw failure }
        return last
    }

    private func nextResult() throws(StoreError) -> PostgresResult? {
        try flush()
        while PQisBusy(handle) == 1 {
            _ = try wait(for: POLLIN)
            guard PQconsumeInput(handle) == 1 else { throw lost() }
        }
        return PQgetResult(handle).map { PostgresResult($0) }
    }

    private func flush() throws(StoreError) {
        while true {
            let rest = PQflush(handle)
            guard rest >= 0 else { throw lost() }
            guard rest > 0 else { return }
            // The server may be unable to read on before it has written: take what it says.
            if try wait(for: POLLIN | POLLOUT) & POLLIN != 0 {
                guard PQconsumeInput(handle) == 1 else { throw lost() }
            }
        }
    }

    private func wait(for events: Int32) throws(StoreError) -> Int32 {
        let end = Self.now + patience
        while true {
            var socket = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
            let left = max(end - Self.now, 0)
            let ready = poll(&socket, 1, CInt(clamping: Int64(left * 1000) + 1))
            if ready > 0 { return Int32(socket.revents) }
            if ready < 0, errno == EINTR { continue }
            guard ready < 0 || Self.now < end else {
                isLost = true
                throw StoreError(.unreachable, "no answer from the server for \(patience) s")
            }
            if ready < 0 { throw lost() }
        }
    }

    /// Seconds on a clock that nobody sets.
    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    // MARK: Errors

    private func failure(of result: PostgresResult) -> StoreError? {
        switch result.status {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_SINGLE_TUPLE, PGRES_COPY_IN,
            PGRES_PIPELINE_SYNC:
            nil
        default:
            result.error ?? lost()
        }
    }

    private func lost() -> StoreError {
        let message = String(cString: PQerrorMessage(handle)).onOneLine
        return StoreError(.unreachable, message.isEmpty ? "connection lost" : message)
    }
}
