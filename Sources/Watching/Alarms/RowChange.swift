public import Geometry
public import Tracking

/// A change of the rows that tell what happened: each row is made when it begins, and completed once.
///
/// The rows are of the watch's vehicle; which trip it was on is for the owner of both to add.
public enum RowChange: Equatable, Sendable {
    /// A vehicle came into a place, or passed it: then the row is complete.
    case visit(Visit)
    /// A visit ended.
    case visitEnded(VisitEnd)
    /// A vehicle was too fast.
    case speeding(Speeding)
    /// It no longer is.
    case speedingEnded(SpeedingEnd)
    /// A vehicle stands.
    case stop(Stop)
    /// It drives again.
    case stopEnded(beganAt: Timestamp, endedAt: Timestamp, idle: Double?)
    /// It never stood: its row goes. Only the clock had taken it to, and the next fix was elsewhere.
    case stopWithdrawn(beganAt: Timestamp)
    /// A vehicle drives; or drove, where the row is complete.
    case drive(Drive)
    /// It stands, or is silent.
    case driveEnded(Drive)
}

/// A row of `visits` as it begins.
public struct Visit: Equatable, Sendable {
    /// The place.
    public var placeID: String
    /// The entry's `since`; of a pass, where the way came in.
    public var enteredAt: Timestamp
    /// `nil` while inside; of a pass, where the way went out.
    public var leftAt: Timestamp?
    /// When the way crossed the boundary inwards, where known.
    public var crossedInAt: Timestamp?
    /// When the way crossed the boundary outwards, where known.
    public var crossedOutAt: Timestamp?
    /// Why it began.
    public var enteredBy: PresenceReason
    /// Whether there was no fix inside: the place was only passed.
    public var isPass: Bool
    /// Number of the definition in force at the beginning.
    public var placeRevision: Int
    /// Metres driven inside so far.
    public var distance: Double
    /// The greatest reported speed so far, in metres per second; `nil` where none was reported.
    public var topSpeed: Double?

    /// Creates a row.
    public init(
        placeID: String, enteredAt: Timestamp, leftAt: Timestamp? = nil,
        crossedInAt: Timestamp? = nil, crossedOutAt: Timestamp? = nil, enteredBy: PresenceReason,
        isPass: Bool, placeRevision: Int, distance: Double, topSpeed: Double? = nil
    ) {
        self.placeID = placeID
        self.enteredAt = enteredAt
        self.leftAt = leftAt
        self.crossedInAt = crossedInAt
        self.crossedOutAt = crossedOutAt
        self.enteredBy = enteredBy
        self.isPass = isPass
        self.placeRevision = placeRevision
        self.distance = distance
        self.topSpeed = topSpeed
    }
}

/// How a row of `visits` is completed.
public struct VisitEnd: Equatable, Sendable {
    /// The place; with `enteredAt`, the row's key.
    public var placeID: String
    /// The entry's `since`.
    public var enteredAt: Timestamp
    /// The exit's `since`, never before `enteredAt`.
    public var leftAt: Timestamp
    /// When the way crossed the boundary outwards, where known.
    public var crossedOutAt: Timestamp?
    /// Why it ended.
    public var leftBy: PresenceReason
    /// Metres driven inside.
    public var distance: Double
    /// The greatest reported speed inside, in metres per second; `nil` where none was reported.
    public var topSpeed: Double?

    /// Creates an end.
    public init(
        placeID: String, enteredAt: Timestamp, leftAt: Timestamp, crossedOutAt: Timestamp? = nil,
        leftBy: PresenceReason, distance: Double, topSpeed: Double? = nil
    ) {
        self.placeID = placeID
        self.enteredAt = enteredAt
        self.leftAt = leftAt
        self.crossedOutAt = crossedOutAt
        self.leftBy = leftBy
        self.distance = distance
        self.topSpeed = topSpeed
    }
}

/// A row of `speedings` as it begins.
public struct Speeding: Equatable, Sendable {
    /// How it began; `since` is the row's key.
    public var start: SpeedingStart
    /// Where that was.
    public var location: Coordinate

    /// Creates a row.
    public init(start: SpeedingStart, location: Coordinate) {
        self.start = start
        self.location = location
    }
}

/// A row of `stops` as it begins.
public struct Stop: Equatable, Sendable {
    /// How it began; `since` is the row's key.
    public var start: StopStart
    /// Where the vehicle stands.
    public var location: Coordinate

    /// Creates a row.
    public init(start: StopStart, location: Coordinate) {
        self.start = start
        self.location = location
    }
}

/// A row of `drives`: what is known of it so far.
public struct Drive: Equatable, Sendable {
    /// Its beginning: the row's key.
    public var beganAt: Timestamp
    /// Its end; `nil` while it goes on.
    public var endedAt: Timestamp?
    /// Metres driven.
    public var distance: Double
    /// The greatest reported speed, in metres per second; `nil` where none was reported.
    public var topSpeed: Double?
    /// Whether nobody saw it: it joins two places that the vehicle was heard at.
    public var isEstimated: Bool
    /// Where it began.
    public var start: Coordinate
    /// Where it ended; `nil` while it goes on.
    public var end: Coordinate?
    /// How many usable fixes it has.
    public var fixes: Int

    /// Creates a row.
    public init(
        beganAt: Timestamp, endedAt: Timestamp? = nil, distance: Double, topSpeed: Double? = nil,
        isEstimated: Bool, start: Coordinate, end: Coordinate? = nil, fixes: Int
    ) {
        self.beganAt = beganAt
        self.endedAt = endedAt
        self.distance = distance
        self.topSpeed = topSpeed
        self.isEstimated = isEstimated
        self.start = start
        self.end = end
        self.fixes = fixes
    }
}
