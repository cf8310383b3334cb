import Foundation
import MQTT
import TestServers
import Testing

/// Certificates for one test: an authority, and a server and a client that it vouches for.
private struct Certificates {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "waygate-tls-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.currentDirectoryURL = folder
        let new = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2"
        process.arguments = [
            "-ec",
            """
            \(new) -keyout ca.key -out ca.crt -subj /CN=ca
            \(new) -keyout other.key -out other.crt -subj /CN=other
            for name in server client; do
                \(new) -CA ca.crt -CAkey ca.key -keyout $name.key -out $name.crt -subj /CN=$name \\
                    -addext subjectAltName=IP:127.0.0.1,DNS:localhost \\
                    -addext basicConstraints=critical,CA:FALSE
            done
            """,
        ]
        process.standardError = FileHandle.nullDevice
        try process.runUnblocked()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw ServerError("openssl failed") }
    }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    func server(_ more: [String] = []) throws -> MosquittoServer {
        try MosquittoServer(
            settings: [
                "cafile \(path("ca.crt"))", "certfile \(path("server.crt"))",
                "keyfile \(path("server.key"))",
            ] + more)
    }
}

@Suite(.timeLimit(.minutes(2)))
struct TLSTests {
    @Test("messages come over an encrypted connection, in order and without busy waiting")
    func encrypts() throws {
        let certificates = try Certificates()
        defer { try? FileManager.default.removeItem(at: certificates.folder) }
        let server = try certificates.server()
        let tls = MQTTSettings.TLS(caFile: certificates.path("ca.crt"))
        let driver = SubscriberDriver(server) { $0.tls = tls }
        #expect(driver.becomeReady())
        let publisher = PublisherDriver(server) { $0.tls = tls }
        #expect(publisher.publish(0..<2000))
        #expect(driver.run(acknowledging: false) { driver.messages.count == 2000 })
        driver.subscriber.abandon()
        driver.messages = []
        #expect(driver.run { driver.messages.count == 2000 })
        let isInOrder = driver.messages.map(\.payload) == (0..<2000).map { "m\($0)" }
        #expect(isInOrder)
        driver.subscriber.acknowledge()
        driver.run(for: 0.2) { false }
        let start = ContinuousClock.now
        for _ in 0..<10 { driver.turn() }
        for _ in 0..<10 { publisher.turn() }
        #expect(ContinuousClock.now - start > .milliseconds(300))
        driver.subscriber.disconnect()
        publisher.publisher.disconnect(final: nil)
    }

    @Test("a broker that its authority does not vouch for is refused")
    func checksServer() throws {
        let certificates = try Certificates()
        defer { try? FileManager.default.removeItem(at: certificates.folder) }
        let server = try certificates.server()
        for file in [certificates.path("other.crt"), nil] {
            let driver = SubscriberDriver(server) { $0.tls = .init(caFile: file) }
            #expect(driver.run { !driver.events.isEmpty })
            guard case .connectFailed(let error, _) = driver.events.first else {
                Issue.record("\(driver.events)")
                return
            }
            #expect(error.reason == .tls)
            #expect(error.message.contains("certificate verify failed"))
        }
    }

    @Test("a client certificate is shown where the broker wants one")
    func showsCertificate() throws {
        let certificates = try Certificates()
        defer { try? FileManager.default.removeItem(at: certificates.folder) }
        let server = try certificates.server(["require_certificate true"])
        let without = SubscriberDriver(server) {
            $0.tls = .init(caFile: certificates.path("ca.crt"))
        }
        #expect(without.run { !without.events.isEmpty })
        guard case .connectFailed = without.events.first else {
            Issue.record("\(without.events)")
            return
        }
        let with = SubscriberDriver(server) {
            $0.tls = .init(
                caFile: certificates.path("ca.crt"), certFile: certificates.path("client.crt"),
                keyFile: certificates.path("client.key"))
        }
        #expect(with.becomeReady())
    }

    @Test("a file that is missing or no certificate is a mistake that waiting does not heal")
    func namesBadFiles() throws {
        let certificates = try Certificates()
        defer { try? FileManager.default.removeItem(at: certificates.folder) }
        let server = try certificates.server()
        let missing = certificates.path("missing.crt")
        let rows: [(MQTTSettings.TLS, String)] = [
            (.init(caFile: missing), missing),
            (.init(certFile: certificates.path("client.crt")), "key"),
            (.init(caFile: certificates.path("ca.key")), "certificate"),
        ]
        for (tls, words) in rows {
            let driver = SubscriberDriver(server) { $0.tls = tls }
            #expect(driver.run { !driver.events.isEmpty })
            guard case .connectFailed(let error, _) = driver.events.first else {
                Issue.record("\(driver.events)")
                return
            }
            #expect(!error.isTransient)
            #expect(error.message.contains(words), "\(error.message)")
        }
    }
}
