public import Geometry
public import Tracking

/// Something that a watch tells of its vehicle.
public struct Alarm: Equatable, Sendable {
    /// 1, 2, 3 … for the vehicle, for ever and without gaps.
    public var sequence: Int64
    /// What is told.
    public var kind: Kind
    /// Time of the fix that caused it; otherwise of the reception of the command or of the clock's entry.
    public var time: Timestamp
    /// When what caused it was received.
    public var receivedAt: Timestamp
    /// Where the vehicle reported to be last; `nil` before its first usable fix.
    public var location: Coordinate?
    /// How it is known.
    public var basis: Basis

    /// Creates an alarm.
    public init(
        sequence: Int64, kind: Kind, time: Timestamp, receivedAt: Timestamp,
        location: Coordinate?, basis: Basis
    ) {
        self.sequence = sequence
        self.kind = kind
        self.time = time
        self.receivedAt = receivedAt
        self.location = location
        self.basis = basis
    }

    /// Seconds from its time to the reception of what caused it, 0 or more.
    public var delay: Double { max(receivedAt.elapsed(since: time), 0) }

    /// How an alarm is known: the member `by`.
    public enum Basis: String, CaseIterable, Sendable {
        /// From the reported place alone.
        case fix
        /// From the way along the trip's route.
        case route
        /// From the straight line between two fixes.
        case line
        /// From the time that has passed.
        case clock
        /// From a change of a place.
        case command
    }

    /// The kinds of alarms, each with what only it tells.
    public enum Kind: Equatable, Sendable {
        /// The vehicle is in a place.
        case placeEntered(PlaceEntry)
        /// The vehicle is no longer in a place.
        case placeExited(PlaceExit)
        /// The vehicle went through a place, or by a point, between two fixes.
        case placePassed(PlacePass)
        /// The vehicle has been in a place for its `dwell_s`.
        case placeDwelled(PlaceDwell)
        /// The vehicle comes near a place.
        case placeApproached(PlaceApproach)
        /// The vehicle is too fast, and has been so for long enough.
        case speedingStarted(SpeedingStart)
        /// The vehicle is no longer too fast.
        case speedingEnded(SpeedingEnd)
        /// The vehicle stands, and has done so for long enough.
        case stopStarted(StopStart)
        /// The vehicle drives again.
        case stopEnded(StopEnd)
        /// Nothing has come from the vehicle for long.
        case vehicleSilent(Silence)
        /// Something came from the vehicle after a silence that was told.
        case vehicleHeard(Silence)
    }
}

extension Alarm.Kind {
    /// The name that topics, rows and consumers know it by.
    public var type: String {
        switch self {
        case .placeEntered: "place_entered"
        case .placeExited: "place_exited"
        case .placePassed: "place_passed"
        case .placeDwelled: "place_dwelled"
        case .placeApproached: "place_approached"
        case .speedingStarted: "speeding_started"
        case .speedingEnded: "speeding_ended"
        case .stopStarted: "stop_started"
        case .stopEnded: "stop_ended"
        case .vehicleSilent: "vehicle_silent"
        case .vehicleHeard: "vehicle_heard"
        }
    }

    /// The place that it is about; `nil` where there is none.
    public var place: PlaceLabel? {
        switch self {
        case .placeEntered(let entry): entry.place
        case .placeExited(let exit): exit.place
        case .placePassed(let pass): pass.place
        case .placeDwelled(let dwell): dwell.place
        case .placeApproached(let approach): approach.place
        case .speedingStarted(let start): start.place
        case .speedingEnded(let end): end.start.place
        case .stopStarted(let start): start.place
        case .stopEnded(let end): end.start.place
        case .vehicleSilent, .vehicleHeard: nil
        }
    }
}
