import Foundation
import TestServers
import Testing

/// A broker, a database, and the built worker between them.
final class WorkerUnderTest {
    let broker: MosquittoServer
    let database: PostgresServer
    let name: String
    let folder: URL
    let client: FleetClient
    /// What stands between the worker and its servers, where a test asked for it.
    private(set) var links: (broker: TCPRelay, database: TCPRelay)?
    /// The volume that the spool is on, where a test asked for a small one.
    let disk: SmallDisk?
    private let settings: String
    private let brokerMembers: String
    private let environment: [String: String]
    private var process: Process?

    /// Starts the servers, makes the tables, and starts the worker.
    ///
    /// - Parameters:
    ///   - settings: More members of the settings file.
    ///   - brokerMembers: More members of its `mqtt`.
    ///   - brokerSettings: More lines of the broker's settings, and `brokerFiles` beside them.
    ///   - hasLinks: Whether relays stand between the worker and its servers.
    ///   - spoolMegabytes: The size of the spool's volume, which then is one of its own.
    ///   - environment: More variables for the worker.
    init(
        settings: String = "", brokerMembers: String = "", brokerSettings: [String] = [],
        brokerFiles: [String: String] = [:], hasLinks: Bool = false, spoolMegabytes: Int? = nil,
        environment: [String: String] = [:]
    ) throws {
        broker = try MosquittoServer(settings: brokerSettings, files: brokerFiles)
        database = try PostgresServer()
        if hasLinks {
            links = (try TCPRelay(to: broker.port), try TCPRelay(to: database.port))
        }
        name = try database.makeDatabase()
        folder = FileManager.default.temporaryDirectory.appending(
            path: "waygate-worker-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let spool = folder.path + "/spool"
        disk = try spoolMegabytes.map { try #require(SmallDisk(megabytes: $0, at: spool)) }
        client = try FleetClient(port: broker.port)
        self.settings = settings
        self.brokerMembers = brokerMembers
        self.environment = environment
        try writeSettings("waygate", spool: "spool")
        try Self.finish(try launch(["migrate"]))
        try start()
    }

    deinit {
        kill()
        links?.broker.close()
        links?.database.close()
        disk?.remove()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Writes a settings file for a worker.
    func writeSettings(_ worker: String, spool: String) throws {
        let brokerPort = links?.broker.port ?? broker.port
        let uri = database.uri(database: name, port: links?.database.port)
        let text = """
            { worker_id: "\(worker)", mqtt: { url: "mqtt://127.0.0.1:\(brokerPort)", \(brokerMembers) },
              database: { url: "\(uri)" },
              spool: { folder: "\(folder.path)/\(spool)" }, http: { listen: "" }, \(settings) }
            """
        try Data(text.utf8).write(to: folder.appending(path: "\(worker).json5"))
    }

    /// Starts the worker and waits until it is online.
    func start() throws {
        let before = onlineCount
        process = try launch(["run"])
        try client.wait("the worker to be online", within: 30) { [self] in
            onlineCount > before ? true : nil
        }
    }

    /// How often a worker has said that it is online.
    private var onlineCount: Int {
        client.count("fleet-worker/waygate/status", containing: "online")
    }

    /// Ends the worker at once.
    func kill() {
        guard let process, process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Asks the worker to end, and returns its exit status.
    func stop() throws -> Int32 {
        let process = try #require(process)
        process.terminate()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Starts a `waygate` command with a worker's settings; its log goes to a file of the folder, and so does its output unless
    /// `output` is given.
    func launch(
        _ arguments: [String], worker: String = "waygate", output: FileHandle? = nil
    ) throws -> Process {
        let process = Process()
        let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        let tool = tests.deletingLastPathComponent().appending(path: "waygate")
        // Through a shell: libfaketime changes the environment of the program that loads it first, and Swift
        // finds no arguments behind a changed one.
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments =
            ["-c", "exec \"$0\" \"$@\"", tool.path] + arguments
            + ["--config", folder.appending(path: "\(worker).json5").path]
        // The mark by which deploy/test finds what it has started.
        let mark = ProcessInfo.processInfo.environment["WAYGATE_RUN"] ?? ""
        process.environment = environment.merging(
            ["PATH": "/usr/bin:/bin", "WAYGATE_RUN": mark]
        ) { $1 }
        let log = folder.appending(path: "\(worker).log")
        if !FileManager.default.fileExists(atPath: log.path) {
            try Data().write(to: log)
        }
        let handle = try FileHandle(forWritingTo: log)
        try handle.seekToEnd()
        process.standardError = handle
        process.standardOutput = output ?? handle
        try process.runUnblocked()
        return process
    }

    /// Waits for the end of a command that has to succeed.
    static func finish(_ process: Process) throws {
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    /// What a worker has logged.
    func log(of worker: String = "waygate") -> String {
        (try? String(contentsOf: folder.appending(path: "\(worker).log"), encoding: .utf8)) ?? ""
    }

    /// Runs SQL, and returns a row a line.
    func rows(_ sql: String) throws -> [String] {
        try database.psql(sql, database: name).split(separator: "\n").map(String.init)
    }

    /// Waits until a query gives what is expected.
    func expect(_ rows: [String], from sql: String, within seconds: Double = 20) throws {
        var found: [String] = []
        do {
            _ = try client.wait("\(rows)", within: seconds) { [self] in
                found = (try? self.rows(sql)) ?? []
                return found == rows ? true : nil
            }
        } catch {
            #expect(found == rows, "\(sql)")
        }
    }
}

extension FleetClient {
    /// How many messages came on a topic with a text in them.
    func count(_ topic: String, containing text: String) -> Int {
        heard(topic).count { $0.contains(text) }
    }
}
