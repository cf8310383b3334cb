import Glibc
import Synchronization

/// Notes that the process is asked to pause, and to go on: each by SIGUSR1.
struct PauseSignal {
    private static let count = Atomic(0)

    /// Starts to note.
    init() {
        signal(SIGUSR1) { _ in
            PauseSignal.count.wrappingAdd(1, ordering: .relaxed)
        }
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGUSR1)
        pthread_sigmask(Int32(SIG_UNBLOCK), &signals, nil)
    }

    /// Whether the process is to pause.
    var isPaused: Bool { Self.count.load(ordering: .relaxed) % 2 == 1 }
}
