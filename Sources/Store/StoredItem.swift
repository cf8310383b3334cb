/// Something that a start reads back.
package enum StoredItem: Equatable, Sendable {
    /// A vehicle.
    case vehicle(VehicleRow)
    /// A trip that has not ended.
    case trip(StoredTrip)
    /// A trip id that the vehicle was given once, its active trip's included, and when it was in use.
    case usedTripID(vehicleID: String, tripID: String, at: Microseconds)
    /// A command that was carried out and must not be again, and when.
    case commandID(vehicleID: String, commandID: String, at: Microseconds)
    /// A command for a place that was carried out and must not be again, and when.
    case placeCommandID(placeID: String, commandID: String, at: Microseconds)
    /// A place, also a deleted one.
    case place(StoredPlace)
    /// An event or alarm that the broker is not known to have acknowledged.
    case unpublishedEvent(EventRow)
}

/// A trip as it was committed last.
package struct StoredTrip: Equatable, Sendable {
    /// The row, without the columns that recovery has no use for: `assignment` and `route` are `nil`.
    package var row: TripRow
    /// The assignment as it was packed.
    package var assignment: [UInt8]
    /// The route as it was packed; `nil` before the first.
    package var route: [UInt8]?
    /// The state as it was packed; `nil` when no progress was ever written.
    package var state: [UInt8]?

    package init(row: TripRow, assignment: [UInt8], route: [UInt8]? = nil, state: [UInt8]? = nil) {
        self.row = row
        self.assignment = assignment
        self.route = route
        self.state = state
    }
}

/// A place as it was committed last.
package struct StoredPlace: Equatable, Sendable {
    package var placeID: String
    package var revision: Int
    /// What was put, a JSON object as text.
    package var definition: String
    package var putAt: Microseconds
    package var isDeleted: Bool
    /// Since when it closes roads; `nil` where it does not.
    package var closedSince: Microseconds?

    package init(
        placeID: String, revision: Int, definition: String, putAt: Microseconds,
        isDeleted: Bool = false, closedSince: Microseconds? = nil
    ) {
        self.placeID = placeID
        self.revision = revision
        self.definition = definition
        self.putAt = putAt
        self.isDeleted = isDeleted
        self.closedSince = closedSince
    }
}
