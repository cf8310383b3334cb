internal import CSystemd
import Glibc

/// What systemd is told of the worker (sd_notify(3)); nothing where it was not started by systemd.
struct ServiceManager {
    /// How often the watchdog wants to hear that all is well, in seconds; `nil` where nobody watches.
    let watchdogInterval: Double?
    /// Whether anybody listens.
    let isThere = getenv("NOTIFY_SOCKET") != nil

    private var status = ""
    private var toldAt = 0.0

    /// Finds out who watches.
    init() {
        var limit: UInt64 = 0
        // Half of the time allowed, as the manual advises.
        watchdogInterval = sd_watchdog_enabled(0, &limit) > 0 ? Double(limit) / 2e6 : nil
    }

    /// Says that the worker runs.
    func ready() { tell("READY=1") }

    /// Says what it does, in a few words that `systemctl status` shows; says nothing twice.
    mutating func say(_ text: String) {
        guard text != status else { return }
        status = text
        tell("STATUS=\(text)")
    }

    /// Says that the settings are read again; `ready` ends it.
    func reloading(at uptime: Double) {
        tell("RELOADING=1\nMONOTONIC_USEC=\(UInt64(uptime * 1e6))")
    }

    /// Says that it ends.
    func stopping() { tell("STOPPING=1") }

    /// Feeds the watchdog when that is due and all has moved since the last time.
    mutating func feedWatchdog(at uptime: Double, ifMoved: () -> Bool) {
        guard let watchdogInterval, uptime >= toldAt + watchdogInterval / 2, ifMoved() else {
            return
        }
        toldAt = uptime
        tell("WATCHDOG=1")
    }

    private func tell(_ state: String) {
        // Where there is no socket to tell it to, nothing happens; nor is there a remedy for a failure.
        _ = sd_notify(0, state)
    }
}
