import Glibc

/// The signals that end the process, taken one at a time instead of as they come.
///
/// Made before any thread, so that all threads inherit the mask.
struct StopSignals {
    /// The signal that reloads the settings.
    static let reload = SIGHUP

    private var signals = sigset_t()

    /// Holds SIGTERM, SIGINT and SIGHUP back from now on.
    init() {
        sigemptyset(&signals)
        for signal in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Waits for a signal, up to `seconds`; `nil` when none came.
    mutating func wait(seconds: Double) -> Int32? {
        var limit = timespec(
            tv_sec: Int(seconds), tv_nsec: Int((seconds - seconds.rounded(.down)) * 1e9))
        let signal = sigtimedwait(&signals, nil, &limit)
        return signal > 0 ? signal : nil
    }

    /// Lets the next SIGTERM or SIGINT end the process at once.
    func letThrough() {
        var signals = signals
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
}
