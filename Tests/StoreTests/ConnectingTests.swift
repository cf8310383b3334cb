import TestServers
import Testing

@testable import Store

struct ConnectingTests {
    /// A way not to get in, and what a worker makes of it.
    struct Refusal: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var reason: StoreError.Reason
        var waits: Bool
        var words: String
        var change: @Sendable (inout StoreSettings, Int) -> Void
    }

    @Test(arguments: [
        Refusal(
            testDescription: "no server", reason: .unreachable, waits: true,
            words: "Connection refused"
        ) { settings, _ in settings.connection = "postgres://postgres@127.0.0.1:1/x" },
        Refusal(
            testDescription: "no such host", reason: .unreachable, waits: true,
            words: "could not translate host name"
        ) { settings, _ in settings.connection = "host=nowhere.invalid dbname=x" },
        Refusal(
            testDescription: "no socket", reason: .unreachable, waits: true,
            words: "No such file or directory"
        ) { settings, _ in settings.connection = "host=/nowhere dbname=x" },
        Refusal(
            testDescription: "no such database", reason: .noSuchDatabase, waits: false,
            words: #"database "nothing" does not exist"#
        ) { settings, port in settings.connection = "postgres://postgres@127.0.0.1:\(port)/nothing"
        },
        Refusal(
            testDescription: "no such user", reason: .refusedCredentials, waits: false,
            words: #"role "nobody" does not exist"#
        ) { settings, port in settings.connection = "postgres://nobody@127.0.0.1:\(port)/postgres"
        },
        Refusal(
            testDescription: "a wrong password", reason: .refusedCredentials, waits: false,
            words: "password authentication failed"
        ) { settings, port in
            settings.connection = "postgres://secret@127.0.0.1:\(port)/postgres"
            settings.password = "guess"
        },
        Refusal(
            testDescription: "no password", reason: .refusedCredentials, waits: false,
            words: "no password supplied"
        ) { settings, port in settings.connection = "postgres://secret@127.0.0.1:\(port)/postgres"
        },
        Refusal(
            testDescription: "an unknown word", reason: .badConnectionString, waits: false,
            words: #"invalid connection option "hots""#
        ) { settings, _ in settings.connection = "hots=127.0.0.1" },
        Refusal(
            testDescription: "a broken URI", reason: .badConnectionString, waits: false,
            words: "invalid integer value"
        ) { settings, _ in settings.connection = "postgres://localhost:54x2/x" },
        Refusal(
            testDescription: "an impossible port", reason: .badConnectionString, waits: false,
            words: "invalid port number"
        ) { settings, _ in settings.connection = "host=127.0.0.1 port=70000" },
        Refusal(
            testDescription: "no such certificate", reason: .badConnectionString, waits: false,
            words: "does not support SSL"
        ) { settings, port in
            settings.connection =
                "host=127.0.0.1 port=\(port) sslmode=verify-ca sslrootcert=/nothing"
        },
        Refusal(
            testDescription: "TLS that the server lacks", reason: .badConnectionString,
            waits: false,
            words: "does not support SSL"
        ) { settings, port in settings.connection = "host=127.0.0.1 port=\(port) sslmode=require" },
    ])
    func `what waiting heals is told from what it does not`(_ refusal: Refusal) throws {
        let server = try SharedServer.server
        var settings = StoreSettings(workerID: "w1")
        refusal.change(&settings, server.port)
        let error = try #require(failure { _ = try StoreConnection(settings) })
        #expect(error.reason == refusal.reason)
        #expect(error.isTransient == refusal.waits)
        #expect(error.message.contains(refusal.words))
        #expect(!error.description.contains("\n"))
    }

    @Test func `a password may come from outside the connection string`() throws {
        let database = try SharedServer.migrated()
        try database.psql(
            """
            do $$ begin create role secret superuser login password 'p''w d';
            exception when duplicate_object then null; end $$
            """)
        var settings = database.settings
        settings.connection = database.server.uri(user: "secret", database: database.name)
        settings.password = "p'w d"
        #expect(try StoreConnection(settings).isAlive)
    }

    @Test(arguments: [
        ("57P03", StoreError.Reason.starting, true), ("53300", .starting, true),
        ("57P01", .unreachable, true), ("08006", .unreachable, true), ("57014", .other, true),
        ("40P01", .other, true), ("53100", .other, true), ("25006", .readOnly, true),
        ("55P03", .other, true), ("58030", .other, true), ("42501", .permission, false),
        ("42703", .other, false), ("22021", .dataRefused, false), ("23502", .dataRefused, false),
        ("54000", .dataRefused, false), ("54001", .dataRefused, false),
        ("42P01", .schemaMissing, false),
        ("28000", .refusedCredentials, false), ("3D000", .noSuchDatabase, false),
    ])
    func `a server's code says what to do`(code: String, reason: StoreError.Reason, waits: Bool) {
        let error = StoreError(sqlState: code, message: "words")
        #expect(error.reason == reason)
        #expect(error.isTransient == waits)
        #expect(!error.hint.isEmpty)
    }
}
