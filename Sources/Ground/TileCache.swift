/// Tiles that were read of late, within a bound of memory.
struct TileCache {
    private struct Entry {
        var content: GroundTileContent
        var readAt: ContinuousClock.Instant
        /// When it was last asked for, counted in questions.
        var usedAt: UInt64
    }

    private let limit: Int
    private let lifetime: Duration
    private var entries: [TileID: Entry] = [:]
    private var questions: UInt64 = 0
    private(set) var bytes = 0

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - limit: How many bytes all tiles may have; each counts 200 more.
    ///   - lifetime: An older tile is read again: the server may have new roads.
    init(limit: Int, lifetime: Duration) {
        self.limit = limit
        self.lifetime = lifetime
    }

    /// Returns a tile that is here and not too old.
    mutating func content(
        of tile: TileID, at now: ContinuousClock.Instant
    ) -> GroundTileContent? {
        questions += 1
        guard let entry = entries[tile], now - entry.readAt < lifetime else { return nil }
        entries[tile]?.usedAt = questions
        return entry.content
    }

    /// Keeps a tile, and forgets what was not asked for for longest when there is no room.
    mutating func keep(
        _ content: GroundTileContent, of tile: TileID, at now: ContinuousClock.Instant
    ) {
        forget(tile)
        bytes += Self.cost(of: content)
        entries[tile] = Entry(content: content, readAt: now, usedAt: questions)
        guard bytes > limit else { return }
        // A quarter at once, so that this is rarely done.
        for (old, _) in entries.sorted(by: { $0.value.usedAt < $1.value.usedAt }) {
            guard bytes > limit / 4 * 3 else { return }
            forget(old)
        }
    }

    private mutating func forget(_ tile: TileID) {
        guard let entry = entries.removeValue(forKey: tile) else { return }
        bytes -= Self.cost(of: entry.content)
    }

    private static func cost(of content: GroundTileContent) -> Int {
        guard case .tile(let data) = content else { return 200 }
        return 200 + data.bytes.count
    }
}
