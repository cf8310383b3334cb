internal import Glibc

/// The HTTP surface: metrics, health, the stream of events, commands and the live map.
///
/// It has two threads: libmicrohttpd's, and one that wakes the stream's clients. No request, however
/// slow its client, makes `broadcast` wait.
package final class ConsoleServer: Sendable {
    /// The port that it listens on.
    package let port: Int

    private let gate: CommandGate
    private let stream: EventStream
    private let alarms = RecentAlarms()
    private let daemon: HTTPDaemon
    private let ticker: Ticker

    /// Starts to serve.
    ///
    /// - Parameters:
    ///   - ground: What the map stands on; `nil` for a plain ground.
    ///   - history: What the database tells of the past; `nil` where nothing is asked of it.
    /// - Throws: `ConsoleError` when a setting cannot be used or the address is not to be had.
    package init(
        _ settings: ConsoleSettings, source: any ConsoleSource,
        ground: (any ConsoleGround)? = nil, history: (any ConsoleHistory)? = nil
    ) throws(ConsoleError) {
        let address = try ListenAddress(settings.listen)
        let headers = try SecurityHeaders.headers(tiles: settings.tiles)
        let gate = CommandGate(token: settings.commandToken)
        let stream = EventStream(limits: settings.limits, start: Self.firstEventID())
        let router = Router(
            source: source, ground: ground, history: history, stream: stream, alarms: alarms,
            gate: gate,
            files: StaticFiles(settings, commandsAreOn: gate.isOn, hasGround: ground != nil),
            isLoopback: address.isLoopback, counters: RequestCounters())
        let (socket, port) = try address.listen()
        let daemon = try HTTPDaemon(
            socket: socket, limits: settings.limits, headers: headers, answer: router.answer)
        self.port = port
        self.gate = gate
        self.stream = stream
        self.daemon = daemon
        self.ticker = try Ticker(milliseconds: settings.limits.tickMilliseconds) {
            let now = ContinuousClock.now
            stream.wakeClients(at: now)
            daemon.cutOverdue(at: now)
        }
    }

    deinit { stop() }

    /// Takes commands with another token from now on, and no other; without one it takes none.
    package func change(commandToken: String?) {
        gate.change(token: commandToken)
    }

    /// Tells all clients of the stream; never waits for one.
    package func broadcast(_ event: StreamEvent) {
        stream.append(event)
        if event.kind == .alarm { alarms.append(event.json) }
    }

    /// Ends all connections, and returns when no thread of the console's runs any more.
    package func stop() {
        ticker.stop()
        stream.closeAll()
        daemon.stop()
    }

    /// Returns a number above all that an earlier process has given to its events.
    private static func firstEventID() -> UInt64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1_000
    }
}
