import Tracking

/// A vehicle in a place, or about to be: rule W4.
struct Presence: Equatable, Sendable {
    /// Where the vehicle is by what was told.
    enum State: UInt8, Sendable {
        /// Outside: a fix said inside, and it has to last; the opposite ends it, time leads to `inside`.
        case entering
        /// Inside; a fix that says the opposite leads to `leaving`, or ends it at once.
        case inside
        /// Inside: a fix said outside, and it has to last; the opposite leads back to `inside`, time ends it.
        case leaving
    }

    /// The place's number.
    let number: Int32
    var state: State
    /// Why the vehicle came in.
    let entryReason: PresenceReason
    /// Why it is about to leave.
    var exitReason = PresenceReason.moved
    /// Whether the entry was told.
    var isEntryTold = false
    /// Whether the vehicle has dwelled.
    var hasDwelled = false
    /// Whether `crossing` is known from the route.
    var isCrossingByRoute = false
    /// Seconds from the fix before to the one with which the change began; not a number where there was none.
    var gap: Float
    /// The greatest reported speed inside, in metres per second; negative before any.
    var topSpeed: Float = -1
    /// Time of the first fix inside, or of the command.
    let enteredAt: Timestamp
    /// Time of the first fix outside.
    @Compact var leavingSince: Timestamp? = nil
    /// When the way crossed the boundary last: inwards while entering, outwards afterwards.
    @Compact var crossing: Timestamp? = nil
    /// Metres driven inside.
    var distance = 0.0

    /// Whether entering was told, or would have been but for the place's hours.
    var isInside: Bool { state != .entering }
}
