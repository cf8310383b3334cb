import Store

/// How the work with the database goes, and when to try again.
///
/// A pure value. Being let in is not enough to be well: where the work fails right after connecting, as
/// without a right or behind a proxy that hangs up, the pauses go on growing, and nobody is told each time.
struct StoreHealth {
    private let limits: StoreLimits
    private var pause = 0.0
    /// Seconds of uptime at which to connect again.
    private(set) var retryAt = 0.0
    /// Seconds of uptime of the last connecting; `nil` while there is no connection.
    private var connectedAt: Double?
    /// Whether the last connections were of no use.
    private(set) var isFailing = false

    init(_ limits: StoreLimits) {
        self.limits = limits
    }

    /// Notes a new connection.
    mutating func connect(at now: Double) {
        connectedAt = now
    }

    /// Notes that the database did what it was asked; returns whether it had not for some time.
    mutating func succeed(at now: Double) -> Bool {
        guard isFailing else {
            pause = 0
            return false
        }
        guard let connectedAt, now - connectedAt >= limits.calm else { return false }
        isFailing = false
        pause = 0
        return true
    }

    /// Notes a failure, which ends the connection; returns the seconds until the next one.
    mutating func fail(at now: Double) -> Double {
        if let connectedAt, now - connectedAt < limits.calm { isFailing = true }
        connectedAt = nil
        pause = min(max(pause * 2, limits.retryPause), limits.maxRetryPause)
        retryAt = now + pause
        return pause
    }
}

/// What keeps the database from doing its work.
enum StoreTrouble: Equatable {
    /// Nobody answers, or not yet.
    case away
    /// The server takes no writes.
    case readOnly
    /// It is there, and does not do what it is asked.
    case failing

    init(_ error: StoreError) {
        switch error.reason {
        case .unreachable, .starting: self = .away
        case .readOnly: self = .readOnly
        case .badConnectionString, .refusedCredentials, .noSuchDatabase, .wrongEncoding,
            .schemaMissing, .schemaOlder, .schemaNewer, .schemaUnreleased, .fenced,
            .checkpointMoved, .conflict, .dataRefused, .permission, .other:
            self = .failing
        }
    }

    /// What it is, for `/readyz`.
    var words: String {
        switch self {
        case .away: "is away"
        case .readOnly: "does not take writes"
        case .failing: "does not do its work"
        }
    }
}

extension Logger {
    /// Says what is wrong with the database; what needs a person with what to do.
    func tell(_ trouble: StoreTrouble, _ error: StoreError, retryIn pause: Double) {
        switch trouble {
        case .away:
            warning(
                "the database is away; positions are kept in the spool",
                ["error": error.message, "retry_in_s": pause])
        case .readOnly:
            warning(
                "the database does not take writes; positions are kept in the spool",
                ["error": error.description, "retry_in_s": pause])
        case .failing:
            self.error(
                "the database does not do its work; positions are kept in the spool",
                ["error": error.description, "retry_in_s": pause])
        }
    }
}
