/// What the database tells of the past: tracks and reports.
package protocol ConsoleHistory: Sendable {
    /// Answers a question, on any thread, at once or later; always, and only once.
    ///
    /// Called on the server's thread: it must wait for nothing.
    func answer(
        _ question: HistoryQuestion, then: @escaping @Sendable (HistoryAnswer) -> Void)
}

/// What a client asks of the past; nothing in it is trusted.
package struct HistoryQuestion: Equatable, Sendable {
    /// What it is about.
    package enum Subject: Equatable, Sendable {
        /// Where a vehicle was.
        case track(vehicleID: String)
        /// A report, by its name.
        case report(String)
    }

    /// What it is about.
    package var subject: Subject
    /// The request's arguments by name, decoded.
    package var arguments: [String: String]

    /// Creates a question.
    package init(_ subject: Subject, arguments: [String: String]) {
        self.subject = subject
        self.arguments = arguments
    }
}

/// What became of a question.
package enum HistoryAnswer: Equatable, Sendable {
    /// The answer, a JSON object.
    case json([UInt8])
    /// There is no such report; says which there are.
    case unknown(String)
    /// The question is wrong; says how.
    case mistake(String)
    /// Too many are asked for at once.
    case busy
    /// The database took too long: what is asked for is too much.
    case tooMuch(String)
    /// The database cannot be asked now; says why.
    case unavailable(String)

    /// The answer to the client.
    var response: HTTPResponse {
        switch self {
        case .json(let body): HTTPResponse(type: "application/json", body: body)
        case .unknown(let message): .failure(404, message)
        case .mistake(let message): .failure(400, message)
        case .busy:
            .failure(
                503, "too many tracks and reports are asked for", headers: [("Retry-After", "2")])
        case .tooMuch(let message): .failure(504, message)
        case .unavailable(let message):
            .failure(503, message, headers: [("Retry-After", "5")])
        }
    }
}
