import Foundation
import MQTT
import TestServers
import Testing

@Suite(.timeLimit(.minutes(2)))
struct SubscriberTests {
    @Test(
        "3,000 messages read and not acknowledged come again, acknowledged ones do not",
        arguments: [MQTTSettings.ProtocolVersion.v5, .v311])
    func redelivers(version: MQTTSettings.ProtocolVersion) throws {
        let server = try MosquittoServer(settings: ["max_inflight_messages 0"])
        let driver = SubscriberDriver(server) { $0.version = version }
        #expect(driver.becomeReady())
        let publisher = PublisherDriver(server)
        #expect(publisher.publish(0..<3000))
        #expect(driver.run(acknowledging: false) { driver.messages.count == 3000 })
        let first = driver.messages
        let isInOrder = first.map(\.payload) == (0..<3000).map { "m\($0)" }
        #expect(isInOrder)
        driver.messages = []
        driver.subscriber.abandon()
        #expect(!driver.subscriber.isReady)
        #expect(driver.run { driver.messages.count == 3000 })
        let second = driver.messages == first
        #expect(second)
        driver.subscriber.disconnect()
        let next = SubscriberDriver(server) { $0.version = version }
        #expect(next.becomeReady())
        next.run(for: 0.3) { false }
        #expect(next.messages.isEmpty)
        #expect(next.events.first == .connected(sessionPresent: true, version: version))
    }

    @Test("no ping and no acknowledgement leaves while messages are not acknowledged")
    func holdsPingsBack() throws {
        let server = try MosquittoServer()
        let driver = SubscriberDriver(server) { $0.keepalive = 5 }
        #expect(driver.becomeReady())
        #expect(PublisherDriver(server).publish(0..<10))
        #expect(driver.run(acknowledging: false) { driver.messages.count == 10 })
        driver.events = []
        // The broker hangs up after one and a half times the keep-alive.
        #expect(driver.run(for: 20, acknowledging: false) { !driver.events.isEmpty })
        guard case .lost = driver.events.first else {
            Issue.record("\(driver.events)")
            return
        }
        driver.messages = []
        #expect(driver.run { driver.messages.count == 10 })
    }

    @Test("pings keep an idle connection")
    func pings() throws {
        let server = try MosquittoServer()
        let driver = SubscriberDriver(server) { $0.keepalive = 5 }
        #expect(driver.becomeReady())
        #expect(!driver.run(for: 12, acknowledging: false) { driver.events.count > 2 })
        #expect(driver.subscriber.isReady)
    }

    @Test("the session outlives a restart of the broker and of the worker")
    func resumesSession() throws {
        let server = try MosquittoServer()
        let driver = SubscriberDriver(server)
        #expect(driver.becomeReady())
        driver.subscriber.disconnect()
        #expect(PublisherDriver(server).publish(0..<5))
        server.stop()
        try server.start()
        let next = SubscriberDriver(server)
        #expect(next.run { next.messages.count == 5 })
        #expect(next.events.first == .connected(sessionPresent: true, version: .v5))
        server.stop()
        #expect(next.run { next.events.count > 2 })
        try server.start()
        #expect(next.run { next.events.last == .ready })
        #expect(next.events.dropLast().last == .connected(sessionPresent: true, version: .v5))
    }

    @Test("a broker that has lost the session is subscribed again")
    func subscribesAgain() throws {
        let server = try MosquittoServer()
        let driver = SubscriberDriver(server)
        #expect(driver.becomeReady())
        server.stop()
        try server.forgetSessions()
        try server.start()
        #expect(driver.run { driver.events.count > 2 && driver.events.last == .ready })
        #expect(driver.events.dropLast().last == .connected(sessionPresent: false, version: .v5))
        #expect(PublisherDriver(server).publish(0..<3))
        #expect(driver.run { driver.messages.count == 3 })
    }

    @Test("what left the settings is unsubscribed, what came is subscribed")
    func changesFilters() throws {
        let server = try MosquittoServer()
        let old = SubscriberDriver(server, filters: ["a/#", "b/#"])
        #expect(old.becomeReady())
        old.subscriber.disconnect()
        let new = SubscriberDriver(server, filters: ["b/#", "c/#"], formerFilters: ["a/#", "b/#"])
        #expect(new.becomeReady())
        let publisher = PublisherDriver(server)
        for topic in ["a/1", "b/1", "c/1", "a/2"] {
            #expect(publisher.publish(0..<1, topic: topic))
        }
        #expect(new.run { new.messages.count >= 2 })
        new.run(for: 0.3) { false }
        #expect(new.messages.map(\.topic) == ["b/1", "c/1"])
    }

    @Test("a retained message comes once for a new subscription, and says so")
    func tellsRetained() throws {
        let server = try MosquittoServer()
        let publisher = PublisherDriver(server)
        #expect(publisher.run { publisher.publisher.isConnected })
        #expect(
            publisher.publisher.publish(
                topic: "fleet/bus/position", payload: Array("kept".utf8), qos: 1, retain: true,
                token: 1))
        #expect(publisher.run { publisher.acknowledged == [1] })
        let driver = SubscriberDriver(server)
        #expect(driver.run { driver.messages.count == 1 })
        #expect(driver.messages.first?.isRetained == true)
        driver.subscriber.disconnect()
        let next = SubscriberDriver(server)
        #expect(next.becomeReady())
        next.run(for: 0.3) { false }
        #expect(next.messages.isEmpty)
    }

    @Test("a paused subscriber neither reads nor connects")
    func pauses() throws {
        let server = try MosquittoServer()
        let driver = SubscriberDriver(server)
        for _ in 0..<5 { driver.turn(paused: true) }
        #expect(driver.events.isEmpty)
        #expect(driver.becomeReady())
        #expect(PublisherDriver(server).publish(0..<3))
        for _ in 0..<10 { driver.turn(paused: true) }
        #expect(driver.messages.isEmpty)
        driver.turn(maxMessages: 2)
        #expect(driver.messages.count == 2)
        driver.turn(maxMessages: 2)
        #expect(driver.messages.count == 3)
    }

    @Test("a turn ends when it is woken")
    func wakes() throws {
        let server = try MosquittoServer()
        let driver = SubscriberDriver(server)
        #expect(driver.becomeReady())
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        write(ends[1], "x", 1)
        let start = ContinuousClock.now
        _ = driver.subscriber.turn(
            timeout: 10_000, wake: ends[0], paused: false, maxMessages: 1, handler: { _ in })
        #expect(ContinuousClock.now - start < .seconds(1))
    }
}
