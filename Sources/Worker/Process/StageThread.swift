import Foundation

/// A thread that drives one stage until it is told to end.
///
/// Safe to send since the body runs on its thread alone, and `join` only waits.
final class StageThread: @unchecked Sendable {
    private let done = DispatchSemaphore(value: 0)

    /// Starts a thread.
    ///
    /// - Parameters:
    ///   - name: As `top -H` shows it, 15 bytes at most.
    ///   - body: What to do; whatever it captures is its own.
    init(_ name: String, _ body: sending @escaping () -> Void) {
        // The thread takes the body over, and nobody else ever calls it.
        nonisolated(unsafe) let body = body
        let thread = Thread { [done] in
            body()
            done.signal()
        }
        thread.name = name
        thread.stackSize = 4 << 20
        thread.start()
    }

    /// Waits for the end, up to `seconds`; tells whether it has come.
    func join(within seconds: Double) -> Bool {
        done.wait(timeout: .now() + seconds) == .success
    }
}
