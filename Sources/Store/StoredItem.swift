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
    /// An event that the broker is not known to have acknowledged.
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
