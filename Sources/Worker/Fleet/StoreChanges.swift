import Store
import Tracking

/// What a run of entries changed in the tables, not yet written.
///
/// What happens once is listed; what has a newest state is named, and its state is taken when the changes
/// are handed over: so a trip costs one row however many fixes it has seen.
struct StoreChanges: Sendable {
    /// The spool position of the first entry.
    var from: Int64
    /// The spool position after the last entry.
    var to: Int64
    var positions: [PositionRow] = []
    var events: [EventRow] = []
    var commands: [CommandRow] = []
    var rejected: [RejectedRow] = []
    var places: [PlaceRow] = []
    var placeCommands: [PlaceCommandRow] = []
    var visits: [VisitRow] = []
    var speedings: [SpeedingRow] = []
    var stops: [StopRow] = []
    var drives: [DriveRow] = []
    /// The newest state of each trip that changed, those that ended on the way first.
    var trips: [TripChange] = []
    /// The newest state of each vehicle that changed.
    var vehicles: [VehicleRow] = []
    /// The settings in force at the end; `nil` when they did not change.
    var settings: [UInt8]?

    /// A trip's newest state, and which of its rows it concerns.
    struct TripChange: Sendable {
        var trip: Trip
        var updatedAt: Timestamp
        var isNew: Bool
        var isRouteChanged: Bool
        var isEventful: Bool
    }

    init(from: Int64) {
        self.from = from
        to = from
    }

    /// About how many rows there are to write.
    var weight: Int {
        positions.count + events.count + rejected.count + commands.count + trips.count
            + places.count + placeCommands.count + visits.count + speedings.count + stops.count
            + drives.count
    }
}
