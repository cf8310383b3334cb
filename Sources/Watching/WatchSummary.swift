public import Tracking

/// Where a vehicle stands with the places and limits around it, for those who show it.
public struct WatchSummary: Equatable, Sendable {
    /// The ids of the places that it is in, the smallest first.
    public var places: [String]
    /// The speed limit at its newest usable fix, in metres per second; `nil` where none is known.
    public var speedLimit: Double?
    /// Whether a speeding that was told goes on.
    public var isSpeeding: Bool
    /// Since when it stands; `nil` while it drives, or where that is not known.
    public var stoppedSince: Timestamp?

    /// Creates the summary of a vehicle of which nothing is known.
    public init() {
        places = []
        isSpeeding = false
    }
}

extension Watch {
    /// Where the vehicle stands.
    public func summary(in surroundings: Surroundings) -> WatchSummary {
        var summary = WatchSummary()
        summary.places = placesInside(in: surroundings)
        summary.speedLimit = speedLimit
        summary.isSpeeding = isSpeeding
        summary.stoppedSince = stoppedSince
        return summary
    }
}
