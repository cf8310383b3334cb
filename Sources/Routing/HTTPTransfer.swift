import CCurl

/// What is sent to a server.
struct HTTPRequest: Equatable, Sendable {
    /// The whole URL, without credentials.
    var url: String
    /// JSON to POST; `nil` for a GET.
    var body: [UInt8]?
}

/// What a server sent.
struct HTTPResponse: Equatable, Sendable {
    /// 200 and the like.
    var status: Int
    /// All of it, within the limit.
    var body: [UInt8]
}

/// One libcurl easy handle, used for one request after the other.
///
/// It never follows a redirection: a planner that moved has to be named anew.
final class HTTPTransfer {
    let handle: UnsafeMutableRawPointer
    /// Whose request it carries: the trip's id.
    private(set) var owner = ""
    private let origin: String
    private let limit: Int
    private let errorText: UnsafeMutablePointer<CChar>
    private let headers: UnsafeMutablePointer<curl_slist>?
    private var body: [UInt8] = []
    private var isOverLimit = false

    /// Creates an idle handle; `nil` when libcurl has no memory for it.
    ///
    /// - Parameter limit: A longer answer is cut off, in bytes.
    init?(endpoint: Endpoint, limit: Int) {
        guard let handle = curl_easy_init() else { return nil }
        self.handle = handle
        self.origin = endpoint.origin
        self.limit = limit
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        // Without the second line libcurl asks before it sends a larger body, and waits up to a second.
        headers = curl_slist_append(
            curl_slist_append(nil, "Content-Type: application/json"), "Expect:")
        configure(endpoint)
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(headers)
        errorText.deallocate()
    }

    /// What all requests have in common.
    private func configure(_ endpoint: Endpoint) {
        waygate_curl_set_error_buffer(handle, errorText)
        waygate_curl_set_writer(
            handle,
            { bytes, size, count, context in
                guard let bytes, let context else { return 0 }
                let transfer = Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue()
                return transfer.append(UnsafeRawBufferPointer(start: bytes, count: size * count))
            }, Unmanaged.passUnretained(self).toOpaque())
        waygate_curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        // A cancelled transfer does not wait for its resolver's thread.
        waygate_curl_set_long(handle, CURLOPT_QUICK_EXIT, 1)
        waygate_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        waygate_curl_set_long(handle, CURLOPT_FOLLOWLOCATION, 0)
        waygate_curl_set_large(handle, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(limit))
        waygate_curl_set_long(handle, CURLOPT_TCP_KEEPALIVE, 1)
        waygate_curl_set_text(handle, CURLOPT_USERAGENT, "waygate")
        if endpoint.isLocal { waygate_curl_set_text(handle, CURLOPT_PROXY, "") }
        if let user = endpoint.user {
            waygate_curl_set_text(handle, CURLOPT_USERNAME, user)
            waygate_curl_set_text(handle, CURLOPT_PASSWORD, endpoint.password ?? "")
        }
    }

    /// Makes the handle ready for one request that may take `timeout` seconds in all.
    func prepare(_ request: HTTPRequest, owner: String, timeout: Double) {
        self.owner = owner
        body = []
        isOverLimit = false
        errorText[0] = 0
        waygate_curl_set_text(handle, CURLOPT_URL, request.url)
        if let body = request.body {
            waygate_curl_set_headers(handle, headers)
            waygate_curl_set_large(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
            body.withUnsafeBytes { bytes in
                let text = bytes.bindMemory(to: CChar.self).baseAddress
                _ = waygate_curl_set_text(handle, CURLOPT_COPYPOSTFIELDS, text)
            }
        } else {
            waygate_curl_set_headers(handle, nil)
            waygate_curl_set_long(handle, CURLOPT_HTTPGET, 1)
        }
        let milliseconds = Int(max(1, min(timeout, 86_400) * 1000))
        waygate_curl_set_long(handle, CURLOPT_TIMEOUT_MS, milliseconds)
        waygate_curl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, min(milliseconds, 5000))
    }

    /// Takes over what the transfer brought, once libcurl says that it is over.
    func finish(_ code: CURLcode) -> Result<HTTPResponse, PlannerError> {
        defer { body = [] }
        if isOverLimit || code == CURLE_FILESIZE_EXCEEDED {
            return .failure(
                PlannerError(.unusable, "the answer is longer than \(limit) bytes"))
        }
        guard code == CURLE_OK else { return .failure(failure(code)) }
        var status = 0
        waygate_curl_get_status(handle, &status)
        return .success(HTTPResponse(status: status, body: body))
    }

    /// Keeps what came, and breaks off where it gets too much.
    private func append(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard body.count + bytes.count <= limit else {
            isOverLimit = true
            return 0
        }
        body.append(contentsOf: bytes)
        return bytes.count
    }

    private func failure(_ code: CURLcode) -> PlannerError {
        let detail = String(cString: errorText)
        let words = detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
        let reason: PlannerError.Reason =
            switch code {
            case CURLE_OPERATION_TIMEDOUT: .timeout
            case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
                .unusable
            default: .unreachable
            }
        return PlannerError(reason, "\(origin): \(words)")
    }
}
