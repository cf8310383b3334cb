/// Decides which MQTT to speak at the next attempt.
///
/// A pure value. With `auto`, 5 comes first. A broker that does not know it may say so, or hang up
/// without a word (RabbitMQ 3.10 does). The refusal changes the version for good, the hanging up only
/// until the connection is lost: a broker that is just being stopped looks the same. Where a version
/// has worked, hanging up once says nothing yet.
package struct VersionChoice: Equatable, Sendable {
    /// The version to try next: 5, or 4 for 3.1.1 as on the wire.
    package private(set) var current: Int32
    private let isFixed: Bool
    private var hasWorked = false
    private var isGuess = false
    private var hangUps = 0

    package init(_ version: MQTTSettings.ProtocolVersion) {
        current = version == .v311 ? 4 : 5
        isFixed = version != .auto
    }

    /// Notes that the broker accepted the current version.
    package mutating func worked() {
        hasWorked = true
        hangUps = 0
    }

    /// Notes that the broker refused the version; returns whether to try the other one at once.
    package mutating func refused() -> Bool {
        change(isGuess: false)
    }

    /// Notes that the broker hung up before it answered; returns whether to try the other at once.
    package mutating func hungUp() -> Bool {
        hangUps += 1
        return hangUps >= (hasWorked ? 2 : 1) && change(isGuess: true)
    }

    /// Notes that a connection was lost that the broker had accepted.
    package mutating func lost() {
        if isGuess, current == 4 { _ = change(isGuess: false) }
    }

    private mutating func change(isGuess: Bool) -> Bool {
        hangUps = 0
        guard !isFixed else { return false }
        current = current == 5 ? 4 : 5
        hasWorked = false
        self.isGuess = isGuess
        return current == 4
    }
}
