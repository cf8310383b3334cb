import Console
import Foundation
import Store
import Synchronization
import Tracking
import Worker

/// Answers questions about the past from the database, on threads and connections of their own.
///
/// However slow the database is, nothing else waits for it: each thread has one question at a time, further
/// ones wait in line for as long as one may take, and those beyond are turned away.
final class HistoryBridge: ConsoleHistory {
    /// The bounds of what it may take.
    struct Limits {
        /// Questions that are answered at a time.
        var readers = 4
        /// Questions that wait.
        var waiting = 32
        /// Seconds that one may wait, and that its statement may take.
        var seconds = 5.0
        /// Rows of an answer.
        var rows = 50_000
        /// Seconds after which a connection without a question is closed.
        var idleSeconds = 60.0
    }

    private typealias Answer = @Sendable (HistoryAnswer) -> Void

    private struct Waiting: Sendable {
        var task: HistoryTask
        var since: ContinuousClock.Instant
        var answer: Answer
    }

    private struct State {
        var waiting: [Waiting] = []
        var isStopped = false
    }

    private let limits: Limits
    private let settings: StoreSettings
    private let log: Logger
    private let state = Mutex(State())
    private let work = DispatchSemaphore(value: 0)

    /// Starts the threads; the database is not asked before the first question.
    init(_ settings: StoreSettings, log: Logger, limits: Limits = Limits()) {
        self.limits = limits
        self.log = log
        var settings = settings
        settings.statementTimeout = limits.seconds
        settings.connectTimeout = limits.seconds
        self.settings = settings
        for _ in 0..<limits.readers {
            let thread = Thread { [self] in serve() }
            thread.name = "history"
            thread.start()
        }
    }

    func answer(
        _ question: HistoryQuestion, then answer: @escaping @Sendable (HistoryAnswer) -> Void
    ) {
        let task: HistoryTask
        do {
            task = try HistoryTask(question, now: SystemClock().now)
        } catch {
            return answer(error.answer)
        }
        let isTaken = state.withLock { state in
            guard !state.isStopped, state.waiting.count < limits.waiting else { return false }
            state.waiting.append(Waiting(task: task, since: .now, answer: answer))
            return true
        }
        if isTaken { work.signal() } else { answer(.busy) }
    }

    /// Ends the threads, each after its present question; who waits is turned away.
    func stop() {
        let waiting = state.withLock { state in
            state.isStopped = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for one in waiting { one.answer(.busy) }
        for _ in 0..<limits.readers { work.signal() }
    }

    private func serve() {
        let reader = HistoryReader(settings, rows: limits.rows, log: log)
        while true {
            if work.wait(timeout: .now() + limits.idleSeconds) == .timedOut {
                reader.close()
                continue
            }
            let (next, isStopped) = state.withLock { state in
                (state.waiting.isEmpty ? nil : state.waiting.removeFirst(), state.isStopped)
            }
            if isStopped { return }
            guard let next else { continue }
            let isLate = ContinuousClock.now - next.since > .seconds(limits.seconds)
            next.answer(isLate ? .busy : reader.answer(next.task))
        }
    }
}
