/// Why a planner gave no route.
package struct PlannerError: Error, Equatable, Sendable {
    /// What went wrong, to switch on.
    package enum Reason: String, CaseIterable, Sendable {
        /// The settings do not name a server.
        case misconfigured
        /// No connection, or it broke.
        case unreachable
        /// No answer in time.
        case timeout
        /// The engine answered that it has no route, or that it cannot serve.
        case refused
        /// The answer is not a route: no JSON, empty, too large, in the wrong place.
        case unusable
    }

    /// What went wrong.
    package var reason: Reason
    /// One sentence for a person, with the engine's or the library's own code and words; without
    /// the URL's user, password and query.
    package var message: String
    /// The engine's own code, where it sent one.
    package var code: String?

    /// Creates an error.
    package init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }

    /// Creates the error of an engine that said no.
    init(code: String, words: String) {
        let isQuiet = words.isEmpty
        self.init(.refused, Self.shown(code) + (isQuiet ? "" : ": " + Self.shown(words)))
        self.code = code
    }

    /// What `reroute_failed` tells as its `error`.
    package var text: String { "\(reason.rawValue): \(message)" }

    /// A server's words as they go into events and logs: without control characters, of bounded length.
    private static func shown(_ words: String) -> String {
        String(
            String.UnicodeScalarView(
                words.unicodeScalars.prefix(200).map { $0.value < 32 || $0.value == 127 ? " " : $0 }
            ))
    }
}
