import Foundation
import MQTT
import TestServers
import Testing

/// What `check` finds out about a broker, without disturbing anybody.
@Suite(.timeLimit(.minutes(2)))
struct BrokerProbeTests {
    /// What a broker is like, and what `check` says about it.
    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var settings: [String] = []
        var acl: String?
        /// Part of what is said with MQTT 5.
        var newer: String
        /// Part of what is said with MQTT 3.1.1.
        var older: String
    }

    private static let all = """
        topic read fleet/+/position
        topic readwrite fleet/+/command/+
        topic readwrite fleet/+/event/+
        topic readwrite fleet/+/alarm/+
        topic readwrite fleet/+/progress
        topic readwrite fleet/+/route
        topic readwrite fleet-worker/+/status
        topic readwrite fleet-place/+/event/+
        topic readwrite fleet/+/proposal
        topic readwrite fleet-place/+/definition

        """

    private static func without(_ topic: String) -> String {
        all.split(separator: "\n").filter { !$0.hasSuffix(topic) }.joined(separator: "\n") + "\n"
    }

    /// Returns the line about the broker.
    private func check(_ broker: MosquittoServer, version: String) throws -> String {
        let file = NSTemporaryDirectory() + "/waygate-\(UUID().uuidString).json5"
        defer { try? FileManager.default.removeItem(atPath: file) }
        let settings = """
            {mqtt: {url: 'mqtt://127.0.0.1:\(broker.port)', version: '\(version)'},
             database: {url: 'postgresql://u@127.0.0.1:1/none'}}
            """
        try Data(settings.utf8).write(to: URL(filePath: file))
        let result = try Tool.run("check", "--config", file)
        let lines = result.output.split(separator: "\n").map(String.init)
        return lines.first { $0.contains("  broker") } ?? "\(result)"
    }

    @Test(arguments: [
        Row(
            testDescription: "all that is needed", acl: all, newer: "ok      broker",
            older: "ok      broker"),
        Row(
            testDescription: "events forbidden", acl: without("fleet/+/event/+"),
            newer: "it refuses event messages (Not authorized): grant this user 'readwrite "
                + "fleet/+/event/+'",
            older:
                "event messages do not come back, as an access list may drop or hide them: grant "
                + "this user 'readwrite fleet/+/event/+'"),
        Row(
            testDescription: "routes forbidden", acl: without("route"),
            newer: "it refuses route messages", older: "route messages do not come back"),
        Row(
            testDescription: "places forbidden", acl: without("fleet-place/+/definition"),
            newer: "it refuses place definition messages (Not authorized): grant this user "
                + "'readwrite fleet-place/+/definition'",
            older: "place definition messages do not come back"),
        Row(
            testDescription: "the status hidden",
            acl: without("status") + "topic write fleet-worker/+/status\n",
            newer: "status messages do not come back", older: "status messages do not come back"),
        Row(
            testDescription: "no retained messages", settings: ["retain_available false"],
            newer: "it keeps no retained messages", older: "it keeps no retained messages"),
        Row(
            testDescription: "small packets only", settings: ["max_packet_size 20000"],
            newer: "it takes packets up to 20000 bytes, and limits.max_payload_bytes is 262144",
            older: "it takes messages of 16384 bytes, not of twice as many"),
        Row(
            testDescription: "larger messages dropped in silence",
            settings: ["message_size_limit 20000"],
            newer: "it takes messages of 16384 bytes", older: "it takes messages of 16384 bytes"),
    ])
    func finds(_ row: Row) throws {
        let broker = try MosquittoServer(
            settings: row.settings + (row.acl == nil ? [] : ["acl_file %FOLDER%/acl"]),
            files: ["acl": row.acl ?? ""])
        #expect(try check(broker, version: "auto").contains(row.newer))
        #expect(try check(broker, version: "3.1.1").contains(row.older))
    }

    @Test func namesEveryKindThatIsForbidden() throws {
        let broker = try MosquittoServer(
            settings: ["acl_file %FOLDER%/acl"], files: ["acl": "topic read #\n"])
        let line = try check(broker, version: "3.1.1")
        for kind in [
            "event", "alarm", "progress", "route", "proposal", "status", "place definition",
            "place event",
        ] {
            #expect(line.contains("\(kind) messages do not come back"))
        }
    }

    @Test func leavesNothingAtTheBroker() throws {
        let broker = try MosquittoServer()
        #expect(try check(broker, version: "auto").hasPrefix("ok"))
        let client = Client(
            clientID: "later", settings: MQTTSettings(host: "127.0.0.1", port: broker.port),
            filters: ["fleet/#", "fleet-worker/#", "fleet-place/#"])
        var heard = 0
        let end = ContinuousClock.now + .seconds(1)
        while !client.isReady || ContinuousClock.now < end {
            _ = client.turn(timeout: 20) { _ in heard += 1 }
        }
        #expect(heard == 0)
    }

    @Test func refusesSourcesThatOverlap() throws {
        let file = NSTemporaryDirectory() + "/waygate-\(UUID().uuidString).json5"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try Data("{sources: [{filter: 'fleet/+/#'}]}".utf8).write(to: URL(filePath: file))
        for command in ["check", "run"] {
            let result = try Tool.run(command, "--config", file)
            #expect(result.status == 1)
            let said = result.output + result.errors
            #expect(said.contains("'fleet/+/#'") && said.contains("'fleet/+/command/+'"))
        }
    }
}
