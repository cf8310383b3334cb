import Foundation
import TestServers
import Testing

/// How `run` begins, and why it may not.
@Suite(.timeLimit(.minutes(2)))
struct RunTests {
    /// A folder of the test's own, for spools and settings.
    private let folder = NSTemporaryDirectory() + "/waygate-\(UUID().uuidString)"

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func environment(broker: Int, database: String) -> [String: String] {
        [
            "WAYGATE_MQTT_URL": "mqtt://127.0.0.1:\(broker)", "WAYGATE_DATABASE_URL": database,
            "WAYGATE_SPOOL": "\(folder)/spool", "WAYGATE_HTTP": "",
        ]
    }

    /// Returns the one line that a failed run says last.
    private func failure(_ environment: [String: String]) throws -> String {
        let result = try Tool.run("run", environment: environment)
        #expect(result.status == 1)
        #expect(result.output.isEmpty)
        let line = result.errors.split(separator: "\n").last.map(String.init) ?? ""
        #expect(line.hasPrefix("waygate run: "))
        #expect(!result.errors.contains("hunter2"))
        return line
    }

    @Test func endsForWhatWaitingCannotHeal() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let broker = try MosquittoServer(
            settings: ["allow_anonymous false", "password_file %FOLDER%/users"],
            files: ["users": ""])
        let open = try MosquittoServer()
        let database = try PostgresServer()
        let name = try database.makeDatabase()
        let uri = database.uri(database: name)

        let noSchema = try failure(environment(broker: open.port, database: uri))
        #expect(noSchema.contains("run 'waygate migrate'"))
        #expect(
            try Tool.run("migrate", environment: environment(broker: open.port, database: uri))
                .status
                == 0)

        let refused = try failure(environment(broker: broker.port, database: uri))
        #expect(refused.contains("the broker"))

        try database.psql(
            "delete from waygate.schema_migrations where version > 1", database: name)
        let older = try failure(environment(broker: open.port, database: uri))
        #expect(older.contains("has version 1") && older.contains("run 'waygate migrate'"))

        let nowhere = try failure(
            environment(broker: open.port, database: database.uri(database: "nowhere")))
        #expect(nowhere.contains("nowhere") && nowhere.contains("create the database"))

        let malformed = try failure(
            environment(broker: open.port, database: "postgres://u:hunter2@127.0.0.1:x/fleet"))
        #expect(malformed.contains("database.url"))
    }

    @Test func endsForABadSetting() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = "\(folder)/waygate.json5"
        try Data("{spool: {max_byte: 1}}".utf8).write(to: URL(filePath: file))
        let line = try failure(["WAYGATE_CONFIG": file])
        #expect(
            line
                == "waygate run: \(file):1: unknown key spool.max_byte; did you mean spool.max_bytes?"
        )
        try Data([0x7B, 0xFF]).write(to: URL(filePath: file))
        #expect(try failure(["WAYGATE_CONFIG": file]) == "waygate run: \(file): is not UTF-8 text")
        #expect(
            try failure(["WAYGATE_CONFIG": folder])
                == "waygate run: \(folder): cannot be read: Is a directory")
    }

    @Test func waitsForServersAndSaysSo() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let tool = try Tool(
            ["run"], environment: environment(broker: 1, database: "postgres://u@127.0.0.1:1/fleet")
        )
        // One line for each of the two.
        while tool.isRunning, tool.errorsSoFar.split(separator: "Connection refused").count < 3 {
            usleep(20_000)
        }
        #expect(tool.isRunning)
        tool.interrupt()
        #expect(try tool.finish().status == 0)
    }
}
