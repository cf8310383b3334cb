import Geometry
import Tracking
import Watching

/// A watch that is led through a town's moments.
struct TownDrive {
    private(set) var watch = Watch(vehicleID: Town.vehicleID)
    private(set) var surroundings: Surroundings
    private(set) var alarms: [Alarm] = []
    private(set) var changes: [RowChange] = []

    init(_ town: Town) {
        surroundings = Surroundings(settings: town.settings)
        for place in town.places { surroundings.places.put(place) }
    }

    /// Leads a new watch through all of a town's moments.
    static func through(_ town: Town) -> TownDrive {
        var drive = TownDrive(town)
        for moment in town.moments { drive.take(moment) }
        return drive
    }

    mutating func take(_ moment: Town.Moment) {
        switch moment.event {
        case .fix(let fix, _): tell(.fix(WatchedFix(fix)), at: moment.receivedAt)
        case .put(let place):
            let change = surroundings.places.put(place)
            tell(.placePut(change), at: moment.receivedAt)
        case .delete(let id):
            tell(.placeDeleted(id: id), at: moment.receivedAt)
            surroundings.places.remove(id)
        case .clock: tell(.clock(trip: nil), at: moment.receivedAt)
        }
    }

    /// Packs the watch and takes it back, as at a restart.
    mutating func restart() throws {
        watch = try Watch(
            vehicleID: Town.vehicleID, decoding: watch.encode(in: surroundings), in: surroundings)
    }

    private mutating func tell(_ input: WatchInput, at time: Timestamp) {
        let outcome = watch.handle(input, at: time, in: surroundings)
        alarms += outcome.alarms
        changes += outcome.changes
    }
}
