import Foundation

/// A private PostgreSQL on a free port of this machine, stopped with the last reference to it.
///
/// A small shell holds it: when this process ends, in whatever way, the shell's input ends too, and
/// it stops the server and removes the folder.
package final class PostgresServer: @unchecked Sendable {
    package let port: Int
    private let folder: String
    private var holder = Process()
    private var input = Pipe()
    private let lock = NSLock()
    private var databases = 0

    /// Makes a cluster with user `postgres`, who needs no password, and starts it.
    ///
    /// - Parameters:
    ///   - settings: Further server settings, as `name=value`.
    ///   - clients: A line of `pg_hba.conf` that goes before the one that trusts everybody.
    package init(settings: [String] = [], clients: String = "") throws {
        port = try freePort()
        folder = "/tmp/waygate-postgres-\(UUID().uuidString)"
        let defaults = ["fsync=off", "full_page_writes=off", "max_connections=50"]
        let options = (defaults + settings).map { "-c '\($0)'" }.joined(separator: " ")
        try Self.shell(
            """
            set -e
            mkdir -m 755 \(folder)
            if [ $(id -u) = 0 ]; then chown postgres: \(folder); fi
            cd \(folder)
            \(Self.asPostgres) \(Self.programs)/initdb -D data -A trust -U postgres -E UTF8 \
                --locale=C.UTF-8 --no-sync
            (echo '\(clients)'; cat data/pg_hba.conf) > clients
            cat clients > data/pg_hba.conf
            cat > start <<'END'
            exec \(Self.programs)/postgres -D \(folder)/data -p \(port) \
                -c listen_addresses=127.0.0.1 -c unix_socket_directories=\(folder) \(options)
            END
            """)
        try start()
    }

    deinit {
        try? input.fileHandleForWriting.close()
        holder.waitUntilExit()
    }

    private static let programs = "/usr/lib/postgresql/15/bin"

    /// PostgreSQL refuses to run as root.
    private static let asPostgres =
        getuid() == 0 ? "setpriv --reuid postgres --regid postgres --init-groups" : ""

    /// Starts a stopped server, and waits until it takes connections.
    package func start() throws {
        input = Pipe()
        holder = Process()
        // Not dash: its `wait` never returns where Foundation's children have SIGCHLD blocked.
        holder.executableURL = URL(filePath: "/bin/bash")
        holder.arguments = [
            "-c",
            """
            cd \(folder)
            \(Self.asPostgres) sh start >> log 2>&1 &
            read word
            kill -CONT $(head -1 data/postmaster.pid) 2>/dev/null
            kill -QUIT $! 2>/dev/null
            wait $!
            [ "$word" = keep ] || rm -rf \(folder)
            """,
        ]
        holder.standardInput = input
        holder.standardOutput = FileHandle.nullDevice
        holder.standardError = FileHandle.nullDevice
        let logged = log.count
        try holder.run()
        for _ in 0..<3000 {
            guard holder.isRunning else { throw ServerError("PostgreSQL ended at once: \(log)") }
            if log.dropFirst(logged).contains("ready to accept connections") { return }
            usleep(20_000)
        }
        throw ServerError("PostgreSQL does not answer on \(port): \(log)")
    }

    /// Stops the server as a crash would, keeping its data.
    package func crash() throws {
        try input.fileHandleForWriting.write(contentsOf: Data("keep\n".utf8))
        try input.fileHandleForWriting.close()
        holder.waitUntilExit()
    }

    /// Stops all of the server's processes in their tracks: it still accepts connections, and is silent.
    package func freeze() throws {
        try signalAll("STOP")
    }

    /// Lets a frozen server go on.
    package func thaw() throws {
        try signalAll("CONT")
    }

    private func signalAll(_ signal: String) throws {
        try Self.shell(
            """
            main=$(head -1 \(folder)/data/postmaster.pid)
            kill -\(signal) $main $(cat /proc/$main/task/$main/children)
            """)
    }

    /// Makes a database, empty or a copy of another, and returns its name.
    package func makeDatabase(template: String = "template1") throws -> String {
        // One at a time: a template must have no other users.
        try lock.withLock {
            databases += 1
            let name = "test\(databases)"
            try psql("create database \(name) template \(template)", database: "postgres")
            return name
        }
    }

    /// Returns the URI of a database.
    package func uri(user: String = "postgres", database: String, port: Int? = nil) -> String {
        "postgres://\(user)@127.0.0.1:\(port ?? self.port)/\(database)"
    }

    /// Runs SQL with psql and returns what it prints: values separated by `|`, a row a line.
    @discardableResult
    package func psql(
        _ sql: String, database: String, user: String = "postgres"
    ) throws -> String {
        let uri = uri(user: user, database: database)
        return try Self.run(
            "/usr/bin/psql", ["-XqAt", "-v", "ON_ERROR_STOP=1", "-d", uri, "-f", "-"], input: sql)
    }

    /// What the server has logged.
    package var log: String {
        (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? ""
    }

    @discardableResult
    private static func shell(_ script: String) throws -> String {
        try run("/bin/sh", ["-c", script], input: "")
    }

    private static func run(_ program: String, _ arguments: [String], input: String) throws
        -> String
    {
        let process = Process()
        let (stdin, stdout, stderr) = (Pipe(), Pipe(), Pipe())
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardInput = stdin
        process.standardOutput = stdout
        process.standardError = stderr
        try process.runUnblocked()
        try stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try stdin.fileHandleForWriting.close()
        let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
        let errors = try stderr.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw ServerError(String(decoding: errors, as: UTF8.self))
        }
        return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
}
