import Foundation

extension Process {
    /// Runs the process with no signal blocked.
    ///
    /// A thread of Dispatch, on which tests run, blocks nearly all, and a child has the mask of the thread that
    /// started it: SIGTERM would not reach it.
    package func runUnblocked() throws {
        var none = sigset_t()
        var mask = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &mask)
        defer { pthread_sigmask(SIG_SETMASK, &mask, nil) }
        try run()
    }
}
