import Telemetry
import Worker

/// Commands for places that are published one after the other, and what the worker answers.
struct PlaceOrders {
    /// One command.
    struct Order {
        let name: PlaceCommand.Name
        let placeID: String
        let commandID: String
        let payload: [UInt8]
    }

    /// What the worker says of a command.
    struct Answer {
        /// The event, as it is published.
        let event: [UInt8]
        /// Whether the command changed something.
        let isChange: Bool
        /// Why it is refused; `nil` where it is not.
        let refusal: String?
    }

    /// How many commands may be on their way to the broker.
    private static let window = 200

    /// The commands, in order.
    private(set) var orders: [Order] = []

    /// Adds a `put`.
    mutating func put(_ place: PlaceDraft) {
        let commandID = Identifier.random()
        orders.append(
            Order(
                name: .put, placeID: place.id, commandID: commandID,
                payload: place.payload(commandID: commandID)))
    }

    /// Adds a `delete`.
    mutating func delete(_ placeID: String) {
        let commandID = Identifier.random()
        var json = JSONWriter()
        json.object { $0.member("command_id", commandID) }
        orders.append(
            Order(name: .delete, placeID: placeID, commandID: commandID, payload: json.bytes))
    }

    /// Publishes all, and waits for the answers.
    ///
    /// - Parameter patience: How many seconds may pass without an answer; `nil` waits for none.
    /// - Returns: The answers by the commands' ids; none where they are not waited for.
    /// - Throws: ``CommandFailure`` where they cannot be published, or an answer does not come.
    func carryOut(
        _ configuration: Configuration, patience: Double?
    ) throws -> [String: Answer] {
        let root = "\(configuration.topicRoot)-place/"
        let place = orders.count == 1 ? orders[0].placeID : "+"
        // The subscription comes first: an answer may be there before the acknowledgement.
        let session = try BrokerSession(
            configuration, filters: patience == nil ? [] : ["\(root)\(place)/event/+"])
        var answers = Answers(to: orders)
        var rest = orders[...]
        var last = ContinuousClock.now
        while !rest.isEmpty || session.inFlight > 0 || (patience != nil && !answers.areComplete) {
            while session.inFlight < Self.window, let order = rest.popFirst() {
                session.publish(
                    topic: "\(root)\(order.placeID)/command/\(order.name.rawValue)",
                    payload: order.payload)
            }
            let before = session.inFlight
            for message in try session.turn(timeout: 50) where answers.take(message.payload) {
                last = .now
            }
            if session.inFlight < before { last = .now }
            if last + .seconds(patience ?? 10) < .now {
                throw CommandFailure(
                    session.inFlight > 0
                        ? "the broker at \(session.address) does not acknowledge"
                        : "no answer to \(answers.missing) of \(orders.count) commands in \((patience ?? 10).shown) s: is a worker running ('waygate check')?"
                )
            }
        }
        return answers.byCommand
    }

    /// The answers that have come.
    private struct Answers {
        private(set) var byCommand: [String: Answer] = [:]
        private var awaited: Set<String>
        private let parser = JSONParser()

        init(to orders: [Order]) {
            awaited = Set(orders.map(\.commandID))
        }

        var areComplete: Bool { awaited.isEmpty }
        var missing: Int { awaited.count }

        /// Takes an event; tells whether it answers one of the commands.
        mutating func take(_ payload: [UInt8]) -> Bool {
            let event = try? payload.withUnsafeBytes { bytes throws(JSONError) in
                try parser.parse(bytes)
            }
            guard let event, let id = event["command_id"]?.string, awaited.remove(id) != nil
            else { return false }
            let reason = event["reason"]?.string
            let detail = event["detail"]?.string ?? "the worker gives no reason"
            byCommand[id] = Answer(
                event: payload,
                isChange: event["changed"]?.bool ?? !(event["revision"]?.isNull ?? true),
                refusal: reason.map { "\($0.printable): \(detail.printable)" })
            return true
        }
    }
}
