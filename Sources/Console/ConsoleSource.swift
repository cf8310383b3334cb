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
    /// Publishes a command to the vehicle's topic, with a new `command_id` in it.
    ///
    /// - Parameters:
    ///   - command: `proceed`, `skip`, `reroute` or `stop`.
    ///   - vehicleID: 1 to 128 bytes of UTF-8, without `/ + #` and control characters.
    ///   - body: What the client sent: nothing, or what should be a JSON object.
    func send(command: String, vehicleID: String, body: [UInt8]) -> CommandReceipt
    /// Hears of a command that was turned away before it was read.
    func refused(command: String, vehicleID: String, because reason: String)
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
