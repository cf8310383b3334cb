public import Geometry
public import Tracking

/// How a speed is known.
public enum SpeedBasis: String, CaseIterable, Sendable {
    /// The device reported it.
    case reported
    /// The way driven since an earlier fix cannot be driven slower.
    case distance
}

/// Where a speed limit comes from; of equal limits the first named counts.
public enum LimitSource: String, CaseIterable, Sendable {
    /// The smallest place around the vehicle that has one.
    case place
    /// The route's segment.
    case route
    /// The trip's options.
    case trip
    /// The settings of the fleet.
    case fleet
}

/// `speeding_started`.
public struct SpeedingStart: Equatable, Sendable {
    /// Metres per second.
    public var speed: Double
    /// How the speed is known.
    public var basis: SpeedBasis
    /// Metres per second.
    public var limit: Double
    /// Where the limit comes from.
    public var limitFrom: LimitSource
    /// The place whose limit it is; `nil` for other limits.
    public var place: PlaceLabel?
    /// When the vehicle was too fast first.
    public var since: Timestamp

    /// Creates a beginning.
    public init(
        speed: Double, basis: SpeedBasis, limit: Double, limitFrom: LimitSource,
        place: PlaceLabel? = nil, since: Timestamp
    ) {
        self.speed = speed
        self.basis = basis
        self.limit = limit
        self.limitFrom = limitFrom
        self.place = place
        self.since = since
    }
}

/// `speeding_ended`.
public struct SpeedingEnd: Equatable, Sendable {
    /// How it began; `speed` is that of the beginning.
    public var start: SpeedingStart
    /// Time of the last fix that was too fast.
    public var until: Timestamp
    /// Metres driven in between.
    public var distance: Double
    /// The greatest speed, in metres per second.
    public var topSpeed: Double
    /// The most above the limit, in metres per second.
    public var topExcess: Double
    /// Where that was.
    public var topLocation: Coordinate

    /// Creates an end.
    public init(
        start: SpeedingStart, until: Timestamp, distance: Double, topSpeed: Double,
        topExcess: Double, topLocation: Coordinate
    ) {
        self.start = start
        self.until = until
        self.distance = distance
        self.topSpeed = topSpeed
        self.topExcess = topExcess
        self.topLocation = topLocation
    }

    /// Seconds from `since` to `until`, 0 or more.
    public var duration: Double { max(until.elapsed(since: start.since), 0) }
}

/// `stop_started`.
public struct StopStart: Equatable, Sendable {
    /// When the vehicle stopped.
    public var since: Timestamp
    /// The smallest place around it; `nil` outside all.
    public var place: PlaceLabel?
    /// The via point that it stands at; `nil` at none.
    public var waypointIndex: Int?
    /// Whether it stands in a place or at a via point; `nil` without a trip.
    public var isPlanned: Bool?

    /// Creates a beginning.
    public init(
        since: Timestamp, place: PlaceLabel? = nil, waypointIndex: Int? = nil,
        isPlanned: Bool? = nil
    ) {
        self.since = since
        self.place = place
        self.waypointIndex = waypointIndex
        self.isPlanned = isPlanned
    }
}

/// `stop_ended`.
public struct StopEnd: Equatable, Sendable {
    /// How it began.
    public var start: StopStart
    /// When the vehicle drove on.
    public var until: Timestamp
    /// Seconds with the ignition on; `nil` where that was never reported.
    public var idle: Double?

    /// Creates an end.
    public init(start: StopStart, until: Timestamp, idle: Double? = nil) {
        self.start = start
        self.until = until
        self.idle = idle
    }

    /// Seconds from `since` to `until`, 0 or more.
    public var duration: Double { max(until.elapsed(since: start.since), 0) }
}
