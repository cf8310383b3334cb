import Geometry
import Glibc
import MQTT

/// Publishes a made-up fleet as fast as the broker takes it, for `deploy/benchmark`.
///
///     FleetLoad assign  PORT ROOT VEHICLES VERTICES
///     FleetLoad drive   PORT ROOT VEHICLES VERTICES MESSAGES BATCH QOS
///     FleetLoad latency PORT ROOT VEHICLES VERTICES
///
/// Prints `started SECONDS` and `sent SECONDS` on the monotonic clock; `latency` prints the milliseconds between
/// publishing and hearing of each vehicle's event.
@main
enum FleetLoad {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        let numbers = words.dropFirst(2).compactMap { Int($0) }
        guard words.count >= 5, let port = Int(words[1]) else {
            fail("see the top of Tests/Benchmarks/Load/FleetLoad.swift")
        }
        let fleet = MadeUpFleet(root: words[2], vehicles: numbers[0], vertices: numbers[1])
        let settings = MQTTSettings(host: "127.0.0.1", port: port)
        switch (words[0], numbers.count) {
        case ("assign", 2):
            var pump = Pump(settings, qos: 1)
            for vehicle in 0..<fleet.vehicles { pump.publish(fleet.assignment(of: vehicle)) }
            pump.finish()
        case ("drive", 5):
            let messages = fleet.drive(messages: numbers[2], batch: numbers[3], now: time(nil))
            var pump = Pump(settings, qos: numbers[4])
            print("started", monotonicSeconds())
            for message in messages { pump.publish(message) }
            pump.finish()
            print("sent", monotonicSeconds())
        case ("latency", 2): Latency(settings, fleet).run()
        default: fail("unknown work: \(words)")
        }
    }
}

/// A message to be published.
struct Outgoing {
    var topic: String
    var payload: [UInt8]
}

/// Publishes without more than a thousand messages that the broker has not acknowledged.
struct Pump {
    private let publisher: Publisher
    private let qos: Int
    private var token: UInt64 = 0

    init(_ settings: MQTTSettings, qos: Int) {
        publisher = Publisher(clientID: "load-\(getpid())", settings: settings, will: nil)
        self.qos = qos
        while !publisher.isConnected { turn() }
    }

    mutating func publish(_ message: Outgoing) {
        token += 1
        while !publisher.publish(
            topic: message.topic, payload: message.payload, qos: qos, retain: false, token: token)
        {
            turn()
        }
    }

    /// Waits for the broker's last acknowledgement.
    func finish() {
        while publisher.inFlight > 0 { turn() }
        publisher.disconnect(final: nil)
    }

    func turn() {
        for event in publisher.turn(timeout: 10, wake: -1) {
            switch event {
            case .acknowledged, .connected: continue
            default: fail("\(event)")
            }
        }
    }
}

/// Measures the time from publishing a fix at a via point to hearing that it was reached, one vehicle after the other.
final class Latency {
    private var publisher: Pump
    private let fleet: MadeUpFleet
    private let subscriber: Subscriber

    init(_ settings: MQTTSettings, _ fleet: MadeUpFleet) {
        self.fleet = fleet
        publisher = Pump(settings, qos: 1)
        subscriber = Subscriber(
            clientID: "dashboard-\(getpid())", settings: settings,
            filters: ["\(fleet.root)/+/event/#"], formerFilters: [])
        while !subscriber.isReady { _ = heard() }
    }

    func run() {
        for vehicle in 0..<fleet.vehicles {
            let start = monotonicSeconds()
            publisher.publish(fleet.visit(of: vehicle, now: time(nil)))
            publisher.turn()
            let prefix = "\(fleet.root)/\(fleet.name(vehicle))/event/waypoint_reached"
            while !heard().contains(prefix) {
                if monotonicSeconds() - start > 10 { fail("no event of \(fleet.name(vehicle))") }
            }
            print((monotonicSeconds() - start) * 1000)
            usleep(5000)
        }
    }

    private func heard() -> [String] {
        var topics: [String] = []
        _ = subscriber.turn(timeout: 10, wake: -1, paused: false, maxMessages: 100) {
            topics.append(String(decoding: $0.topic, as: UTF8.self))
        }
        subscriber.acknowledge()
        return topics
    }
}

/// Ends the process with a message.
func fail(_ message: String) -> Never {
    let line = Array("FleetLoad: \(message)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
    exit(1)
}

/// Seconds on the clock that is never set, the same for all processes.
func monotonicSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
