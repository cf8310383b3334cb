/// What the console shows and passes on.
///
/// Its functions are called on the server's thread, which all clients share: they must be quick, and
/// wait for nothing.
package protocol ConsoleSource: Sendable {
    /// Returns the metrics in Prometheus' text format.
    func metrics() -> [UInt8]
    /// Returns what must work for the worker to be ready, and whether it does.
    func readiness() -> [ReadinessPart]
    /// Returns the newest progress of every vehicle, as a GeoJSON FeatureCollection of points.
    func vehicles() -> [UInt8]
    /// Returns the vehicle's current route as GeoJSON, or `nil` when it has none.
    func route(vehicleID: String) -> [UInt8]?
    /// Returns the better route that the vehicle is offered as GeoJSON, or `nil` when there is none.
    func proposal(vehicleID: String) -> [UInt8]?
    /// Returns the places that a query asks for, a GeoJSON FeatureCollection of definitions with `truncated`; `nil`
    /// where no places are served.
    func places(_ query: PlaceQuery) -> [UInt8]?
    /// Returns a place's definition, or `nil` when it is not in force.
    func place(_ id: String) -> [UInt8]?
    /// Returns who is in a place and since when, or `nil` when the place is not in force.
    func vehicles(inPlace id: String) -> [UInt8]?
    /// Publishes a command to the topic of a vehicle or place, with a new `command_id` in it.
    ///
    /// - Parameters:
    ///   - command: `proceed`, `skip`, `reroute`, `avoid`, `accept`, `decline` or `stop` for vehicles, `put` or `delete`
    ///     for places.
    ///   - subject: Its id is 1 to 128 bytes of UTF-8, without `/ + #` and control characters.
    ///   - body: What the client sent: nothing, or what should be a JSON object.
    func send(command: String, to subject: CommandSubject, body: [UInt8]) -> CommandReceipt
    /// Hears of a command that was turned away before it was read.
    func refused(command: String, for subject: CommandSubject, because reason: String)
}

extension ConsoleSource {
    package func proposal(vehicleID: String) -> [UInt8]? { nil }
    package func places(_ query: PlaceQuery) -> [UInt8]? { nil }
    package func place(_ id: String) -> [UInt8]? { nil }
    package func vehicles(inPlace id: String) -> [UInt8]? { nil }
}

/// Whom a command is for.
package enum CommandSubject: Equatable, Sendable {
    case vehicle(String)
    case place(String)

    /// The id of the vehicle or place.
    package var id: String {
        switch self {
        case .vehicle(let id), .place(let id): id
        }
    }
}

/// A part that the worker needs, and whether it works.
package struct ReadinessPart: Equatable, Sendable {
    /// Its name, such as `broker`.
    package var part: String
    /// Whether it works.
    package var ok: Bool
    /// What is wrong, or what is fine, in a few words.
    package var detail: String

    /// Creates a part's state.
    package init(part: String, ok: Bool, detail: String) {
        self.part = part
        self.ok = ok
        self.detail = detail
    }
}

/// What became of a command.
package enum CommandReceipt: Equatable, Sendable {
    /// It is on its way under this `command_id`, which the event that answers it carries.
    case sent(commandID: String)
    /// Its body is not a JSON object; says where it stops being one.
    case malformed(String)
    /// It cannot be published now; says why.
    case unavailable(String)
}

/// One message for the clients of the stream.
package struct StreamEvent: Sendable {
    /// What a message tells.
    package enum Kind: String, Sendable {
        /// The newest progress of a vehicle; replaces what was said before.
        case progress
        /// Something that happened on a trip; each one counts.
        case event
        /// Something that happened to a vehicle, with or without a trip; each one counts.
        case alarm
        /// A place's newest definition, or what it tells of itself; replaces nothing.
        case place
    }

    /// What the message tells.
    package var kind: Kind
    /// The vehicle or place that it is about.
    package var subjectID: String
    /// The message itself, a JSON object.
    package var json: [UInt8]

    /// Creates a message.
    package init(kind: Kind, subjectID: String, json: [UInt8]) {
        self.kind = kind
        self.subjectID = subjectID
        self.json = json
    }
}
