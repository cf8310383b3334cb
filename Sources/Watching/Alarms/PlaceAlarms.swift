public import Tracking

/// Why a vehicle is, or is no longer, in a place.
public enum PresenceReason: String, CaseIterable, Sendable {
    /// It moved.
    case moved
    /// It was there when it was first heard of; for entries only.
    case firstFix = "first_fix"
    /// The place was made or changed.
    case placePut = "place_put"
    /// The place was deleted; for exits only.
    case placeDeleted = "place_deleted"
    /// It changed the floor.
    case level
}

/// `place_entered`.
public struct PlaceEntry: Equatable, Sendable {
    /// The place.
    public var place: PlaceLabel
    /// Why.
    public var reason: PresenceReason
    /// Time of the first fix inside, or of the command.
    public var since: Timestamp
    /// When the way crossed the boundary, as far as it is known.
    public var crossedAt: Timestamp?
    /// Seconds from the fix before to the first one inside; `nil` where there was none, and for commands.
    public var gap: Double?

    /// Creates an entry.
    public init(
        place: PlaceLabel, reason: PresenceReason, since: Timestamp, crossedAt: Timestamp? = nil,
        gap: Double? = nil
    ) {
        self.place = place
        self.reason = reason
        self.since = since
        self.crossedAt = crossedAt
        self.gap = gap
    }
}

/// `place_exited`.
public struct PlaceExit: Equatable, Sendable {
    /// The place.
    public var place: PlaceLabel
    /// Why.
    public var reason: PresenceReason
    /// Time of the first fix outside, or of the command.
    public var since: Timestamp
    /// When the way crossed the boundary, as far as it is known.
    public var crossedAt: Timestamp?
    /// Seconds from the fix before to the first one outside; `nil` for commands.
    public var gap: Double?
    /// The entry's `since`.
    public var enteredAt: Timestamp
    /// Whether the entry was told: a window may have kept it back.
    public var isEntryTold: Bool
    /// Metres beyond the boundary, 0 or more; 0 where the level, a delete or the names decided.
    public var distance: Double

    /// Creates an exit.
    public init(
        place: PlaceLabel, reason: PresenceReason, since: Timestamp, crossedAt: Timestamp? = nil,
        gap: Double? = nil, enteredAt: Timestamp, isEntryTold: Bool, distance: Double
    ) {
        self.place = place
        self.reason = reason
        self.since = since
        self.crossedAt = crossedAt
        self.gap = gap
        self.enteredAt = enteredAt
        self.isEntryTold = isEntryTold
        self.distance = distance
    }

    /// Seconds inside, 0 or more.
    public var inside: Double { max(since.elapsed(since: enteredAt), 0) }
}

/// `place_passed`.
public struct PlacePass: Equatable, Sendable {
    /// How much of the place was passed, or how near.
    public enum Extent: Equatable, Sendable {
        /// Metres of way inside an area; 0 for a gate.
        case chord(Double)
        /// Metres from a point where the vehicle was nearest.
        case nearest(Double)
    }

    /// The place.
    public var place: PlaceLabel
    /// When the way came in, or was nearest.
    public var crossedInAt: Timestamp
    /// When the way went out, or was nearest.
    public var crossedOutAt: Timestamp
    /// How much of it, or how near.
    public var extent: Extent
    /// Seconds between the two fixes.
    public var gap: Double

    /// Creates a pass.
    public init(
        place: PlaceLabel, crossedInAt: Timestamp, crossedOutAt: Timestamp, extent: Extent,
        gap: Double
    ) {
        self.place = place
        self.crossedInAt = crossedInAt
        self.crossedOutAt = crossedOutAt
        self.extent = extent
        self.gap = gap
    }
}

/// `place_dwelled`.
public struct PlaceDwell: Equatable, Sendable {
    /// The place.
    public var place: PlaceLabel
    /// The entry's `since`.
    public var enteredAt: Timestamp
    /// Seconds inside in the vehicle's own time, 0 or more.
    public var inside: Double

    /// Creates a dwell.
    public init(place: PlaceLabel, enteredAt: Timestamp, inside: Double) {
        self.place = place
        self.enteredAt = enteredAt
        self.inside = inside
    }
}

/// `place_approached`.
public struct PlaceApproach: Equatable, Sendable {
    /// The place.
    public var place: PlaceLabel
    /// Metres to it: along the route, or to its boundary.
    public var distance: Double
    /// When the vehicle gets there; `nil` where it cannot be told.
    public var eta: Timestamp?

    /// Creates an approach.
    public init(place: PlaceLabel, distance: Double, eta: Timestamp? = nil) {
        self.place = place
        self.distance = distance
        self.eta = eta
    }
}

/// `vehicle_silent` and `vehicle_heard`.
public struct Silence: Equatable, Sendable {
    /// Time of the last usable fix before it.
    public var lastTime: Timestamp
    /// Seconds since that was received, 0 or more.
    public var duration: Double

    /// Creates a silence.
    public init(lastTime: Timestamp, duration: Double) {
        self.lastTime = lastTime
        self.duration = duration
    }
}
