/// Which planner answers, and how much is asked of it.
package struct PlannerSettings: Equatable, Sendable {
    /// Who plans routes.
    package enum Kind: String, CaseIterable, Sendable {
        /// An OSRM server, by its `/route/v1/{profile}`.
        case osrm
        /// A Valhalla server, by its `/route`.
        case valhalla
        /// Another program, which reads the events and answers by `command/route`.
        case outside
        /// Nobody: a route is never asked for.
        case none
    }

    /// Who plans routes.
    package var kind: Kind
    /// Where the server is: `http://host:port`, with a path where it sits behind one; see `Endpoint`.
    package var url: String?
    /// How many questions are out at once; the others wait for their turn.
    package var maxInFlight = 16
    /// When a question's silence becomes a failure, in seconds from its asking.
    package var timeout = 20.0
    /// How many rounds a question may take to get around closed roads, 1 or more.
    package var avoidRounds = 3
    /// A longer answer is cut off, in bytes.
    package var maxAnswerBytes = 16 << 20

    /// Creates settings with the default limits.
    package init(kind: Kind, url: String? = nil) {
        self.kind = kind
        self.url = url
    }
}
