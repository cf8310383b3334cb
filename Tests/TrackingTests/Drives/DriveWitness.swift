import Geometry
import Tracking

/// Somebody who knows where the vehicle is, and counts what tracking tells wrongly.
struct DriveWitness {
    private(set) var trip: Trip
    private let length: Double
    private let stops: [Double]
    private var count = DriveTally(drives: 1)
    /// The indices of the via points that were told to be reached, in that order.
    private var reached: [Int] = []

    /// Starts the trip at second 0.
    init(_ assignment: Assignment, on line: RouteLine) throws {
        trip = try Trip.start(assignment, newest: nil, at: Timestamp(seconds: 0)).trip
        length = line.length
        stops = trip.waypoints.compactMap(\.offset)
    }

    /// What came of the drive so far.
    var tally: DriveTally {
        var tally = count
        tally.missed = max(stops.count - reached.count, 0)
        tally.outOfOrder += max(reached.count - stops.count, 0)
        tally.notArrived = trip.state == .arrived ? 0 : 1
        return tally
    }

    /// Has a fix tracked, of a vehicle that is so many metres along the route, and releases the hold that comes of it.
    mutating func see(_ fix: Fix, at offset: Double) {
        for event in trip.handle(.fix(fix), at: fix.time).events {
            switch event.kind {
            case .waypointReached(let waypoint, _, _):
                if waypoint.index != reached.count { count.outOfOrder += 1 }
                if offset < stops[waypoint.index] - 150 { count.early += 1 }
                reached.append(waypoint.index)
            case .willReroute: count.reroutes += 1
            case .arrived where offset < length - 150: count.early += 1
            default: break
            }
        }
        _ = trip.handle(.proceed(waypointIndex: nil), at: fix.time)
        if trip.isOver { return }
        count.places += 1
        let told = length - (trip.progress.remainingDistance ?? 0)
        if abs(told - offset) > 150 { count.wrong += 1 }
    }
}
