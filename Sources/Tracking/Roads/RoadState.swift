import Geometry

/// What a trip remembers of the roads: pieces closed for it, roadblocks it has to see to, and better routes.
///
/// Few trips have any of it.
struct RoadState: Sendable {
    /// How many pieces are kept closed for a trip; the oldest gives way.
    static let mostClosed = 16

    /// The pieces that are closed for this trip alone, oldest first.
    var closed: [ClosedRoad] = []
    /// Ids of roadblocks that a way around is to be asked for, as soon as a request may go out.
    var pending: [String] = []
    /// Ids of roadblocks that the request that is out takes care of.
    var asked: [String] = []
    /// Ids of roadblocks of which it was told that they lie ahead and cannot be avoided.
    var told: [String] = []
    /// Ids of roadblocks that the route in force was made to avoid.
    var avoided: [String] = []
    /// Reception time of the next question for a better route.
    @Compact var nextQuestion: Timestamp? = nil
    /// The better route on offer.
    var offer: Offer?
    /// Ways that are not offered again for a while.
    var declined: [DeclinedWay] = []

    /// Whether there is nothing to remember.
    var isEmpty: Bool {
        closed.isEmpty && pending.isEmpty && asked.isEmpty && told.isEmpty && avoided.isEmpty
            && nextQuestion == nil && offer == nil && declined.isEmpty
    }

    /// Takes back what the request that is out was to take care of: it brought nothing.
    mutating func reclaim() {
        pending = asked.filter { !pending.contains($0) } + pending
        asked = []
    }

    /// Forgets what it knows of roadblocks that are no more.
    mutating func forget(_ ids: [String]) {
        pending.removeAll(where: ids.contains)
        asked.removeAll(where: ids.contains)
        told.removeAll(where: ids.contains)
        avoided.removeAll(where: ids.contains)
    }

    /// A better route on offer.
    struct Offer: Sendable {
        /// As it was told.
        var proposal: TripEvent.Proposal
        /// The route.
        var record: RouteRecord
        /// Where it leaves the route in force, as that one's offset in metres.
        var branch: Double
    }

    /// A way that was declined, or passed by.
    struct DeclinedWay: Sendable {
        /// The way.
        var line: RouteLine
        /// Until when it is not offered.
        var until: Timestamp
    }
}
