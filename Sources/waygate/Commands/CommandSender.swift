import Telemetry
import Worker

/// Publishes a command, and waits for the event that answers it where asked to.
struct CommandSender {
    private static let wait = Option.flag(
        "wait", "print the event that answers; exit status 1 when the command is rejected")
    private static let timeout = Option.value(
        "timeout", "SECONDS", "how long --wait waits (default 10)")

    /// The options that every command to a vehicle takes.
    static let options = [wait, timeout, .config]

    private let settings: ConfigurationSource
    private let waits: Bool
    private let patience: Double

    init(_ arguments: Arguments) throws(UsageError) {
        settings = arguments.configuration()
        waits = arguments.has(Self.wait)
        patience = try arguments.number(Self.timeout, in: 0.1...86_400) ?? 10
        guard waits || !arguments.has(Self.timeout) else {
            throw UsageError("\(Self.timeout.written) needs \(Self.wait.written)")
        }
    }

    /// Publishes a command; prints its id and topic, or the event that answers it.
    ///
    /// - Throws: ``CommandFailure`` when it cannot be published, is rejected, or not answered in time.
    func send(_ request: CommandRequest) throws {
        let configuration = try settings.load()
        try request.check(defaults: configuration.tracking)
        let root = configuration.topicRoot
        // The subscription comes first: the answer may be there before the acknowledgement.
        let events = "\(root)/\(request.vehicleID)/event/"
        let session = try BrokerSession(configuration, filters: waits ? ["\(events)+"] : [])
        session.publish(topic: request.topic(root: root), payload: request.payload)
        try session.drain(within: patience)
        guard waits else {
            var json = JSONWriter()
            json.object { json in
                json.member("command_id", request.commandID)
                json.member("topic", request.topic(root: root))
            }
            Output().line(json.bytes)
            return
        }
        try awaitAnswer(to: request, from: session, below: events)
    }

    private func awaitAnswer(
        to request: CommandRequest, from session: BrokerSession, below prefix: String
    ) throws {
        let parser = JSONParser()
        let end = ContinuousClock.now + .seconds(patience)
        repeat {
            for message in try session.turn(timeout: 50) {
                let type = String(message.topic.dropFirst(prefix.count))
                guard request.isAnswered(by: type) else { continue }
                let event = try? message.payload.withUnsafeBytes { bytes throws(JSONError) in
                    try parser.parse(bytes)
                }
                guard let event, event["command_id"]?.string == request.commandID else { continue }
                Output().line(message.payload)
                guard type != "command_rejected" else {
                    let detail = event["detail"]?.string ?? "the worker gives no reason"
                    throw CommandFailure(detail)
                }
                return
            }
        } while ContinuousClock.now < end
        throw CommandFailure(
            "no answer in \(patience.shown) s: is a worker running ('waygate check'), and was the command "
                + "new to it?")
    }
}

extension Double {
    /// The number without a fraction where it has none.
    var shown: String {
        Int(exactly: self).map { "\($0)" } ?? "\(self)"
    }
}
