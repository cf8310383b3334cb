package import Foundation

/// A private mosquitto on a free port of this machine, stopped with the last reference to it.
package final class MosquittoServer {
    package let port: Int
    /// Its own folder: configuration, log, and the sessions that it saves.
    package let folder: URL
    private var process: Process?

    /// Starts a broker that accepts everybody, unless `settings` say otherwise.
    ///
    /// - Parameter settings: Further lines of mosquitto.conf; `%FOLDER%` is the broker's folder.
    package init(settings: [String] = [], files: [String: String] = [:]) throws {
        port = try freePort()
        folder = FileManager.default.temporaryDirectory
            .appending(path: "waygate-mosquitto-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, content) in files {
            try Data(content.utf8).write(to: folder.appending(path: name))
        }
        let lines =
            [
                "user root", "listener \(port) 127.0.0.1", "persistence true",
                "persistence_location \(folder.path)/", "autosave_interval 1",
                "max_queued_messages 0",
                "log_dest file \(folder.path)/log",
            ] + settings.map { $0.replacing("%FOLDER%", with: folder.path) }
        let all = lines.contains { $0.hasPrefix("allow_anonymous") } ? [] : ["allow_anonymous true"]
        let text = (lines + all).joined(separator: "\n") + "\n"
        try Data(text.utf8).write(to: folder.appending(path: "mosquitto.conf"))
        try start()
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Starts the broker again, with the sessions that it has saved, and waits until it listens.
    package func start() throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/sbin/mosquitto")
        process.arguments = ["-c", folder.appending(path: "mosquitto.conf").path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.runUnblocked()
        self.process = process
        try waitForListener(port: port, of: process)
    }

    /// Stops the broker, which saves its sessions.
    package func stop() {
        process?.terminate()
        process?.waitUntilExit()
        process = nil
    }

    /// Ends the broker at once, which loses what it has not saved.
    package func kill() {
        guard let process else { return }
        signal(SIGKILL)
        process.waitUntilExit()
        self.process = nil
    }

    /// Removes the sessions that a stopped broker has saved.
    package func forgetSessions() throws {
        try FileManager.default.removeItem(at: folder.appending(path: "mosquitto.db"))
    }

    /// Sends the broker a signal, such as SIGSTOP, after which it accepts connections but is silent.
    package func signal(_ number: Int32) {
        // The identifier of a process that has ended is 0, which would name our own whole group.
        guard let id = process?.processIdentifier, id > 0 else { return }
        Foundation.kill(id, number)
    }

    /// What the broker has logged.
    package var log: String {
        (try? String(contentsOf: folder.appending(path: "log"), encoding: .utf8)) ?? ""
    }
}
