import Geometry
import Tracking

/// What becomes true of a vehicle that stops and drives.
enum JournalChange: Equatable, Sendable {
    /// It stands, and has done so for long enough.
    case stopBegan(Stop)
    /// It no longer stands; after 0 s, where only the clock took it to, there was no stop.
    case stopEnded(StopEnd)
    /// It drives.
    case driveBegan(Drive)
    /// It no longer drives.
    case driveEnded(Drive)
    /// It has driven, and that is known only now.
    case drove(Drive)
}

/// Where a stop is, for those who plan: rule J6.
struct StopFacts: Equatable, Sendable {
    /// The smallest place around the vehicle; `nil` outside all.
    var place: PlaceLabel?
    /// The via point that it stands at; `nil` at none.
    var waypointIndex: Int?
    /// Whether it is on a trip.
    var isOnTrip = false

    /// Whether it stands where it should; `nil` without a trip.
    var isPlanned: Bool? {
        isOnTrip ? place != nil || waypointIndex != nil : nil
    }
}

/// What is around a vehicle that may turn out to have stopped.
struct StopScene: Sendable {
    /// The smallest place around it.
    let place: PlaceInForce?
    /// The trip that it is on.
    let trip: TripView?

    /// What is where it stopped.
    func facts(at location: Coordinate) -> StopFacts {
        var facts = StopFacts(place: place?.label, isOnTrip: trip != nil)
        guard let trip else { return facts }
        let distances = trip.viaPoints.map { location.distance(to: $0.coordinate) }
        let nearest = distances.indices.min { distances[$0] < distances[$1] }
        facts.waypointIndex = nearest.flatMap {
            distances[$0] <= trip.options.arrivalRadius ? $0 : nil
        }
        return facts
    }
}
