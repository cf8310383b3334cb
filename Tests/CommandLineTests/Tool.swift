import Foundation
import TestServers
import Testing

/// What a run of the built tool said and returned.
struct ToolResult {
    var status: Int32
    var output: String
    var errors: String
}

/// The built `waygate`, run as a user would.
final class Tool {
    private let process = Process()
    private let output = Pipe()
    /// A file, so that it can be read while the tool runs.
    private let errors = FileManager.default.temporaryDirectory
        .appending(path: "waygate-errors-\(UUID().uuidString)")
    private let input = Pipe()

    /// Starts the tool, without any of the WAYGATE_* variables around.
    init(_ arguments: [String], environment: [String: String] = [:], input text: String? = nil)
        throws
    {
        process.executableURL = try Self.executable
        process.arguments = arguments
        // The mark by which deploy/test finds what it has started.
        let mark = ProcessInfo.processInfo.environment["WAYGATE_RUN"] ?? ""
        process.environment = ["PATH": "/usr/bin:/bin", "TZ": "UTC", "WAYGATE_RUN": mark]
            .merging(environment) { $1 }
        process.standardOutput = output
        try Data().write(to: errors)
        process.standardError = try FileHandle(forWritingTo: errors)
        process.standardInput = input
        try process.runUnblocked()
        // A tool that hangs would hang the tests: none needs as long as this.
        let id = process.processIdentifier
        DispatchQueue.global().asyncAfter(deadline: .now() + 60) { [weak process] in
            if process?.isRunning == true { kill(id, SIGKILL) }
        }
        if let text { try input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }
        try input.fileHandleForWriting.close()
    }

    /// Runs the tool to its end.
    static func run(
        _ arguments: String..., environment: [String: String] = [:], input: String? = nil
    ) throws -> ToolResult {
        try Tool(arguments, environment: environment, input: input).finish()
    }

    /// Waits for the end of the tool.
    func finish() throws -> ToolResult {
        let output = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return ToolResult(
            status: process.terminationReason == .exit ? process.terminationStatus : -1,
            output: String(decoding: output, as: UTF8.self),
            errors: errorsSoFar)
    }

    deinit {
        try? FileManager.default.removeItem(at: errors)
    }

    /// What the tool has written to standard error.
    var errorsSoFar: String {
        (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
    }

    /// Whether the tool has not ended yet.
    var isRunning: Bool { process.isRunning }

    /// Asks the tool to end, as Ctrl-C does.
    func interrupt() {
        process.interrupt()
    }

    /// Sends the tool a signal, such as SIGHUP.
    func signal(_ number: Int32) {
        if process.isRunning { kill(process.processIdentifier, number) }
    }

    /// The tool beside the tests that are running.
    private static var executable: URL {
        get throws {
            let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            let tool = tests.deletingLastPathComponent().appending(path: "waygate")
            try #require(FileManager.default.isExecutableFile(atPath: tool.path))
            return tool
        }
    }
}
