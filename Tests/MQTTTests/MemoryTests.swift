import Foundation
import MQTT
import TestServers
import Testing

@testable import MQTT

private let will = Will(
    topic: "w/status", payload: Array("offline".utf8), qos: 1, isRetained: true)

@Suite("What the broker has kept", .timeLimit(.minutes(2)))
struct MemoryTests {
    /// What a publisher has found out about the broker at each connection.
    private func memories(_ driver: PublisherDriver) -> [BrokerMemory] {
        driver.events.compactMap { event in
            if case .connected(_, let memory) = event { memory } else { nil }
        }
    }

    @Test(
        "over a connection that is only cut the broker keeps everything",
        arguments: [MQTTSettings.ProtocolVersion.v5, .v311])
    func isKept(version: MQTTSettings.ProtocolVersion) throws {
        let server = try MosquittoServer()
        let relay = try TCPRelay(to: server.port)
        defer { relay.close() }
        let driver = PublisherDriver(server, will: will) {
            $0.port = relay.port
            $0.version = version
        }
        for count in 1...3 {
            #expect(driver.run { memories(driver).count == count })
            relay.cut()
        }
        #expect(memories(driver) == [.unknown, .kept, .kept])
    }

    @Test(
        "a broker that was stopped and has saved everything has lost nothing",
        arguments: [MQTTSettings.ProtocolVersion.v5, .v311])
    func isKeptOverARestart(version: MQTTSettings.ProtocolVersion) throws {
        let server = try MosquittoServer()
        let driver = PublisherDriver(server, will: will) { $0.version = version }
        #expect(driver.run { memories(driver).count == 1 })
        server.stop()
        try server.start()
        #expect(driver.run { memories(driver).count == 2 })
        #expect(memories(driver) == [.unknown, .kept])
    }

    @Test(
        "a broker that was killed has lost what it had not saved",
        arguments: [MQTTSettings.ProtocolVersion.v5, .v311], [true, false])
    func isLost(version: MQTTSettings.ProtocolVersion, hasOnline: Bool) throws {
        let server = try MosquittoServer()
        let driver = PublisherDriver(server, will: will) { $0.version = version }
        #expect(driver.run { memories(driver).count == 1 })
        if hasOnline {
            #expect(
                driver.publisher.publish(
                    topic: will.topic, payload: Array("online".utf8), qos: 1, retain: true,
                    token: 1))
            #expect(driver.run { driver.acknowledged == [1] })
            server.signal(SIGUSR1)
        }
        server.kill()
        try server.start()
        #expect(driver.run { memories(driver).count == 2 })
        #expect(memories(driver) == [.unknown, .lost])
    }

    @Test("with MQTT 5, a will that was saved on another day is not taken for the last one")
    func tellsWillsApart() throws {
        let server = try MosquittoServer()
        do {
            let yesterday = PublisherDriver(server, will: will) { $0.version = .v5 }
            #expect(yesterday.run { memories(yesterday).count == 1 })
        }
        server.stop()
        try server.start()
        let driver = PublisherDriver(server, will: will) { $0.version = .v5 }
        #expect(driver.run { memories(driver).count == 1 })
        server.kill()
        try server.start()
        #expect(driver.run { memories(driver).count == 2 })
        #expect(memories(driver) == [.unknown, .lost])
    }

    @Test("a broker without kept messages says so, or hangs up")
    func tellsThatNothingIsKept() throws {
        let server = try MosquittoServer(settings: ["retain_available false"])
        let driver = PublisherDriver(server, will: will)
        #expect(driver.run { !driver.events.isEmpty })
        guard case .connectFailed(let error, _) = driver.events.first else {
            Issue.record("\(driver.events)")
            return
        }
        #expect(error.reason == .refused && !error.isTransient)
        #expect(error.message.contains("retain_available"))
        let older = PublisherDriver(server, will: will) { $0.version = .v311 }
        #expect(older.run { older.events.count == 2 })
        #expect(!older.publisher.isConnected)
    }

    @Test("what is kept is judged by its text and its mark")
    func isJudged() {
        let recall = WillRecall(of: will, mark: "7-1", at: 10)
        #expect(recall.judge(kept: will.payload, mark: "7-1") == .kept)
        #expect(recall.judge(kept: will.payload, mark: "7-2") == .lost)
        #expect(recall.judge(kept: will.payload, mark: nil) == .lost)
        #expect(recall.judge(kept: Array("online".utf8), mark: "7-1") == .lost)
        #expect(recall.judge(silentAt: 11.9) == nil)
        #expect(recall.judge(silentAt: 12) == .lost)
        #expect(
            WillRecall(of: will, mark: nil, at: 0).judge(kept: will.payload, mark: nil) == .kept)
    }
}
