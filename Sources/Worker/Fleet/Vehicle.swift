import Tracking
import Watching

/// One vehicle as the worker knows it: where it was last, and the trip it is on.
final class Vehicle {
    /// Its id, as topics name it.
    let id: String
    /// The active trip; `nil` when idle.
    var trip: Trip?
    /// The trip that ended, until a newer fix comes: dashboards keep showing how it ended.
    var ended: Trip?
    /// Who comes and goes, how fast, and where it stands.
    var watch: Watch
    /// The fix with the greatest time.
    var newest: Fix?
    /// Seconds between the newest fix and the one before it; `nil` while there is only one.
    var interval: Double?

    /// When the newest entry that concerned it was received.
    var updatedAt = Timestamp(microseconds: 0)
    /// The spool position of that entry; `nil` when the tables told of it.
    private(set) var entry: Int64?

    /// What of the vehicle the store does not have yet.
    var unsaved = Unsaved()
    /// What of the vehicle's progress the dashboards do not have yet.
    var announcement = Announcement()
    /// When the trip is looked at for deadlines.
    var timer = Timer()
    /// When the watch is looked at for deadlines.
    var watchTimer = WatchTimer()

    /// Creates a vehicle of which nothing is known.
    init(id: String) {
        self.id = id
        watch = Watch(vehicleID: id)
    }

    /// Which rows have to be written.
    struct Unsaved {
        /// Whether the vehicle is listed among the changed ones.
        var isListed = false
        /// Whether the trip has no row yet.
        var isTripNew = false
        /// Whether the trip has another route.
        var isRouteChanged = false
        /// Whether the trip's row, or one of its via points, changed.
        var isTripEventful = false
    }

    /// When progress was published last, and whether there is newer one.
    struct Announcement {
        /// Seconds of uptime at which the last progress was published.
        var sentAt = -Double.infinity
        /// Whether the vehicle waits for its next turn.
        var isDue = false
    }

    /// What a trip's deadlines are counted from, in seconds of uptime.
    struct Timer {
        /// The second of the next look; `nil` when none is planned.
        var second: Int64?
        /// The trip that the rest is of.
        var tripID: String?
        /// When the vehicle was heard of last.
        var heardAt = 0.0
        /// The request that is out, and when it was asked.
        var request: Int?
        var askedAt = 0.0
        /// When the clock has to speak for the trip, by the machine's clock and in uptime.
        var deadline: Timestamp?
        var ringsAt = Double.infinity
    }

    /// When the watch is looked at for deadlines, in seconds of uptime.
    struct WatchTimer {
        /// When its last usable fix was received, by the machine's clock and in uptime.
        var heard: Timestamp?
        var heardAt = 0.0
        /// The next look; `nil` when none is planned.
        var second: Int64?
    }

    /// Notes the newest entry that concerns it.
    func note(_ entry: Entry) {
        updatedAt = entry.receivedAt
        self.entry = entry.position
    }

    /// The trip that `progress` is of.
    var tripInView: String? { (trip ?? ended)?.id }

    /// Where the vehicle stands.
    func progress() -> Progress? {
        if let trip = trip ?? ended { return trip.progress }
        guard let newest else { return nil }
        var progress = Progress(idleAt: newest)
        progress.animationDuration = interval ?? 2
        return progress
    }

    /// Takes a fix as the newest position if it is newer; tells whether it is.
    ///
    /// A position that the device itself calls invalid never is.
    func note(_ fix: Fix) -> Bool {
        if let accuracy = fix.accuracy, accuracy < 0 { return false }
        if let newest {
            guard fix.time > newest.time else { return false }
            interval = fix.time.elapsed(since: newest.time)
        }
        newest = fix
        ended = nil
        return true
    }
}
