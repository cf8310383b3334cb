import Telemetry

/// Suspects this machine's clock when all positions are refused for their time.
///
/// A device whose clock is wrong is one of many; when nothing else comes, it is ours.
struct ClockSuspicion {
    /// Refusals in a row that raise it.
    private static let patience = 3
    private static let reasons = [RejectionReason.timeInFuture, .timeTooOld].map(\.rawValue)

    private var refusals = 0

    /// Whether the clock is suspected.
    var isRaised: Bool { refusals >= Self.patience }

    /// Notes what became of some entries.
    mutating func note(_ tally: FleetTally) {
        guard tally.accepted == 0 else {
            refusals = 0
            return
        }
        refusals += Self.reasons.reduce(0) { $0 + (tally.rejected[$1] ?? 0) }
    }

    /// Begins anew: the clock was set.
    mutating func reset() {
        refusals = 0
    }
}
