/// The one request for a route that may be out, and the pause after failures: rule 8.
struct RequestLine: Equatable, Sendable {
    /// A request that has not been answered.
    struct Open: Equatable, Sendable {
        var question: RouteRequest
        /// The reception that led to it.
        var since: Timestamp

        /// What it was made for.
        var purpose: RouteRequest.Purpose { question.purpose }
    }

    /// The longest pause, in seconds.
    private static let longestPause = 600.0

    /// The last number that was given.
    private(set) var lastNumber = 0
    /// The request that is out.
    @Seldom private(set) var open: Open? = nil
    /// The reception time before which no request goes out by itself.
    @Compact private(set) var pausedUntil: Timestamp? = nil
    /// Failures in a row.
    private(set) var failures = 0
    /// The reception of a route on which no fix has been judged yet.
    @Compact private(set) var trial: Timestamp? = nil

    init() {}

    init(
        lastNumber: Int, open: Open?, pausedUntil: Timestamp?, failures: Int, trial: Timestamp?
    ) {
        self.lastNumber = lastNumber
        self.open = open
        self.pausedUntil = pausedUntil
        self.failures = failures
        self.trial = trial
    }

    /// Whether a route is needed and being asked for: a question for a better one gives way to any other.
    var isOut: Bool { open.map { $0.purpose != .better } ?? false }

    /// Whether a request may go out by itself at the reception time `now`.
    func mayAsk(at now: Timestamp) -> Bool {
        !isOut && now >= (pausedUntil ?? now)
    }

    /// The number that the next request gets.
    var nextNumber: Int { lastNumber + 1 }

    /// Sends a request out.
    ///
    /// The roads that it is to avoid are not kept with it: they are the worker's, which knows the newest.
    mutating func ask(_ question: RouteRequest, at now: Timestamp) {
        lastNumber = question.number
        var kept = question
        kept.avoid = []
        open = Open(question: kept, since: now)
    }

    /// Takes the request back; its answer will be a stale one.
    mutating func withdraw() {
        open = nil
    }

    /// Notes that the request failed, which begins a pause.
    mutating func fail(at now: Timestamp, interval: Double) {
        open = nil
        pause(from: now, interval: interval)
    }

    private mutating func pause(from now: Timestamp, interval: Double) {
        var pause = interval
        for _ in 0..<min(failures, 16) { pause *= 2 }
        failures += 1
        pausedUntil = now.advanced(by: min(pause, max(Self.longestPause, interval)))
    }

    /// Takes the request back, as a route has come; the next judged fix tells what it is worth.
    mutating func tryOut(at now: Timestamp) {
        open = nil
        trial = now
    }

    /// Notes whether the first fix that is judged on a new route is on it.
    ///
    /// One that is off counts as a failure when the route came: else a vehicle in a yard far from any road would
    /// ask with every fix.
    mutating func judgeTrial(isOn: Bool, interval: Double) {
        guard let begun = trial else { return }
        trial = nil
        if isOn { calmDown() } else { pause(from: begun, interval: interval) }
    }

    /// Ends the pause and its growth: the vehicle is back, or on a new route.
    mutating func calmDown() {
        pausedUntil = nil
        failures = 0
    }
}
