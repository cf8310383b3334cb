/// Where the console listens, and what it offers there.
package struct ConsoleSettings: Sendable {
    /// An address and port, `127.0.0.1:8088` or `[::1]:8088`; port 0 takes any free one.
    package var listen: String
    /// What a request for a command must carry as bearer token; `nil` or empty turns commands off.
    package var commandToken: String?
    /// URL of a map tile with `{z}`, `{x}` and `{y}`, or `nil` for a plain ground.
    package var tiles: String?
    /// Whom the map must name as the tiles' author, as plain text.
    package var tilesAttribution: String?
    /// The folder with Leaflet's files.
    package var assets: String
    /// The bounds of what clients may take.
    package var limits: ConsoleLimits

    /// Creates settings; only what differs from the defaults need be given.
    package init(
        listen: String = "127.0.0.1:8088", commandToken: String? = nil, tiles: String? = nil,
        tilesAttribution: String? = nil, assets: String = "/usr/share/javascript/leaflet",
        limits: ConsoleLimits = ConsoleLimits()
    ) {
        self.listen = listen
        self.commandToken = commandToken
        self.tiles = tiles
        self.tilesAttribution = tilesAttribution
        self.assets = assets
        self.limits = limits
    }
}

/// The bounds of what clients may take.
package struct ConsoleLimits: Sendable {
    /// Connections at a time; further ones wait in the socket's backlog.
    package var connections = 256
    /// Streams at a time; further ones are answered 503.
    package var streams = 100
    /// Bytes that the body of a request may have.
    package var bodyBytes = 65_536
    /// Bytes of memory for a connection: bounds the request line with its headers.
    package var connectionBytes = 65_536
    /// How long a connection may be silent, in seconds.
    package var idleSeconds = 15
    /// How long a request with its answer may take, in seconds; streams excepted.
    package var exchangeSeconds = 30
    /// Bytes of stream that are kept for clients that are behind.
    package var streamBytes = 32 << 20
    /// Messages that are kept for clients that are behind.
    package var streamEntries = 50_000
    /// How long a stream may say nothing, in seconds; then it sends a comment.
    package var keepAliveSeconds = 15.0
    /// How long a change may wait to be sent together with others, in milliseconds.
    package var tickMilliseconds = 100

    /// Creates the defaults.
    package init() {}
}
