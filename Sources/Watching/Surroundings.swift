/// What all watches of a fleet look at: the settings and the places in force.
public struct Surroundings: Sendable {
    /// The settings.
    public var settings: WatchSettings

    /// Creates surroundings without places.
    public init(settings: WatchSettings = WatchSettings()) {
        self.settings = settings
    }
}
