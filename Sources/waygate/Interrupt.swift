import Glibc
import Synchronization

/// Notes that the process is asked to end, by Ctrl-C or `kill`.
struct Interrupt {
    private static let noted = Atomic(false)

    /// Starts to note; from now on the process must look at ``isDue``.
    init() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM] {
            signal(number) { _ in Interrupt.noted.store(true, ordering: .relaxed) }
            sigaddset(&signals, number)
        }
        // A parent may have started us from a thread that blocks all signals, as libdispatch's do.
        pthread_sigmask(Int32(SIG_UNBLOCK), &signals, nil)
    }

    /// Whether the process is to end.
    var isDue: Bool { Self.noted.load(ordering: .relaxed) }
}
