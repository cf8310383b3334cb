import Console
import Glibc
import Ground
import Worker

/// `waygate run`: the worker itself.
struct RunCommand: Subcommand {
    private static let takeOver = Option.flag(
        "take-over", "take the database over from another worker, which then ends")
    private static let acceptGap = Option.flag(
        "accept-gap", "go on where inputs are lost between the database and the spool")

    static let manual = Manual(
        name: "run", summary: "take positions and commands, track, store and publish",
        options: [takeOver, acceptGap, .config],
        details: """
            Runs until SIGTERM or Ctrl-C; then it finishes what it has taken, for up to ten seconds, \
            says 'offline' and ends with status 0. A second signal ends it at once, and so may SIGKILL: \
            what was acknowledged is in the spool, and the next run goes on from there.

            SIGHUP reads the settings again: log.level, http.command_token and retention are in force at \
            once; changes of other keys are named, and wait for a restart. Certificates and keys are read \
            with each connection to the broker.

            It waits for a broker or database that is not there yet. What waiting cannot heal ends it \
            at once, with a line that says what to do. A second worker on the same spool stands by, and \
            takes over when the first one ends.
            """,
        example: "waygate run --config waygate.json5")

    private let settings: ConfigurationSource
    private var options = RunOptions()

    init(_ arguments: Arguments) throws(UsageError) {
        settings = arguments.configuration()
        options.takesOver = arguments.has(Self.takeOver)
        options.acceptsGap = arguments.has(Self.acceptGap)
    }

    func run() throws {
        let configuration = try settings.load()
        let log = Logger(level: configuration.log.level, format: configuration.log.format)
        let worker = WorkerProcess(configuration: configuration, options: options, log: log)
        let ground = Self.ground(configuration, log)
        var server: ConsoleServer?
        var history: HistoryBridge?
        defer {
            server?.stop()
            ground?.stop()
            history?.stop()
        }
        try worker.run(
            attend: { view in
                guard let settings = ConsoleSettings(configuration.http) else { return nil }
                let past = HistoryBridge(configuration.storeSettings, log: log)
                history = past
                let started = try ConsoleServer(
                    settings, source: ConsoleBridge(view: view, log: log), ground: ground,
                    history: past)
                log.info("serving the map", ["url": "http://\(settings.listen)/"])
                server = started
                return StreamBridge(server: started)
            }, reread: settings.load
        ) { renewed in
            server?.change(commandToken: renewed.http.commandToken?.revealed)
        }
    }

    /// Opens what the map stands on; without it the map is plain, and the worker runs all the same.
    private static func ground(_ configuration: Configuration, _ log: Logger) -> GroundBridge? {
        do throws(GroundError) {
            return try GroundSource.from(configuration).map(GroundBridge.init)
        } catch {
            log.warning("the map has no ground", ["reason": error.message])
            return nil
        }
    }
}

extension ConsoleSettings {
    /// The console's settings; `nil` when it is turned off.
    fileprivate init?(_ http: Configuration.HTTP) {
        guard let address = http.listen else { return nil }
        let host = address.host.contains(":") ? "[\(address.host)]" : address.host
        self.init(listen: "\(host):\(address.port)")
        commandToken = http.commandToken?.revealed
        tiles = http.tiles
        tilesAttribution = http.tilesAttribution
        if let assets = http.assets { self.assets = assets }
    }
}
