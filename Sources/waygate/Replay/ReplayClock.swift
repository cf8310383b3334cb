import Telemetry
import Tracking

/// The clock's entries of a replay, each once it is due.
struct ReplayClock {
    private var rungAt = Scenario.longAgo

    /// Returns the entry that is due before a moment; `nil` for none.
    mutating func entry(of replay: Replay, before moment: Timestamp) -> Scenario.Step? {
        guard let deadline = replay.deadline, deadline > rungAt, deadline < moment else {
            return nil
        }
        rungAt = deadline
        return Scenario.Step(input: .clock, receivedAt: deadline)
    }
}
