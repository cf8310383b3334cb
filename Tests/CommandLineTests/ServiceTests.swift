import Foundation
import TestServers
import Testing

/// What systemd hears of a worker, and what a worker does at its request.
@Suite(.timeLimit(.minutes(5)))
struct ServiceTests {
    private let folder = FileManager.default.temporaryDirectory.appending(
        path: "waygate-service-\(UUID().uuidString)", directoryHint: .isDirectory)

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Starts a worker without broker and database, whom a socket at `notify` hears.
    private func start(_ settings: URL) throws -> Tool {
        try Tool(
            ["run", "--config", settings.path],
            environment: [
                "NOTIFY_SOCKET": folder.appending(path: "notify").path, "WATCHDOG_USEC": "400000",
                "WAYGATE_MQTT_URL": "mqtt://127.0.0.1:1", "WAYGATE_HTTP": "",
                "WAYGATE_DATABASE_URL": "postgres://u@127.0.0.1:1/fleet",
                "WAYGATE_SPOOL": folder.appending(path: "spool").path,
            ])
    }

    @Test func hearsOfItsLifeFromReadyToStopping() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let socket = try NotifySocket(path: folder.appending(path: "notify").path)
        let settings = folder.appending(path: "waygate.json5")
        try Data("{}".utf8).write(to: settings)
        let tool = try start(settings)
        #expect(socket.wait(for: "READY=1"))
        #expect(socket.wait(for: "STATUS=not ready: broker: not connected"))
        #expect(socket.wait(for: "WATCHDOG=1"))
        tool.signal(SIGHUP)
        #expect(socket.wait(for: "RELOADING=1"))
        #expect(socket.wait(for: "READY=1"))
        tool.signal(SIGTERM)
        #expect(socket.wait(for: "STOPPING=1"))
        #expect(try tool.finish().status == 0)
    }

    @Test func readsTheSettingsAgainAndNamesWhatWaits() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let socket = try NotifySocket(path: folder.appending(path: "notify").path)
        let settings = folder.appending(path: "waygate.json5")
        try Data("{}".utf8).write(to: settings)
        let tool = try start(settings)
        #expect(socket.wait(for: "READY=1"))
        for text in [
            "{log: {level: 'debug'}, planner: {max_in_flight: 3}}", "{log: {level: 'loud'}}",
        ] {
            try Data(text.utf8).write(to: settings)
            tool.signal(SIGHUP)
            #expect(socket.wait(for: "RELOADING=1"))
            #expect(socket.wait(for: "READY=1"))
        }
        tool.signal(SIGTERM)
        let log = try tool.finish().errors
        #expect(log.contains("read the settings again in_force=log.level"))
        #expect(log.contains("these changes wait for a restart keys=planner.max_in_flight"))
        #expect(log.contains("the settings are not right; nothing is changed"))
        #expect(log.contains("log.level must be one of"))
    }
}

/// The socket at which systemd hears services.
private final class NotifySocket {
    private let descriptor: Int32

    init(path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        try #require(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0)
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Takes what comes until a message begins with `text`; false when nothing has come for long.
    func wait(for text: String) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return false }
            if String(decoding: buffer[..<count], as: UTF8.self).hasPrefix(text) { return true }
        }
    }
}
