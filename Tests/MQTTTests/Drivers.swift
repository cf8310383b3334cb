import Foundation
import MQTT
import TestServers

/// One message, copied.
struct Received: Equatable {
    var topic: String
    var payload: String
    var packetID: UInt16
    var isRetained = false
}

/// Drives a subscriber and keeps what it was handed.
final class SubscriberDriver {
    let subscriber: Subscriber
    var messages: [Received] = []
    var events: [SubscriberEvent] = []

    init(
        _ server: MosquittoServer, clientID: String = "intake", filters: [String] = ["fleet/#"],
        formerFilters: [String] = [], change: (inout MQTTSettings) -> Void = { _ in }
    ) {
        var settings = MQTTSettings(host: "127.0.0.1", port: server.port)
        change(&settings)
        subscriber = Subscriber(
            clientID: clientID, settings: settings, filters: filters, formerFilters: formerFilters)
    }

    /// Takes turns until the condition holds; false when that takes longer than `seconds`.
    @discardableResult
    func run(
        for seconds: Double = 15, acknowledging: Bool = true, until condition: () -> Bool
    ) -> Bool {
        let end = ContinuousClock.now + .seconds(seconds)
        while !condition() {
            guard ContinuousClock.now < end else { return false }
            turn(acknowledging: acknowledging)
        }
        return true
    }

    func turn(acknowledging: Bool = true, paused: Bool = false, maxMessages: Int = 500) {
        events += subscriber.turn(
            timeout: 20, wake: -1, paused: paused, maxMessages: maxMessages
        ) { message in
            messages.append(
                Received(
                    topic: String(decoding: message.topic, as: UTF8.self),
                    payload: String(decoding: message.payload, as: UTF8.self),
                    packetID: message.packetID, isRetained: message.isRetained))
        }
        if acknowledging { subscriber.acknowledge() }
    }

    @discardableResult
    func becomeReady() -> Bool { run { subscriber.isReady } }
}

/// Drives a publisher and keeps what became of its messages.
final class PublisherDriver {
    let publisher: Publisher
    var acknowledged: [UInt64] = []
    var events: [PublisherEvent] = []

    init(
        _ server: MosquittoServer, will: Will? = nil, window: Int = 1000,
        change: (inout MQTTSettings) -> Void = { _ in }
    ) {
        var settings = MQTTSettings(host: "127.0.0.1", port: server.port)
        change(&settings)
        publisher = Publisher(
            clientID: "intake-pub", settings: settings, will: will, window: window)
    }

    @discardableResult
    func run(for seconds: Double = 15, until condition: () -> Bool) -> Bool {
        let end = ContinuousClock.now + .seconds(seconds)
        while !condition() {
            guard ContinuousClock.now < end else { return false }
            turn()
        }
        return true
    }

    func turn(timeout: Int32 = 20) {
        for event in publisher.turn(timeout: timeout, wake: -1) {
            if case .acknowledged(let tokens) = event { acknowledged += tokens }
            events.append(event)
        }
    }

    /// How many connections were lost.
    var losses: Int { events.count { if case .lost = $0 { true } else { false } } }

    /// Publishes `m0`, `m1` … with QoS 1 and waits for their acknowledgement.
    @discardableResult
    func publish(_ range: Range<Int>, topic: String = "fleet/bus/position") -> Bool {
        for index in range {
            while !publisher.publish(
                topic: topic, payload: Array("m\(index)".utf8), qos: 1, retain: false,
                token: UInt64(index))
            {
                turn(timeout: 0)
            }
        }
        return run { publisher.inFlight == 0 }
    }
}
