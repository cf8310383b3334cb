internal import Glibc
internal import Synchronization

/// A thread that does the same thing at regular intervals.
final class Ticker: Sendable {
    private final class Work: Sendable {
        let interval: UInt32
        let isStopping = Atomic(false)
        let body: @Sendable () -> Void

        init(interval: UInt32, body: @escaping @Sendable () -> Void) {
            self.interval = interval
            self.body = body
        }
    }

    private let work: Work
    private let thread: Mutex<pthread_t?>

    /// Starts to call `body`.
    ///
    /// - Throws: `ConsoleError.Reason.cannotStart` when there can be no further thread.
    init(milliseconds: Int, body: @escaping @Sendable () -> Void) throws(ConsoleError) {
        let work = Work(interval: UInt32(milliseconds) * 1_000, body: body)
        var thread = pthread_t()
        let context = Unmanaged.passRetained(work)
        let status = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                let work = Unmanaged<Work>.fromOpaque(context).takeRetainedValue()
                while !work.isStopping.load(ordering: .acquiring) {
                    work.body()
                    usleep(work.interval)
                }
                return nil
            }, context.toOpaque())
        guard status == 0 else {
            context.release()
            throw ConsoleError(
                reason: .cannotStart,
                message: "the console got no thread: \(String(cString: strerror(status)))")
        }
        self.work = work
        self.thread = Mutex(thread)
    }

    /// Returns when the thread has ended.
    func stop() {
        work.isStopping.store(true, ordering: .releasing)
        let thread = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        if let thread { pthread_join(thread, nil) }
    }
}
