/// One answer.
struct HTTPResponse: Sendable {
    /// What follows the headers.
    enum Body: Sendable {
        /// All of it.
        case bytes([UInt8])
        /// What the client gives out, until it ends.
        case stream(StreamClient)
        /// Another answer as a whole, given later.
        case later(PendingAnswer)
    }

    /// Its status code.
    var status: Int
    /// Its own headers; those that every answer carries are added when it is sent.
    var headers: [(name: String, value: String)]
    /// What follows.
    var body: Body

    /// Creates an answer.
    init(
        status: Int = 200, type: String, headers: [(name: String, value: String)] = [],
        body: [UInt8]
    ) {
        self.status = status
        self.headers = [("Content-Type", type)] + headers
        self.body = .bytes(body)
    }

    /// Creates an answer that goes on until its client ends.
    init(stream: StreamClient) {
        self.status = 200
        self.headers = [
            ("Content-Type", "text/event-stream"), ("Connection", "close"),
            // Else nginx holds messages back.
            ("X-Accel-Buffering", "no"),
        ]
        self.body = .stream(stream)
    }

    /// Creates an answer that another thread gives later.
    init(later: PendingAnswer) {
        self.status = 200
        self.headers = []
        self.body = .later(later)
    }

    /// Returns an answer that says in JSON what is wrong.
    static func failure(
        _ status: Int, _ message: String, headers: [(name: String, value: String)] = []
    ) -> HTTPResponse {
        json(status: status, "{\"error\":\(JSONText.quoted(message))}", headers: headers)
    }

    /// Returns an answer in JSON.
    static func json(
        status: Int = 200, _ text: String, headers: [(name: String, value: String)] = []
    ) -> HTTPResponse {
        HTTPResponse(
            status: status, type: "application/json", headers: headers,
            body: Array((text + "\n").utf8))
    }
}
