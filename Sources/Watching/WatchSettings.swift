/// The settings of the watch for all vehicles of a worker, without those of single places.
///
/// Distances are metres, times seconds, speeds metres per second.
public struct WatchSettings: Equatable, Sendable {
    /// Fixes with a worse accuracy do nothing; 1 to 10,000.
    public var maxAccuracy = 100.0
    /// A faster move between two fixes is a spike, and a faster reported speed is not believed; 1 to 500.
    public var maxSpeed = 70.0
    /// How far a device's clock may be ahead of the reception; 0 or more.
    public var maxFutureSkew = 60.0
    /// How far beyond the boundary a vehicle has left a place that says nothing else; 0 to 1,000.
    public var exitMargin = 20.0
    /// How long a change must last before it is told, where a place says nothing else; 0 to 3,600.
    public var confirmation = 0.0
    /// After a longer gap the way between two fixes is not known; 0 (no passes at all) to 3,600.
    public var passGap = 120.0
    /// The speed limit of the whole fleet; above 0, at most 100; `nil` for none.
    public var speedLimit: Double?
    /// How much above a limit is tolerated; 0 to 30.
    public var speedOver = 1.4
    /// How much above a limit is tolerated as a share of it, where that is more; 0 to 1.
    public var speedOverRatio = 0.05
    /// How long a vehicle must be too fast; 0 to 600.
    public var speedDuration = 10.0
    /// After a longer gap nothing is known of the speed between two fixes; 5 to 600.
    public var speedGap = 120.0
    /// How far a standing vehicle's fixes may stray; 5 to 2,000.
    public var stopRadius = 50.0
    /// How long a vehicle must stand to have stopped; 10 to 86,400.
    public var stopDuration = 180.0
    /// A longer silence ends a drive; 60 to 604,800.
    public var silenceGap = 3600.0
    /// Whether stops are told as alarms too.
    public var tellsStops = false
    /// A longer silence of a vehicle is told; 0 (never) or 60 to 604,800.
    public var silence = 0.0
    /// How many places a fix is tested against exactly; 1 or more.
    public var maxHits = 4096

    /// Creates the defaults.
    public init() {}
}
