import Foundation
import MQTT
import Synchronization

/// Devices, operations and dashboards in one: publishes what the test says, and hears everything.
final class FleetClient: Sendable {
    /// A message as it was heard.
    struct Heard: Sendable {
        var topic: String
        var payload: String
    }

    private struct State {
        var outgoing: [(topic: String, payload: String)] = []
        var heard: [Heard] = []
        var isReady = false
        var unacknowledged = 0
        var isOver = false
    }

    private let state = Mutex(State())

    /// Connects and subscribes; returns once it hears.
    init(port: Int, filters: [String] = ["fleet/#", "fleet-worker/#", "fleet-place/#"]) throws {
        let settings = MQTTSettings(host: "127.0.0.1", port: port)
        let name = UUID().uuidString
        let thread = Thread { [state = Weak(self)] in
            Self.run(state, settings: settings, name: name, filters: filters)
        }
        thread.start()
        try wait("the subscription") { $0.isReady ? true : nil }
    }

    deinit { state.withLock { $0.isOver = true } }

    /// Publishes with QoS 1.
    func publish(_ topic: String, _ payload: String) {
        state.withLock { $0.outgoing.append((topic, payload)) }
    }

    /// Waits until the broker has everything that was published.
    func settle() throws {
        try wait("the broker's acknowledgements") {
            $0.outgoing.isEmpty && $0.unacknowledged == 0 ? true : nil
        }
    }

    /// All events of a vehicle so far, each once, in the order in which they came first.
    func events(of vehicle: String) -> [FleetEvent] {
        let heard = state.withLock { $0.heard }
        var seen: Set<String> = []
        return heard.filter { $0.topic.hasPrefix("fleet/\(vehicle)/event/") }
            .compactMap { FleetEvent($0.payload) }.filter { seen.insert($0.id).inserted }
    }

    /// All messages on a topic.
    func heard(_ topic: String) -> [String] {
        state.withLock { $0.heard.filter { $0.topic == topic }.map(\.payload) }
    }

    /// The last message on a topic.
    func last(_ topic: String) -> String? {
        state.withLock { $0.heard.last { $0.topic == topic }?.payload }
    }

    /// Waits until a vehicle has had an event of that type, and returns it.
    @discardableResult
    func event(
        _ type: String, of vehicle: String, number: Int = 1, within seconds: Double = 20
    ) throws -> FleetEvent {
        try wait("\(type) of \(vehicle)", within: seconds) { [self] in
            let found = events(of: vehicle).filter { $0.type == type }
            return found.count >= number ? found[number - 1] : nil
        }
    }

    /// Waits until `condition` gives something.
    @discardableResult
    func wait<Result>(
        _ what: String, within seconds: Double = 20, _ condition: () throws -> Result?
    ) throws -> Result {
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end {
            if let result = try condition() { return result }
            usleep(10_000)
        }
        let heard = state.withLock { $0.heard.suffix(5).map { "\($0.topic) \($0.payload)" } }
        throw Waited(description: "waited in vain for \(what); heard last: \(heard)")
    }

    private func wait(_ what: String, _ condition: (State) -> Bool?) throws {
        _ = try wait(what) { state.withLock { condition($0) } }
    }

    struct Waited: Error, CustomStringConvertible { var description: String }

    private final class Weak: @unchecked Sendable {
        weak var client: FleetClient?
        init(_ client: FleetClient) { self.client = client }
    }

    private static func run(
        _ owner: Weak, settings: MQTTSettings, name: String, filters: [String]
    ) {
        let subscriber = Subscriber(
            clientID: "test-\(name)", settings: settings, filters: filters, formerFilters: [])
        let publisher = Publisher(clientID: "test-pub-\(name)", settings: settings, will: nil)
        var token: UInt64 = 0
        while let client = owner.client, !client.state.withLock({ $0.isOver }) {
            var heard: [Heard] = []
            _ = subscriber.turn(timeout: 2, wake: -1, paused: false, maxMessages: 1000) {
                heard.append(
                    Heard(
                        topic: String(decoding: $0.topic, as: UTF8.self),
                        payload: String(decoding: $0.payload, as: UTF8.self)))
            }
            subscriber.acknowledge()
            let outgoing = client.state.withLock { state in
                state.heard += heard
                state.isReady = subscriber.isReady
                return Array(state.outgoing.prefix(500))
            }
            var sent = 0
            for message in outgoing {
                token += 1
                guard
                    publisher.publish(
                        topic: message.topic, payload: Array(message.payload.utf8), qos: 1,
                        retain: false, token: token)
                else { break }
                sent += 1
            }
            _ = publisher.turn(timeout: 2, wake: -1)
            client.state.withLock { state in
                state.outgoing.removeFirst(sent)
                state.unacknowledged = publisher.inFlight
            }
        }
        subscriber.disconnect()
        publisher.disconnect(final: nil)
    }
}

/// What every event tells.
struct FleetEvent: Decodable, Sendable {
    struct Waypoint: Decodable, Sendable { var index: Int }
    struct Request: Decodable, Sendable { var number: Int }

    var id: String
    var sequence: Int?
    var type: String
    var vehicle_id: String
    var trip_id: String?
    var remaining_waypoints: Int?
    var waypoint: Waypoint?
    var held: Bool?
    var reason: String?
    var command_id: String?
    var request: Request?
    var error: String?

    init?(_ payload: String) {
        guard let event = try? JSONDecoder().decode(Self.self, from: Data(payload.utf8)) else {
            return nil
        }
        self = event
    }
}
