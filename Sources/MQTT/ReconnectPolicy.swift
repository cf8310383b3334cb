/// Decides how long to wait before the next attempt to connect.
///
/// A pure value. The pauses double up to a limit, each shortened by chance so that many workers do
/// not come back at once, and start over only after a connection has lasted: a broker that accepts
/// and hangs up at once is not asked again at full speed.
package struct ReconnectPolicy: Equatable, Sendable {
    /// The first pause, in seconds.
    package var shortest = 0.25
    /// No pause is longer, in seconds.
    package var longest = 10.0
    /// How long a connection must have stood for the pauses to start over, in seconds.
    package var lasting = 10.0

    private var failures = 0
    private var connectedAt: Double?

    package init() {}

    /// Notes that a connection stands since `time`, in seconds of any steady clock.
    package mutating func connected(at time: Double) {
        connectedAt = time
    }

    /// Returns the seconds to wait after a failed attempt or a lost connection.
    ///
    /// - Parameter chance: A random number from 0 to 1.
    package mutating func pause(at time: Double, chance: Double) -> Double {
        if let since = connectedAt, time - since >= lasting { failures = 0 }
        connectedAt = nil
        let limit = min(longest, shortest * Double(1 << min(failures, 20)))
        failures += 1
        return limit * (0.5 + 0.5 * min(max(chance, 0), 1))
    }
}
