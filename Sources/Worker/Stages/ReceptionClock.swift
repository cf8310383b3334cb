import Tracking

/// Tells the time of receptions, and notices when the machine's clock is set.
///
/// The steady clock runs on beside it; a difference between the two that changes at once is a step. What
/// creeps, as a clock that is being slewed, is followed.
struct ReceptionClock {
    /// Seconds that both may differ between two looks without one of them having been set.
    static let tolerance = 1.0

    private let clock: any WorkerClock
    /// The time of day at uptime 0, in seconds.
    private(set) var origin: Double

    /// Begins to watch a clock.
    ///
    /// - Parameter origin: What an earlier process of the machine's run has seen: a step since then is told by the
    ///   first look.
    init(_ clock: any WorkerClock, origin: Double? = nil) {
        self.clock = clock
        self.origin = origin ?? Self.look(at: clock).origin
    }

    /// The time now, and by how many seconds the clock was set since the last look, if it was.
    mutating func read() -> (now: Timestamp, step: Double?) {
        let (now, current) = Self.look(at: clock)
        let step = current - origin
        origin = current
        return (now, abs(step) > Self.tolerance ? step : nil)
    }

    /// Reads both clocks at one moment: a thread that is kept waiting in between reads them again.
    private static func look(at clock: any WorkerClock) -> (now: Timestamp, origin: Double) {
        while true {
            let before = clock.uptime
            let now = clock.now
            guard clock.uptime - before < tolerance / 4 else { continue }
            return (now, now.seconds - before)
        }
    }
}

/// What the spool remembers of the machine's clock, so that a step between two processes is noticed too.
struct ClockMemory: Equatable, Sendable {
    /// The name that it is kept under.
    static let key = "clock"

    /// The run of the machine.
    var boot: String
    /// The time of day at uptime 0 before the entry at `position`, in seconds.
    var before: Double
    /// The same from that entry on: where both differ, it says so.
    var after: Double
    /// The entry that was about to be written.
    var position: Int64

    init(boot: String, before: Double, after: Double, position: Int64) {
        self.boot = boot
        self.before = before
        self.after = after
        self.position = position
    }

    /// Reads the text; `nil` when it is none.
    init?(_ bytes: [UInt8]) {
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        guard words.count == 4, let before = Double(words[1]), let after = Double(words[2]),
            let position = Int64(words[3])
        else { return nil }
        self.init(boot: String(words[0]), before: before, after: after, position: position)
    }

    /// The text: run, seconds, seconds, position.
    var bytes: [UInt8] { Array("\(boot) \(before) \(after) \(position)".utf8) }

    /// The origin that is true of a spool that ends at a position: the entry may not have been written.
    func origin(at end: Int64) -> Double { end > position ? after : before }
}

/// A step of the machine's clock, as an entry's payload: plain text, microseconds.
struct ClockStep: Equatable, Sendable {
    /// How far the clock was set forward, in seconds; negative when it was set back.
    var seconds: Double

    init(seconds: Double) {
        self.seconds = seconds
    }

    /// Reads the text; `nil` when it is none.
    init?(_ payload: UnsafeRawBufferPointer) {
        guard let microseconds = Int64(String(decoding: payload, as: UTF8.self)) else { return nil }
        seconds = Double(microseconds) / 1e6
    }

    /// The entry that says so.
    func entry(at now: Timestamp) -> OwnEntry {
        let microseconds = Timestamp(seconds: seconds).microseconds
        return OwnEntry(
            kind: .clockSet, receivedAt: now, vehicleID: "", payload: Array("\(microseconds)".utf8))
    }
}
