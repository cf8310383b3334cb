import Store

/// The tables of places, and of what happened outside of trips, with the rules of the real ones.
struct SimulatedWatchTables: Equatable {
    struct VisitKey: Hashable {
        var vehicleID: String
        var placeID: String
        var enteredAt: Int64
    }

    struct EpisodeKey: Hashable {
        var vehicleID: String
        var beganAt: Int64
    }

    private(set) var places: [String: PlaceRow] = [:]
    private(set) var commands: [PlaceCommandRow] = []
    private(set) var visits: [VisitKey: VisitRow] = [:]
    private(set) var speedings: [EpisodeKey: SpeedingRow] = [:]
    private(set) var stops: [EpisodeKey: StopRow] = [:]
    private(set) var drives: [EpisodeKey: DriveRow] = [:]

    /// Writes the rows of a batch: what is known when something begins is not written again when it ends.
    mutating func write(_ batch: StoreBatch) {
        for row in batch.places { places[row.placeID] = row }
        commands += batch.placeCommands
        for var row in batch.visits {
            let key = VisitKey(
                vehicleID: row.vehicleID, placeID: row.placeID, enteredAt: row.enteredAt)
            row.beginning = row.beginning ?? visits[key]?.beginning
            visits[key] = row
        }
        for var row in batch.speedings {
            let key = EpisodeKey(vehicleID: row.vehicleID, beganAt: row.beganAt)
            if let earlier = speedings[key] { row.tripID = earlier.tripID }
            speedings[key] = row
        }
        for var row in batch.stops {
            let key = EpisodeKey(vehicleID: row.vehicleID, beganAt: row.beganAt)
            row.beginning = row.beginning ?? stops[key]?.beginning
            stops[key] = row.isWithdrawn ? nil : row
        }
        for var row in batch.drives {
            let key = EpisodeKey(vehicleID: row.vehicleID, beganAt: row.beganAt)
            if let earlier = drives[key] { row.tripID = earlier.tripID }
            drives[key] = row
        }
    }

    /// What a worker that starts reads of them.
    func load(_ handle: (StoredItem) -> Void) {
        for row in places.values {
            handle(
                .place(
                    StoredPlace(
                        placeID: row.placeID, revision: row.revision, definition: row.definition,
                        putAt: row.putAt, isDeleted: row.deletedAt != nil,
                        closedSince: row.closedSince)))
        }
        for row in commands where row.reason == nil {
            if let id = row.commandID {
                handle(.placeCommandID(placeID: row.placeID, commandID: id, at: row.receivedAt))
            }
        }
    }
}
