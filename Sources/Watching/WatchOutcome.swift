/// What one input did to a watch.
public struct WatchOutcome: Equatable, Sendable {
    /// What is to be told, in the order in which it is told.
    public var alarms: [Alarm] = []
    /// What is to be written, in order.
    public var changes: [RowChange] = []
    /// Whether the fix did nothing; `nil` where it was judged, and for other inputs.
    public var objection: FixObjection?
    /// How many places near the fix were left untested: more than `WatchSettings.maxHits` are on one spot.
    public var untested = 0
    /// How many places around the fix went without an entry: the vehicle is in as many as it can be.
    public var withoutRoom = 0
    /// Whether a reported speed was ignored: the way driven makes it impossible.
    public var hasImplausibleSpeed = false

    /// Creates an outcome in which nothing happened.
    public init() {}
}
