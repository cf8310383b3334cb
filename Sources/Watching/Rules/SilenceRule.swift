import Tracking

/// Tells when nothing has come from a vehicle for long, and when something comes again.
struct SilenceRule: Equatable, Sendable {
    /// Whether the silence has been told.
    private(set) var isTold = false

    init() {}

    init(isTold: Bool) { self.isTold = isTold }

    /// When the clock may tell a silence; `nil` where it was told, or never is.
    func deadline(after newest: Whereabouts, _ settings: WatchSettings) -> Timestamp? {
        guard !isTold, settings.silence > 0 else { return nil }
        return newest.receivedAt.advanced(by: settings.silence)
    }

    /// Begins a silence that has lasted long enough by the clock; `nil` where there is nothing to tell.
    mutating func begin(
        after newest: Whereabouts, at now: Timestamp, _ settings: WatchSettings
    ) -> Silence? {
        guard let deadline = deadline(after: newest, settings), now >= deadline else { return nil }
        isTold = true
        return Silence(
            lastTime: newest.time, duration: max(now.elapsed(since: newest.receivedAt), 0))
    }

    /// Ends a silence that was told; `nil` where there is nothing to tell.
    mutating func end(at step: Step) -> Silence? {
        guard isTold, let before = step.before else { return nil }
        isTold = false
        let seconds = step.receivedAt.elapsed(since: before.receivedAt)
        return Silence(lastTime: before.time, duration: max(seconds, 0))
    }
}
