public import Tracking

/// A fix as a watch takes it, with what others know of it.
public struct WatchedFix: Sendable {
    /// What the device reported.
    public var fix: Fix
    /// Whether the ignition was on; `nil` where it was not reported.
    public var ignition: Bool?
    /// The trip that the vehicle is on, as the fix found it; `nil` without one.
    public var trip: TripView?

    /// Creates a watched fix.
    public init(_ fix: Fix, ignition: Bool? = nil, trip: TripView? = nil) {
        self.fix = fix
        self.ignition = ignition
        self.trip = trip
    }
}

/// What can happen to a watch; each comes with the time of its reception.
public enum WatchInput: Sendable {
    /// A device reported a position; those of one message come in the order of their times.
    case fix(WatchedFix)
    /// A place was made or changed, and is in force as it is now.
    case placePut(PlaceChange)
    /// A place is about to be deleted, and still in force.
    case placeDeleted(id: String)
    /// The clock says that a deadline may have come, with the trip that the vehicle is on; what newer fixes have
    /// overtaken does nothing.
    case clock(trip: TripView?)
}
