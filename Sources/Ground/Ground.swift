internal import Foundation
internal import Synchronization

/// What was found in a tile's place.
package enum GroundTileContent: Equatable, Sendable {
    /// A vector tile.
    case tile(TileData)
    /// There is none here.
    case nothing
    /// It could not be read now.
    case missing
}

/// The tiles under the live map, read on threads of their own within bounds of time and memory.
package final class Ground: Sendable {
    /// The bounds of what it may take.
    package struct Limits: Sendable {
        /// Tiles that are read at a time, each by its own thread.
        package var readers = 4
        /// Tiles that wait to be read; further ones are missing.
        package var waiting = 512
        /// Bytes of tiles that are kept.
        package var cacheBytes = 64 << 20
        /// How long a tile is kept.
        package var lifetime = Duration.seconds(600)
        /// For how long nothing is read after a failure.
        package var pause = Duration.seconds(2)

        /// Creates the defaults.
        package init() {}
    }

    /// What is known of the tiles.
    package let facts: GroundFacts

    private typealias Answer = @Sendable (GroundTileContent) -> Void

    private struct State {
        var cache: TileCache
        /// Who waits for each tile that is not read yet.
        var waiting: [TileID: [Answer]] = [:]
        var queue: [TileID] = []
        var pausedUntil: ContinuousClock.Instant?
        var isStopped = false
    }

    private let limits: Limits
    private let state: Mutex<State>
    private let work = DispatchSemaphore(value: 0)

    /// Opens a source of tiles.
    ///
    /// - Throws: `GroundError` when there is nothing to read from; a server is not asked yet.
    package convenience init(_ source: GroundSource, limits: Limits = Limits()) throws(GroundError)
    {
        var readers: [any TileReader] = []
        for _ in 0..<limits.readers { readers.append(try source.open()) }
        self.init(readers: readers, limits: limits)
    }

    /// Starts a thread for each reader.
    init(readers: sending [any TileReader], limits: Limits) {
        facts = readers.first?.facts ?? GroundFacts(zooms: 0...0)
        self.limits = limits
        state = Mutex(
            State(cache: TileCache(limit: limits.cacheBytes, lifetime: limits.lifetime)))
        for reader in readers {
            // The thread takes the reader over, and nobody else ever asks it.
            nonisolated(unsafe) let reader = reader
            let thread = Thread { [self] in serve(reader) }
            thread.name = "ground"
            thread.start()
        }
    }

    /// Loads a tile, and hands it over at once or later, on any thread; always, and only once.
    package func load(_ tile: TileID, then answer: @escaping @Sendable (GroundTileContent) -> Void)
    {
        guard facts.zooms.contains(tile.zoom) else { return answer(.nothing) }
        let now = ContinuousClock.now
        let known: GroundTileContent? = state.withLock { state in
            if let content = state.cache.content(of: tile, at: now) { return content }
            let isPaused = state.pausedUntil.map { now < $0 } ?? false
            guard !state.isStopped, !isPaused else { return .missing }
            if state.waiting[tile] != nil {
                state.waiting[tile]?.append(answer)
                return nil
            }
            guard state.queue.count < limits.waiting else { return .missing }
            state.waiting[tile] = [answer]
            state.queue.append(tile)
            return nil
        }
        if let known { answer(known) } else { work.signal() }
    }

    /// Ends the threads; whoever waits is told that the tile is missing.
    package func stop() {
        let waiting = state.withLock { state in
            state.isStopped = true
            state.queue = []
            defer { state.waiting = [:] }
            return state.waiting.values.flatMap { $0 }
        }
        for answer in waiting { answer(.missing) }
        for _ in 0..<limits.readers { work.signal() }
    }

    private func serve(_ reader: any TileReader) {
        while true {
            work.wait()
            let (tile, isStopped) = state.withLock { state in
                // The newest first: the view has moved on from the older ones.
                (state.queue.popLast(), state.isStopped)
            }
            if isStopped { return }
            if let tile { finish(tile, with: content(of: tile, from: reader)) }
        }
    }

    private func content(of tile: TileID, from reader: any TileReader) -> GroundTileContent {
        do throws(GroundError) {
            return try reader.read(tile).map { .tile($0) } ?? .nothing
        } catch {
            return error.reason == .damaged ? .nothing : .missing
        }
    }

    private func finish(_ tile: TileID, with content: GroundTileContent) {
        let now = ContinuousClock.now
        let waiting = state.withLock { state in
            if content == .missing {
                state.pausedUntil = now + limits.pause
            } else {
                state.cache.keep(content, of: tile, at: now)
            }
            return state.waiting.removeValue(forKey: tile) ?? []
        }
        for answer in waiting { answer(content) }
    }
}
