/// Keeps one connection to the broker going: connects when due, and judges what became of it.
final class Link {
    enum Event {
        case connected(Connection.Acceptance)
        case connectFailed(MQTTError, retryIn: Double)
        case lost(MQTTError, retryIn: Double)
    }

    /// How long the broker may take to answer, in seconds.
    static let patience = 10.0

    private(set) var connection: Connection?
    /// Tells that the broker has accepted `connection`.
    private(set) var isUp = false
    private(set) var version: VersionChoice
    private let settings: MQTTSettings
    private let clientID: String
    private let isPersistent: Bool
    private let will: Will?
    /// Tells this process's connections from others'.
    private let run = UInt32.random(in: 0...UInt32.max)
    private var attempts = 0
    private var policy = ReconnectPolicy()
    private var nextAttempt = 0.0
    private var tryIPv4 = false
    private var isStopped = false

    init(clientID: String, settings: MQTTSettings, isPersistent: Bool, will: Will?) {
        self.clientID = clientID
        self.settings = settings
        self.isPersistent = isPersistent
        self.will = will
        version = VersionChoice(settings.version)
    }

    /// Marks the will of the current connection, so that it is known again.
    var willMark: String { "\(run)-\(attempts)" }

    /// Returns how long to sleep without a connection, in milliseconds, at most `limit`.
    func timeout(atMost limit: Int32) -> Int32 {
        guard !isStopped else { return limit }
        let left = max(0, nextAttempt - now()) * 1000
        return min(limit, Int32(min(left, 60_000).rounded(.up)))
    }

    /// Starts to connect where that is due; returns the failure where it fails at once.
    func open() -> Event? {
        let time = now()
        guard connection == nil, !isStopped, time >= nextAttempt else { return nil }
        do {
            attempts += 1
            connection = try Connection(
                clientID: clientID, settings: settings, version: version.current,
                isPersistent: isPersistent, will: will, willMark: willMark,
                bindAddress: tryIPv4 ? "0.0.0.0" : nil, deadline: time + Self.patience)
            return nil
        } catch {
            tryIPv4 = false
            return .connectFailed(error, retryIn: pause())
        }
    }

    /// Returns what has become of the connection since the last call, if anything.
    func settle() -> Event? {
        guard let connection else { return nil }
        switch connection.phase {
        case .standing(let acceptance):
            guard !isUp else { return nil }
            isUp = true
            version.worked()
            policy.connected(at: now())
            return .connected(acceptance)
        case .closed(let error):
            self.connection = nil
            guard isUp else { return failed(connection, error) }
            isUp = false
            version.lost()
            return .lost(error, retryIn: pause())
        case .reaching, .greeting:
            return nil
        }
    }

    /// Closes the socket without writing; connects again after a pause.
    func abandon() {
        guard connection != nil else { return }
        connection = nil
        isUp = false
        _ = pause()
    }

    /// Closes the socket, after a goodbye where `limit` in seconds allows one, for good.
    func stop(within limit: Double) {
        if isUp, limit > 0 { connection?.finish(within: limit) }
        connection = nil
        isUp = false
        isStopped = true
    }

    private func failed(_ connection: Connection, _ error: MQTTError) -> Event {
        // The system's first choice may be an IPv6 address that swallows everything.
        if case .unreachable = error.reason { tryIPv4 = !tryIPv4 && connection.isSilent }
        var changes = false
        if error.reason == .protocolVersion {
            changes = version.refused()
        } else if connection.hungUpEarly {
            changes = version.hungUp()
        }
        guard changes else { return .connectFailed(error, retryIn: pause()) }
        nextAttempt = now()
        // Another version is tried at once, so that this is not the end.
        return .connectFailed(
            MQTTError(reason: error.reason, message: error.message, isTransient: true), retryIn: 0)
    }

    private func pause() -> Double {
        let time = now()
        let pause = policy.pause(at: time, chance: .random(in: 0...1))
        nextAttempt = time + pause
        return pause
    }
}
