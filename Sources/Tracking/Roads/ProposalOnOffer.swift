public import Geometry

/// A better route on offer, for those who show it.
public struct ProposalOnOffer: Sendable {
    /// As it was told.
    public var proposal: TripEvent.Proposal
    /// The route.
    public var line: RouteLine
}
