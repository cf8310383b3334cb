import Foundation
import MQTT
import TestServers
import Testing

/// `bus` with the password `secret`, as mosquitto_passwd writes it.
let passwordFile = """
    bus:$7$101$1Zh7F6kYUgRjGrBR$PaYUvK9KJjw3zNo3asEq6+DOfrMMqZDltrFZn13wBSBySNhjXTehn1jYZpoWnOt8dy6x\
    XVdvsdsSlzYzT9uogw==

    """

@Suite(.timeLimit(.minutes(2)))
struct ConnectTests {
    @Test(
        "a wrong password is refused, and waiting does not help",
        arguments: [MQTTSettings.ProtocolVersion.v5, .v311])
    func refusesPassword(version: MQTTSettings.ProtocolVersion) throws {
        let server = try MosquittoServer(
            settings: ["allow_anonymous false", "password_file %FOLDER%/passwords"],
            files: ["passwords": passwordFile])
        let wrong = SubscriberDriver(server) {
            $0.username = "bus"
            $0.password = "guess"
            $0.version = version
        }
        #expect(wrong.run { !wrong.events.isEmpty })
        guard case .connectFailed(let error, let pause) = wrong.events.first else {
            Issue.record("\(wrong.events)")
            return
        }
        #expect(error.reason == .refused && !error.isTransient)
        #expect(!error.message.contains("guess"))
        #expect(pause > 0)
        let right = SubscriberDriver(server) {
            $0.username = "bus"
            $0.password = "secret"
            $0.version = version
        }
        #expect(right.becomeReady())
    }

    @Test("where nobody listens the address is unreachable, and pauses grow")
    func reportsUnreachable() throws {
        let server = try MosquittoServer()
        server.stop()
        let driver = SubscriberDriver(server)
        #expect(driver.run { driver.events.count == 4 })
        var pauses: [Double] = []
        for case .connectFailed(let error, let pause) in driver.events {
            #expect(error.reason == .unreachable && error.isTransient)
            #expect(error.message == "Connection refused")
            pauses.append(pause)
        }
        #expect(pauses.count == 4)
        #expect(zip(pauses, [0.25, 0.5, 1, 2]).allSatisfy { $0 <= $1 && $0 >= $1 / 2 })
        try server.start()
        #expect(driver.becomeReady())
    }

    @Test("a host that does not exist is named as such")
    func reportsUnknownHost() throws {
        let server = try MosquittoServer()
        let driver = SubscriberDriver(server) { $0.host = "no-such-host.invalid" }
        #expect(driver.run(for: 60) { !driver.events.isEmpty })
        guard case .connectFailed(let error, _) = driver.events.first else {
            Issue.record("\(driver.events)")
            return
        }
        #expect(error.reason == .unreachable)
        #expect(error.message.contains("ame"))
    }

    @Test("a broker that accepts and never answers is noticed")
    func noticesSilence() throws {
        let server = try MosquittoServer()
        server.signal(SIGSTOP)
        let driver = SubscriberDriver(server)
        let start = ContinuousClock.now
        #expect(driver.run(for: 20) { !driver.events.isEmpty })
        #expect(ContinuousClock.now - start < .seconds(14))
        guard case .connectFailed(let error, _) = driver.events.first else {
            Issue.record("\(driver.events)")
            return
        }
        #expect(error.reason == .unreachable && error.isTransient)
        server.signal(SIGCONT)
        #expect(driver.becomeReady())
    }

    /// mosquitto 2.0.11 only hangs up; others say why.
    @Test("a broker that gives our session to another tells us so")
    func learnsTakeOver() throws {
        let stub = try StubBroker { client, _ in
            send(client, [0x20, 3, 0, 0, 0])
            guard let subscribe = readPacket(client) else { return }
            send(client, [0x90, 4, subscribe[2], subscribe[3], 0, 1] + [0xe0, 1, 0x8e])
            _ = readPacket(client)
        }
        defer { stub.close() }
        let server = try MosquittoServer()
        let driver = SubscriberDriver(server) {
            $0.port = stub.port
            $0.version = .v5
        }
        var losses: [MQTTError] = []
        #expect(
            driver.run {
                for case .lost(let error, _) in driver.events { losses.append(error) }
                return !losses.isEmpty
            })
        #expect(losses.first?.reason == .takenOver)
        #expect(losses.first?.isTransient == false)
    }

    @Test("a broker that hangs up on MQTT 5 or refuses it gets 3.1.1", arguments: [true, false])
    func fallsBack(isPolite: Bool) throws {
        let stub = try StubBroker { client, version in
            guard version == 4 else {
                if isPolite { send(client, [0x20, 2, 0, 1]) }
                return
            }
            send(client, [0x20, 2, 0, 0])
            guard let subscribe = readPacket(client) else { return }
            send(client, [0x90, 3, subscribe[2], subscribe[3], 1])
            _ = readPacket(client)
        }
        defer { stub.close() }
        let server = try MosquittoServer()
        let driver = SubscriberDriver(server) {
            $0.host = "127.0.0.1"
            $0.port = stub.port
        }
        #expect(driver.becomeReady())
        #expect(stub.seenVersions == [5, 4])
        #expect(driver.events.contains(.connected(sessionPresent: false, version: .v311)))
        guard case .connectFailed(let error, let pause) = driver.events.first else {
            Issue.record("\(driver.events)")
            return
        }
        #expect(pause == 0)
        #expect(error.reason == (isPolite ? .protocolVersion : .unreachable))
        #expect(error.isTransient)
    }

    @Test("a subscription that the broker refuses is reported by filter")
    func reportsRefusedSubscription() throws {
        let stub = try StubBroker { client, _ in
            send(client, [0x20, 2, 0, 0])
            guard let subscribe = readPacket(client) else { return }
            send(client, [0x90, 4, subscribe[2], subscribe[3], 1, 0x80])
            _ = readPacket(client)
        }
        defer { stub.close() }
        let server = try MosquittoServer()
        let driver = SubscriberDriver(server, filters: ["a/#", "b/#"]) {
            $0.port = stub.port
            $0.version = .v311
        }
        #expect(driver.run { driver.events.count == 2 })
        guard case .subscriptionRefused(let filter, let error) = driver.events.last else {
            Issue.record("\(driver.events)")
            return
        }
        #expect(filter == "b/#")
        #expect(!error.isTransient)
        #expect(!driver.subscriber.isReady)
    }

    @Test("that the connection stands is known before any message is handed on")
    func reportsConnectionFirst() throws {
        let stub = try StubBroker { client, _ in
            // CONNACK with a session, and at once a message of that session.
            send(client, [0x20, 2, 1, 0] + [0x32, 8, 0, 3] + Array("f/a".utf8) + [0, 7, 0x21])
            while readPacket(client) != nil {}
        }
        defer { stub.close() }
        let server = try MosquittoServer()
        let driver = SubscriberDriver(server) {
            $0.port = stub.port
            $0.version = .v311
        }
        #expect(driver.run { !driver.events.isEmpty })
        #expect(driver.events == [.connected(sessionPresent: true, version: .v311)])
        #expect(driver.messages.isEmpty)
        #expect(driver.run { !driver.messages.isEmpty })
        #expect(driver.messages == [Received(topic: "f/a", payload: "!", packetID: 7)])
    }
}
