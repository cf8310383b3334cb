import Foundation

/// A real routing engine on a free port of this machine, on its own copy of a map; stopped with the last
/// reference to it.
///
/// `deploy/engines` has put the engines and maps into the folder that `WAYGATE_ENGINES` names.
package final class EngineServer {
    package let port: Int
    private let kind: String
    private let map: String
    /// Looks like the folder of `deploy/engines`, with one map of its own.
    private let folder: URL
    private var process: Process?

    /// Where the engine is.
    package var url: String { "http://127.0.0.1:\(port)" }

    /// Starts an engine.
    ///
    /// - Parameters:
    ///   - kind: `osrm` or `valhalla`.
    ///   - map: `liechtenstein` or `monaco`.
    package init(_ kind: String, map: String) throws {
        guard let engines = ProcessInfo.processInfo.environment["WAYGATE_ENGINES"] else {
            throw ServerError("WAYGATE_ENGINES does not name the folder of deploy/engines")
        }
        self.kind = kind
        self.map = map
        port = try freePort()
        folder = FileManager.default.temporaryDirectory
            .appending(path: "waygate-engine-\(port)", directoryHint: .isDirectory)
        let files = FileManager.default
        let source = URL(filePath: engines, directoryHint: .isDirectory).standardizedFileURL
        try? files.removeItem(at: folder)
        try files.createDirectory(
            at: folder.appending(path: "maps"), withIntermediateDirectories: true)
        for engine in ["osrm", "valhalla"] {
            try files.createSymbolicLink(
                at: folder.appending(path: engine),
                withDestinationURL: source.appending(path: engine))
        }
        try files.copyItem(
            at: source.appending(path: "maps/\(map)"), to: folder.appending(path: "maps/\(map)"))
        try start()
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Starts the engine again on the same port, and waits until it listens.
    package func start() throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../deploy/engines").standardizedFileURL
        let process = Process()
        process.executableURL = script
        process.arguments = [folder.path, "serve", kind, map, String(port)]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.runUnblocked()
        self.process = process
        try waitForListener(port: port, of: process)
    }

    /// Ends the engine at once.
    package func kill() {
        guard let process else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        self.process = nil
    }

    /// Closes the road between pairs of OSM nodes for an `osrm` engine, and restarts it.
    package func close(_ segments: [(Int, Int)]) throws {
        let file = folder.appending(path: "closed.csv")
        let lines = segments.flatMap { ["\($0.0),\($0.1),0\n", "\($0.1),\($0.0),0\n"] }
        try Data(lines.joined().utf8).write(to: file)
        let customize = Process()
        customize.executableURL = folder.appending(path: "osrm/bin/osrm-customize")
        customize.arguments = [
            "-t", "2", "--segment-speed-file", file.path,
            folder.appending(path: "maps/\(map)/\(map).osrm").path,
        ]
        customize.standardOutput = FileHandle.nullDevice
        customize.standardError = FileHandle.nullDevice
        try customize.run()
        customize.waitUntilExit()
        guard customize.terminationStatus == 0 else { throw ServerError("osrm-customize failed") }
        kill()
        try start()
    }
}
