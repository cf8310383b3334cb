import MQTT
import TestServers
import Testing

/// The connection of tools, on a real broker.
@Suite(.timeLimit(.minutes(5)))
struct ClientTests {
    private let server: MosquittoServer

    init() throws {
        server = try MosquittoServer()
    }

    private func client(_ id: String, filters: [String]) -> Client {
        Client(
            clientID: id, settings: MQTTSettings(host: "127.0.0.1", port: server.port),
            filters: filters)
    }

    @Test(arguments: [MQTTSettings.ProtocolVersion.v5, .v311])
    func sendsAndReceives(_ version: MQTTSettings.ProtocolVersion) {
        var settings = MQTTSettings(host: "127.0.0.1", port: server.port)
        settings.version = version
        let client = Client(clientID: "tool", settings: settings, filters: ["a/+", "b"])
        for index in 0..<1000 {
            client.publish(topic: "a/\(index % 7)", payload: Array("\(index)".utf8))
        }
        var received: [String] = []
        while received.count < 1000 || client.inFlight > 0 {
            _ = client.turn(timeout: 50) {
                received.append(String(decoding: $0.payload, as: UTF8.self))
            }
        }
        #expect(received == (0..<1000).map { "\($0)" })
    }

    @Test func comesBackAndSendsWhatIsLeft() throws {
        let client = client("tool", filters: ["a"])
        while !client.isReady { _ = client.turn(timeout: 20) { _ in } }
        server.kill()
        client.publish(topic: "a", payload: [1])
        var events: [ClientEvent] = []
        while !events.contains(where: { if case .lost = $0 { true } else { false } }) {
            events += client.turn(timeout: 20) { _ in }
        }
        try server.start()
        var payloads: [[UInt8]] = []
        while payloads.isEmpty || client.inFlight > 0 {
            _ = client.turn(timeout: 20) { payloads.append(Array($0.payload)) }
        }
        #expect(payloads.contains([1]))
    }

    @Test func saysThatNobodyListens() {
        server.kill()
        let client = client("tool", filters: [])
        var events: [ClientEvent] = []
        while events.isEmpty { events = client.turn(timeout: 20) { _ in } }
        guard case .connectFailed(let error, let retryIn) = events[0] else {
            Issue.record("\(events)")
            return
        }
        #expect(error.reason == .unreachable)
        #expect(retryIn > 0)
    }
}
