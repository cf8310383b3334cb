import CCurl

/// One libcurl multi handle: several requests at once over connections that are kept.
///
/// One thread drives it: `start` requests, `wait`, take what is `finished`.
final class HTTPLoop {
    private let multi: UnsafeMutableRawPointer
    private let endpoint: Endpoint
    private let limit: Int
    private var idle: [HTTPTransfer] = []
    private var active: [UnsafeMutableRawPointer: HTTPTransfer] = [:]

    /// Prepares libcurl once for the process.
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// Creates a loop without connections.
    ///
    /// - Parameters:
    ///   - connections: How many are kept when idle.
    ///   - limit: A longer answer is cut off, in bytes.
    /// - Throws: `misconfigured` when libcurl does not start.
    init(endpoint: Endpoint, connections: Int, limit: Int) throws(PlannerError) {
        guard Self.isReady, let multi = curl_multi_init() else {
            throw PlannerError(.misconfigured, "libcurl does not start")
        }
        waygate_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, connections)
        self.multi = multi
        self.endpoint = endpoint
        self.limit = limit
    }

    deinit {
        for handle in active.keys { curl_multi_remove_handle(multi, handle) }
        active = [:]
        idle = []
        curl_multi_cleanup(multi)
    }

    /// Sends a request.
    ///
    /// - Parameter owner: Whom `finished` names with the answer.
    /// - Throws: `unreachable` when libcurl does not take it.
    func start(
        _ request: HTTPRequest, owner: String, timeout: Double
    ) throws(PlannerError) -> HTTPTransfer {
        guard let transfer = idle.popLast() ?? HTTPTransfer(endpoint: endpoint, limit: limit)
        else { throw PlannerError(.unreachable, "libcurl has no memory for a request") }
        transfer.prepare(request, owner: owner, timeout: timeout)
        let code = curl_multi_add_handle(multi, transfer.handle)
        guard code == CURLM_OK else {
            throw PlannerError(.unreachable, String(cString: curl_multi_strerror(code)))
        }
        active[transfer.handle] = transfer
        return transfer
    }

    /// Breaks a transfer off, and closes its connection if an answer was still to come.
    func cancel(_ transfer: HTTPTransfer) {
        guard active.removeValue(forKey: transfer.handle) != nil else { return }
        curl_multi_remove_handle(multi, transfer.handle)
        idle.append(transfer)
    }

    /// Sleeps until a connection is ready, `wake` is readable, or the time is over.
    ///
    /// - Parameters:
    ///   - milliseconds: How long to sleep at most.
    ///   - wake: A file descriptor to watch, or -1; who owns it reads it empty.
    func wait(milliseconds: Int32, wake: Int32) {
        var watched = curl_waitfd(fd: wake, events: Int16(CURL_WAIT_POLLIN), revents: 0)
        curl_multi_poll(multi, &watched, wake < 0 ? 0 : 1, milliseconds, nil)
    }

    /// Sends and receives what is ready, and returns the requests that are over, with their owners.
    ///
    /// Their transfers may carry other requests from now on.
    func finished() -> [(owner: String, result: Result<HTTPResponse, PlannerError>)] {
        var running: Int32 = 0
        curl_multi_perform(multi, &running)
        var results: [(owner: String, result: Result<HTTPResponse, PlannerError>)] = []
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle,
                let transfer = active.removeValue(forKey: handle)
            else { continue }
            let code = waygate_curl_result(message)
            curl_multi_remove_handle(multi, handle)
            results.append((transfer.owner, transfer.finish(code)))
            idle.append(transfer)
        }
        return results
    }
}
