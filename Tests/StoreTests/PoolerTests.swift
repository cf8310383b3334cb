import Foundation
import Store
import TestServers
import Testing

/// pgbouncer in transaction mode, which gives each transaction whatever session is free.
struct PoolerTests {
    private static let program = "/usr/sbin/pgbouncer"

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: program)))
    func `a worker needs no session of its own`() throws {
        let database = try SharedServer.empty()
        let pooler = try Pooler(program: Self.program, server: database.server.port)
        defer { pooler.stop() }
        var settings = database.settings
        settings.connection = "postgres://postgres@127.0.0.1:\(pooler.port)/\(database.name)"
        #expect(try Migrator.migrate(settings) == MigratorTests.names)
        let connections = try (0..<3).map { _ in try StoreConnection(settings) }
        for (round, connection) in (connections + connections).enumerated() {
            let claim = try connection.claim(spoolID: "s1", takeOver: false)
            let position = claim.checkpoint?.position ?? 0
            #expect(position == Int64(round * 20))
            try connection.commit(.full(position, position + 10))
            try connection.commit(.full(position + 10, position + 20))
            try connections[(round + 1) % 3].loadState { _ in }
            try connection.maintain(now: now)
            try connection.heartbeat()
        }
        #expect(failure { try connections[0].heartbeat() }?.reason == .fenced)
        #expect(try database.psql("select count(*) from waygate.positions") == "3")
        settings.connection = "postgres://postgres@127.0.0.1:\(pooler.port)/nothing"
        #expect(failure { _ = try StoreConnection(settings) }?.reason == .noSuchDatabase)
    }
}

private final class Pooler {
    let port: Int
    private let process = Process()
    private let folder: URL

    init(program: String, server: Int) throws {
        port = try freePort()
        folder = FileManager.default.temporaryDirectory
            .appending(path: "waygate-pooler-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let settings = folder.appending(path: "pgbouncer.ini")
        try Data(
            """
            [databases]
            * = host=127.0.0.1 port=\(server) user=postgres
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = \(port)
            unix_socket_dir =
            auth_type = any
            pool_mode = transaction
            default_pool_size = 2
            server_login_retry = 1
            """.utf8
        ).write(to: settings)
        // It refuses to run as root.
        process.executableURL = URL(filePath: getuid() == 0 ? "/usr/bin/setpriv" : program)
        let asPostgres = ["--reuid", "postgres", "--regid", "postgres", "--init-groups", program]
        process.arguments = (getuid() == 0 ? asPostgres : []) + ["-q", settings.path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.runUnblocked()
        try waitForListener(port: port, of: process)
    }

    func stop() {
        // Foundation's children are born with SIGTERM blocked, and pgbouncer leaves it so.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }
}
