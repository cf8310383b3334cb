import Foundation
import TestServers
import Testing

/// `check` and `migrate` against real servers, and without them.
@Suite(.timeLimit(.minutes(5)))
struct CheckTests {
    @Test func findsWhatWorksAndWhatDoesNot() throws {
        let broker = try MosquittoServer()
        let database = try PostgresServer()
        let name = try database.makeDatabase()
        let uri = database.uri(database: name)
        let environment = [
            "WAYGATE_MQTT_URL": "mqtt://127.0.0.1:\(broker.port)", "WAYGATE_DATABASE_URL": uri,
            "WAYGATE_SPOOL": NSTemporaryDirectory() + "/waygate-none/spool",
            "WAYGATE_PLANNER_KIND": "osrm", "WAYGATE_PLANNER_URL": "http://127.0.0.1:1",
        ]
        let before = try Tool.run("check", environment: environment)
        #expect(before.status == 1)
        #expect(before.errors == "waygate check: 2 parts do not work\n")
        let lines = before.output.split(separator: "\n").map(String.init)
        try #require(lines.count == 5)
        #expect(lines[0].hasPrefix("ok      config    the defaults"))
        #expect(lines[1].hasPrefix("ok      spool     "))
        #expect(lines[2] == "ok      broker    127.0.0.1:\(broker.port)")
        #expect(lines[3].hasPrefix("FAILED  database  "))
        #expect(lines[3].contains("run 'waygate migrate'"))
        #expect(lines[4].hasPrefix("FAILED  planner   "))

        let migrated = try Tool.run("migrate", environment: environment)
        #expect(migrated.status == 0, "\(migrated.errors)")
        #expect(migrated.output.hasPrefix("applied 0001-tables\n"))
        let again = try Tool.run("migrate", environment: environment)
        #expect(again.output.hasPrefix("schema waygate is at version "))

        let after = try Tool.run(
            "check", "--json",
            environment: environment.merging(["WAYGATE_PLANNER_KIND": "none"]) { $1 })
        #expect(after.status == 0, "\(after.output)")
        #expect(
            after.output.split(separator: "\n").allSatisfy { $0.contains(#""ok":true"#) })

        let roles = URL(filePath: #filePath).appending(path: "../../../sql/roles.sql")
        try database.psql(
            try String(contentsOf: roles.standardized, encoding: .utf8) + """
                ; create role fleet login; grant waygate_worker to fleet;
                revoke insert on waygate.commands from waygate_worker
                """, database: name)
        let lacking = try Tool.run(
            "check",
            environment: environment.merging([
                "WAYGATE_PLANNER_KIND": "none",
                "WAYGATE_DATABASE_URL": database.uri(user: "fleet", database: name),
            ]) { $1 })
        #expect(lacking.status == 1)
        #expect(
            lacking.output.contains("FAILED  database  the user lacks rights (insert on commands)"))
    }

    @Test func refusesADatabaseThatCannotHoldAnyTextOrTakesNoWrites() throws {
        let database = try PostgresServer()
        let broker = try MosquittoServer()
        try database.psql(
            """
            create database fleet_w template template0 encoding 'WIN1252' locale 'C';
            """, database: "postgres")
        let spool = NSTemporaryDirectory() + "/waygate-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: spool) }
        var environment = [
            "WAYGATE_MQTT_URL": "mqtt://127.0.0.1:\(broker.port)",
            "WAYGATE_DATABASE_URL": database.uri(database: "fleet_w"),
            "WAYGATE_SPOOL": spool,
            "WAYGATE_HTTP": "",
        ]
        for command in ["migrate", "run"] {
            let result = try Tool.run(command, environment: environment)
            #expect(result.status == 1)
            let line = result.errors.split(separator: "\n").last ?? ""
            #expect(
                line.hasPrefix(
                    "waygate \(command): the database 'fleet_w' has the encoding WIN1252"))
            #expect(line.contains("createdb -T template0 -E UTF8"))
        }
        let check = try Tool.run("check", environment: environment)
        #expect(check.output.contains("FAILED  database  the database 'fleet_w' has the encoding"))

        let name = try database.makeDatabase()
        environment["WAYGATE_DATABASE_URL"] = database.uri(database: name)
        #expect(try Tool.run("migrate", environment: environment).status == 0)
        try database.psql(
            "alter database \(name) set default_transaction_read_only = on", database: "postgres")
        let readOnly = try Tool.run("check", environment: environment)
        #expect(readOnly.status == 1)
        #expect(readOnly.output.contains("FAILED  database  the server takes no writes"))
    }

    @Test func tellsEveryMistakeInTheSettings() throws {
        let file = NSTemporaryDirectory() + "/waygate-\(UUID().uuidString).json5"
        try Data("{worker: 1,\n log: {level: 'loud'}}".utf8).write(to: URL(filePath: file))
        defer { try? FileManager.default.removeItem(atPath: file) }
        let result = try Tool.run("check", "--config", file)
        #expect(result.status == 1)
        #expect(
            result.output == """
                FAILED  config    \(file):1: unknown key worker
                FAILED  config    \(file):2: log.level must be one of 'debug', 'info', 'warning', \
                'error', not 'loud'

                """)
        #expect(
            result.errors
                == "waygate check: the settings are not right, and nothing else was tried\n")
    }

    @Test func saysThatNoDatabaseIsThere() throws {
        let result = try Tool.run(
            "migrate",
            environment: ["WAYGATE_DATABASE_URL": "postgres://u:hunter2@127.0.0.1:1/fleet"])
        #expect(result.status == 1)
        #expect(result.errors.hasPrefix("waygate migrate: "))
        #expect(result.errors.split(separator: "\n").count == 1)
        #expect(!result.errors.contains("hunter2"))
    }
}
