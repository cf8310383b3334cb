import MQTT
import Synchronization

/// What the stages know of each other: positions, signals, counters, and whether the worker is stopping.
///
/// Whole batches are handed over elsewhere; here are only numbers that any stage may read at any time.
package final class WorkerState: Sendable {
    package let log: Logger
    /// The newest spooled batches.
    package let tail: SpoolTail
    /// The worker's own inputs.
    package let inbox = Inbox()
    /// What goes to the broker.
    package let outgoing: PublishQueue
    /// What dashboards should find at the broker again.
    let reannouncement = ReannouncementRequest()
    /// What goes to the tables.
    package let handover = StoreHandover()
    /// What the broker has acknowledged.
    let acknowledgements = Acknowledgements()
    /// What other threads want to know of the fleet.
    package let queries = FleetQueries()
    /// What goes to the planner.
    package let questions = QuestionQueue()
    /// Wakes the tracking stage.
    package let tracking = Signal()
    /// Wakes the store stage.
    package let store = Signal()
    /// Whether the stages move.
    let pulse = Pulse()
    let metrics = Mutex(WorkerMetrics())
    /// Since when vehicles and dispatchers are heard.
    let listening = Mutex(Listening())

    private let tracked = Atomic<Int64>(-1)
    private let saved = Atomic<Int64>(0)
    private let published = Atomic<Int64>(0)
    private let oldest = Atomic<Int64>(0)
    private let triedStore = Atomic<Bool>(false)
    private let finished = Atomic<Int>(0)
    private let stopping = Atomic<Bool>(false)
    private let ready = Atomic<Bool>(false)
    private let failure = Mutex<String?>(nil)

    /// Creates the state of a worker whose spool ends at `end`.
    package init(log: Logger, end: Int64, maxOutgoing: Int = 20_000) {
        self.log = log
        tail = SpoolTail(end: end)
        outgoing = PublishQueue(capacity: maxOutgoing)
    }

    /// The entry that tracking takes next; `nil` before it has its state.
    package var trackedPosition: Int64? {
        get {
            let position = tracked.load(ordering: .acquiring)
            return position < 0 ? nil : position
        }
        set { tracked.store(newValue ?? -1, ordering: .releasing) }
    }

    /// How many spooled entries tracking has not taken; 0 before it has its state.
    package var trackingBacklog: Int64 {
        guard let trackedPosition else { return 0 }
        return tail.end - trackedPosition
    }

    /// The spool position that the tables hold and whose publications are acknowledged: what lies before it
    /// is not needed any more.
    package var savedPosition: Int64 {
        get { saved.load(ordering: .acquiring) }
        set { saved.store(newValue, ordering: .releasing) }
    }

    /// The spool position up to which everything published has reached the broker.
    var publishedPosition: Int64 {
        get { published.load(ordering: .acquiring) }
        set { published.store(newValue, ordering: .releasing) }
    }

    /// The position of the oldest entry in the spool.
    var spoolStart: Int64 {
        get { oldest.load(ordering: .acquiring) }
        set { oldest.store(newValue, ordering: .releasing) }
    }

    /// Whether the database was asked for once, with whatever outcome.
    var hasTriedStore: Bool {
        get { triedStore.load(ordering: .acquiring) }
        set { triedStore.store(newValue, ordering: .releasing) }
    }

    /// A stage that others wait for when the worker stops.
    enum Milestone: Int {
        case intake = 1
        case tracking = 2
        case publish = 4
    }

    /// Notes that a stage has come to its end.
    func finish(_ milestone: Milestone) {
        finished.bitwiseOr(milestone.rawValue, ordering: .acquiringAndReleasing)
        for signal in [tracking, outgoing.signal, store] { signal.raise() }
    }

    /// Whether a stage has come to its end.
    func hasFinished(_ milestone: Milestone) -> Bool {
        finished.load(ordering: .acquiring) & milestone.rawValue != 0
    }

    /// Whether the worker takes nothing new.
    package var isStopping: Bool { stopping.load(ordering: .acquiring) }

    /// Whether the trips' state is loaded and the spool worked through once.
    package var isTracking: Bool {
        get { ready.load(ordering: .acquiring) }
        set { ready.store(newValue, ordering: .releasing) }
    }

    /// Asks all stages to finish.
    package func stop() {
        stopping.store(true, ordering: .releasing)
        for signal in [inbox.signal, tracking, store, outgoing.signal, questions.signal] {
            signal.raise()
        }
    }

    /// Ends the worker for a reason that waiting cannot heal; the first reason counts.
    package func fail(_ reason: String) {
        failure.withLock { $0 = $0 ?? reason }
        stop()
    }

    /// Why the worker had to end; `nil` when it was asked to.
    package var failureReason: String? { failure.withLock { $0 } }
}

extension WorkerState {
    /// Notes that the broker is away; ends the worker where waiting will not help.
    func report(_ error: MQTTError, retryIn: Double) {
        guard error.isTransient else {
            return fail("the broker refuses this worker: \(error.message)")
        }
        guard retryIn > 0 else {
            return log.info("the broker does not take MQTT 5; trying 3.1.1")
        }
        log.warning(
            "the broker is away", about: error.message,
            ["error": error.message, "retry_in_s": (retryIn * 10).rounded() / 10])
    }

    /// Waits until the database was asked for once, up to `seconds`.
    func waitForStore(seconds: Double, _ clock: some WorkerClock) {
        let deadline = clock.uptime + seconds
        let pause = Signal()
        while !hasTriedStore, !isStopping, clock.uptime < deadline { pause.wait(seconds: 0.02) }
    }
}
