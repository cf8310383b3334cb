public import Geometry

/// A road that trips are to avoid: a roadblock in force, or a piece of a trip's own route that was closed for it.
public struct ClosedRoad: Sendable, Equatable {
    /// The place that closes it; `nil` of a trip's own.
    public var place: PlaceLabel?
    /// What is closed.
    public var closure: RoadClosure
    /// The profiles that it is closed for; `nil` for all.
    public var profiles: [TripOptions.Profile]?

    /// Creates a closed road.
    public init(place: PlaceLabel?, closure: RoadClosure, profiles: [TripOptions.Profile]? = nil) {
        self.place = place
        self.closure = closure
        self.profiles = profiles
    }

    /// Whether it is closed for a profile.
    func concerns(_ profile: TripOptions.Profile) -> Bool {
        profiles?.contains(profile) ?? true
    }
}
