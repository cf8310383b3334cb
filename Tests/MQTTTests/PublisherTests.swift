import Foundation
import MQTT
import TestServers
import Testing

private let will = Will(
    topic: "status", payload: Array("offline".utf8), qos: 1, isRetained: true)

@Suite(.timeLimit(.minutes(2)))
struct PublisherTests {
    @Test("without a goodbye the broker publishes the will, with one it does not")
    func leavesWill() throws {
        let server = try MosquittoServer()
        let watcher = SubscriberDriver(server, filters: ["status"])
        #expect(watcher.becomeReady())
        var dying: PublisherDriver? = PublisherDriver(server, will: will)
        #expect(dying?.run { dying?.publisher.isConnected == true } == true)
        dying = nil
        #expect(watcher.run { watcher.messages.count == 1 })
        #expect(watcher.messages.last?.payload == "offline")

        let leaving = PublisherDriver(server, will: will)
        #expect(leaving.run { leaving.publisher.isConnected })
        var last = will
        last.payload = Array("gone for good".utf8)
        leaving.publisher.disconnect(final: last)
        #expect(!leaving.publisher.isConnected)
        #expect(watcher.run { watcher.messages.count == 2 })
        #expect(watcher.messages.last?.payload == "gone for good")
        watcher.run(for: 0.5) { false }
        #expect(watcher.messages.count == 2)
    }

    @Test("messages arrive in order and all of them, over connections that are cut")
    func keepsOrder() throws {
        let server = try MosquittoServer(settings: ["max_inflight_messages 100"])
        let relay = try TCPRelay(to: server.port)
        defer { relay.close() }
        let watcher = SubscriberDriver(server)
        #expect(watcher.becomeReady())
        let driver = PublisherDriver(server) { $0.port = relay.port }
        for round in 0..<4 {
            for index in round * 500..<round * 500 + 500 {
                while !driver.publisher.publish(
                    topic: "fleet/bus/position", payload: Array("m\(index)".utf8), qos: 1,
                    retain: false, token: UInt64(index))
                {
                    driver.turn()
                }
                if index % 500 == 250 {
                    #expect(driver.run { driver.acknowledged.count > round * 500 })
                    relay.cut()
                }
            }
        }
        #expect(driver.run(for: 30) { driver.publisher.inFlight == 0 })
        #expect(driver.acknowledged == (0..<2000).map { UInt64($0) })
        let losses = driver.events.filter { if case .lost = $0 { true } else { false } }
        #expect(losses.count == 4)
        #expect(watcher.run { watcher.messages.last?.payload == "m1999" })
        var seen: Set<String> = []
        let firsts = watcher.messages.map(\.payload).filter { seen.insert($0).inserted }
        #expect(firsts == (0..<2000).map { "m\($0)" })
    }

    @Test("at its window the publisher takes no more, and QoS 0 needs a connection")
    func isBounded() throws {
        let server = try MosquittoServer()
        server.stop()
        let driver = PublisherDriver(server, window: 10)
        for index in 0..<10 {
            #expect(
                driver.publisher.publish(
                    topic: "t", payload: [], qos: 1, retain: false, token: UInt64(index)))
        }
        #expect(
            !driver.publisher.publish(topic: "t", payload: [], qos: 1, retain: false, token: 10))
        #expect(!driver.publisher.publish(topic: "t", payload: [], qos: 0, retain: false, token: 0))
        #expect(driver.publisher.inFlight == 10)
        try server.start()
        #expect(driver.run { driver.publisher.inFlight == 0 })
        #expect(driver.acknowledged == (0..<10).map { UInt64($0) })
        #expect(driver.publisher.publish(topic: "t", payload: [], qos: 0, retain: false, token: 0))
    }

    @Test("QoS 0 messages wait for a broker that does not read only up to the window")
    func boundsUnwritten() throws {
        let server = try MosquittoServer()
        let driver = PublisherDriver(server, window: 100)
        #expect(driver.run { driver.publisher.isConnected })
        server.signal(SIGSTOP)
        let payload = [UInt8](repeating: 0x20, count: 10_000)
        var taken = 0
        for _ in 0..<5000 {
            let isTaken = driver.publisher.publish(
                topic: "t", payload: payload, qos: 0, retain: false, token: 0)
            taken += isTaken ? 1 : 0
            if taken % 10 == 0 { driver.turn(timeout: 0) }
        }
        #expect(taken > 100 && taken < 3000)
        server.signal(SIGCONT)
        #expect(
            driver.run {
                driver.publisher.publish(
                    topic: "t", payload: payload, qos: 0, retain: false, token: 0)
            })
    }

    @Test(
        "a message that the broker does not take is reported and holds up no other",
        arguments: [MQTTSettings.ProtocolVersion.v5, .v311])
    func reportsTooLarge(version: MQTTSettings.ProtocolVersion) throws {
        let server = try MosquittoServer(settings: ["max_packet_size 2000"])
        let watcher = SubscriberDriver(server, filters: ["t/#"])
        #expect(watcher.becomeReady())
        let driver = PublisherDriver(server) { $0.version = version }
        for index in 0..<9 {
            let payload = [UInt8](repeating: 0x61, count: index == 4 ? 3000 : 1)
            #expect(
                driver.publisher.publish(
                    topic: "t/\(index)", payload: payload, qos: 1, retain: false,
                    token: UInt64(index)))
        }
        // Where the broker hangs up instead of saying no, three connections are needed to be sure.
        #expect(driver.run(for: 8) { driver.publisher.inFlight == 0 })
        let refused = driver.events.compactMap { event -> UInt64? in
            if case .refused(let token, _) = event { token } else { nil }
        }
        #expect(refused == [4])
        #expect(driver.acknowledged == [0, 1, 2, 3, 5, 6, 7, 8])
        #expect(watcher.run { watcher.messages.last?.topic == "t/8" })
        #expect(Set(watcher.messages.map(\.topic)).count == 8)

        // From now on the size alone is enough.
        let losses = driver.losses
        #expect(losses <= 3)
        for index in 9..<12 {
            let payload = [UInt8](repeating: 0x61, count: index == 10 ? 3000 : 1)
            #expect(
                driver.publisher.publish(
                    topic: "t/\(index)", payload: payload, qos: 1, retain: false,
                    token: UInt64(index)))
        }
        #expect(driver.run { driver.publisher.inFlight == 0 })
        #expect(driver.acknowledged.suffix(2) == [9, 11])
        #expect(driver.losses == losses)
        for case .refused(_, let reason) in driver.events {
            #expect(reason.reason == .tooLarge)
        }
    }

    @Test("a topic that nobody would take, and one that the broker forbids, are reported")
    func reportsForbidden() throws {
        let server = try MosquittoServer(
            settings: ["acl_file %FOLDER%/acl"], files: ["acl": "topic readwrite open/#\n"])
        let driver = PublisherDriver(server)
        for (index, topic) in ["open/a", "closed/a", "open/+", "", "open/b"].enumerated() {
            #expect(
                driver.publisher.publish(
                    topic: topic, payload: [1], qos: 1, retain: false, token: UInt64(index)))
        }
        #expect(driver.run { driver.publisher.inFlight == 0 })
        #expect(driver.acknowledged == [0, 4])
        var reasons: [UInt64: String] = [:]
        for case .refused(let token, let reason) in driver.events {
            reasons[token] = reason.message
            #expect(!reason.isTransient)
        }
        #expect(reasons.keys.sorted() == [1, 2, 3])
        #expect(reasons[1] == "Not authorized")
    }
}
