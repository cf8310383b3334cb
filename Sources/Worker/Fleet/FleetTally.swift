import Tracking
import Watching

/// Counts of what became of the entries.
struct FleetTally: Sendable {
    /// Messages of which at least one fix was understood.
    var accepted = 0
    /// Rejected messages, by reason.
    var rejected: [String: Int] = [:]
    /// Rejected elements of accepted batches, by reason.
    var rejectedElements: [String: Int] = [:]
    /// Ignored messages, by reason.
    var ignored: [String: Int] = [:]
    /// Fixes that were judged.
    var tracked = 0
    /// Fixes that are history only, by reason.
    var history: [HistoryReason: Int] = [:]
    /// Events, by type.
    var events: [String: Int] = [:]
    /// Commands that were carried out, by name.
    var commands: [String: Int] = [:]
    /// Commands that were refused, by reason.
    var refusals: [String: Int] = [:]
    /// Better routes that are no longer on offer, by why.
    var proposals: [String: Int] = [:]
    /// Places near a fix that were not tested: more than `limits.max_place_hits` are on one spot.
    var untestedPlaces = 0
    /// Entries that were not made, as the vehicle was in as many places as it can be.
    var entriesWithoutRoom = 0
    /// Reported speeds that were not believed.
    var implausibleSpeeds = 0

    /// Adds another tally's counts to this one's.
    mutating func add(_ other: FleetTally) {
        accepted += other.accepted
        rejected.merge(other.rejected, uniquingKeysWith: +)
        rejectedElements.merge(other.rejectedElements, uniquingKeysWith: +)
        ignored.merge(other.ignored, uniquingKeysWith: +)
        tracked += other.tracked
        history.merge(other.history, uniquingKeysWith: +)
        events.merge(other.events, uniquingKeysWith: +)
        commands.merge(other.commands, uniquingKeysWith: +)
        refusals.merge(other.refusals, uniquingKeysWith: +)
        proposals.merge(other.proposals, uniquingKeysWith: +)
        untestedPlaces += other.untestedPlaces
        entriesWithoutRoom += other.entriesWithoutRoom
        implausibleSpeeds += other.implausibleSpeeds
    }

    /// Counts what a watch could not do.
    mutating func note(_ outcome: WatchOutcome) {
        untestedPlaces += outcome.untested
        entriesWithoutRoom += outcome.withoutRoom
        if outcome.hasImplausibleSpeed { implausibleSpeeds += 1 }
    }
}
