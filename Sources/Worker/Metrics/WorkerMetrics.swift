import Routing
import Store
import Tracking

/// Counts and gauges of the running worker, as the stages keep them.
struct WorkerMetrics: Sendable {
    var tally = FleetTally()
    var redelivered = 0
    var activeRoadblocks = 0
    /// Connections lost, by which.
    ///
    /// Like the planner's answers they begin with 0: Prometheus sees no increase in a series' first value.
    var reconnects = ["intake": 0, "publish": 0]
    var isSubscribed = false
    var isPublisherConnected = false
    var isDatabaseConnected = false
    /// The database's time of day at uptime 0, in seconds; `nil` before it has told.
    var databaseOrigin: Double?
    /// Whether nothing old is deleted, as this machine's clock and the database's are a day apart.
    var isRetentionSuspended = false
    /// Whether all positions are refused for their time.
    var isClockSuspected = false
    /// What keeps it from being written; `nil` while nothing does.
    var databaseTrouble: String?
    var databaseFailures = 0
    var refusedRows = 0
    /// When the oldest input came that the database does not hold, in microseconds.
    var oldestUnsaved: Int64?
    var spoolBytes: Int64 = 0
    /// Why the spool cannot be written; `nil` when it can.
    var spoolError: String?
    /// How often that has begun.
    var spoolFailures = 0
    var publishBacklog = 0
    /// Messages that are not published since the broker refuses them, and those behind them in their lanes.
    var refusedBacklog = 0
    /// What the broker refuses: a topic, and its reason; `nil` when it takes everything.
    var refusal: String?
    /// Refusals by the broker, by the kind of the topic.
    var refusals = ["event": 0, "alarm": 0, "route": 0, "command": 0, "status": 0]
    /// Routes that were not published since they are larger than the broker takes.
    var routesLeftOut = 0
    var commits = 0
    var commitDuration = Histogram(bounds: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30])
    var storedPositions = 0
    /// From the reception of an input to the broker's acknowledgement of its event.
    var eventDelay = Histogram(bounds: [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5])
    var plannerAnswers = ["answered": 0, "failed": 0]
    /// Answers of engines to requests for a route, by engine.
    var plannerRounds: [String: Int] = [:]
    /// Routes that drive on closed roads which they were to avoid, by engine.
    var plannerBlocked: [String: Int] = [:]
    var plannerDuration = Histogram(bounds: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 20])

    /// Adds what became of a batch.
    mutating func add(_ tally: FleetTally) {
        self.tally.add(tally)
    }

    /// Seconds that two machines' clocks may differ without a word.
    static let tolerance = 60.0

    /// Seconds by which this machine's clock is ahead of the database's; `nil` before that has told.
    func clockDifference(_ clock: some WorkerClock) -> Double? {
        databaseOrigin.map { clock.now.seconds - clock.uptime - $0 }
    }

    /// Notes a transaction.
    mutating func committed(_ batch: StoreBatch, seconds: Double) {
        commits += 1
        storedPositions += batch.positions.count
        commitDuration.observe(seconds)
    }

    /// Begins to count what an engine answers.
    mutating func begin(with engine: String) {
        plannerRounds[engine] = 0
        plannerBlocked[engine] = 0
    }

    /// Notes a planner's answer.
    mutating func answered(_ answer: PlannerAnswer, by engine: String) {
        switch answer.result {
        case .success: plannerAnswers["answered", default: 0] += 1
        case .failure: plannerAnswers["failed", default: 0] += 1
        }
        plannerRounds[engine, default: 0] += answer.rounds
        plannerBlocked[engine, default: 0] += answer.isBlocked ? 1 : 0
        plannerDuration.observe(answer.latency)
    }
}

/// Counts of values in ranges, as Prometheus draws them.
struct Histogram: Sendable {
    /// Upper bounds of the ranges, ascending; the last range has none.
    let bounds: [Double]
    /// How many values fell in each range.
    private(set) var counts: [Int]
    private(set) var sum = 0.0

    init(bounds: [Double]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    mutating func observe(_ value: Double) {
        sum += value
        counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
    }
}
