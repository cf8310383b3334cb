import Glibc
import MQTT
import Worker

/// A message from the broker, copied.
struct BrokerMessage {
    /// The topic.
    var topic: String
    /// The payload's bytes.
    var payload: [UInt8]
}

/// A connection to the configured broker for as long as a command runs.
final class BrokerSession {
    private let client: Client
    /// Where the broker is.
    let address: String
    private var inbox: [BrokerMessage] = []

    /// How many published messages the broker has not acknowledged.
    var inFlight: Int { client.inFlight }

    /// Connects, and subscribes to topics.
    ///
    /// - Throws: ``CommandFailure`` where the broker is not there or says no.
    init(_ configuration: Configuration, filters: [String] = []) throws {
        let settings = try configuration.mqttSettings()
        address = "\(settings.host):\(settings.port)"
        let id = "\(configuration.workerID)-cli-\(Identifier.random().prefix(8))"
        client = Client(clientID: id, settings: settings, filters: filters)
        let end = ContinuousClock.now + .seconds(15)
        while !client.isReady {
            guard ContinuousClock.now < end else {
                throw CommandFailure("the broker at \(address) does not answer")
            }
            for event in takeTurn(timeout: 100) {
                if case .connectFailed(let error, let retryIn) = event, retryIn > 0 {
                    throw CommandFailure(
                        "no connection to the broker at \(address): \(error.message); "
                            + "mqtt.url or WAYGATE_MQTT_URL says where it is")
                }
                try complain(about: event)
            }
        }
    }

    deinit { client.disconnect() }

    /// Takes a QoS 1 message to be sent in the next turns.
    func publish(topic: String, payload: [UInt8]) {
        client.publish(topic: topic, payload: payload)
    }

    /// Sends and receives for up to `timeout` milliseconds, less where something comes.
    ///
    /// A lost connection comes back by itself.
    ///
    /// - Returns: The messages that came, in order.
    /// - Throws: ``CommandFailure`` when the broker refuses a message or a subscription.
    func turn(timeout: Int32) throws -> [BrokerMessage] {
        for event in takeTurn(timeout: timeout) { try complain(about: event) }
        defer { inbox = [] }
        return inbox
    }

    /// Sends until the broker has acknowledged everything.
    ///
    /// - Throws: ``CommandFailure`` when that takes longer than `seconds`.
    func drain(within seconds: Double) throws {
        let end = ContinuousClock.now + .seconds(seconds)
        var kept: [BrokerMessage] = []
        while client.inFlight > 0 {
            guard ContinuousClock.now < end else {
                throw CommandFailure(
                    "the broker at \(address) has not acknowledged the message in \(seconds.shown) s"
                )
            }
            kept += try turn(timeout: 50)
        }
        inbox = kept
    }

    private func complain(about event: ClientEvent) throws {
        switch event {
        case .subscriptionRefused(let filter, let error):
            throw CommandFailure(
                "the broker at \(address) refuses the subscription to \(filter): \(error.message)")
        case .refused(_, let error):
            throw CommandFailure("the broker at \(address) refuses a message: \(error.message)")
        case .lost(let error, _):
            Process.complain("connection to the broker lost (\(error.message)); trying again")
        case .connected, .ready, .connectFailed: return
        }
    }

    private func takeTurn(timeout: Int32) -> [ClientEvent] {
        client.turn(timeout: timeout) { message in
            inbox.append(
                BrokerMessage(
                    topic: String(decoding: message.topic, as: UTF8.self),
                    payload: Array(message.payload)))
        }
    }
}
