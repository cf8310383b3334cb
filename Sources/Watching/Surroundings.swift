/// What all watches of a fleet look at: the settings and the places in force.
public struct Surroundings: Sendable {
    /// The settings.
    public var settings: WatchSettings
    /// The places.
    public var places: PlacesInForce

    /// Creates surroundings.
    public init(
        settings: WatchSettings = WatchSettings(), places: PlacesInForce = PlacesInForce()
    ) {
        self.settings = settings
        self.places = places
    }
}
