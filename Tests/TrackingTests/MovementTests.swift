import Geometry
import Recordings
import Testing
import Tracking

/// Real movement along routes made from it: no stop is missed, and nothing is told that is not so.
@Suite struct MovementTests {
    /// What went wrong in a replay.
    struct Count: Equatable {
        var missedStops = 0
        var falseReroutes = 0
        var earlyArrivals = 0
        var missedArrivals = 0
    }

    static let recordings = (try? Recording.all()) ?? []

    @Test func allAreThere() {
        #expect(Self.recordings.count == 18)
        #expect(Self.recordings.allSatisfy { $0.points.count > 5 })
    }

    /// Whether the recording is at its end before it ends, so that an arrival then is right by the rules.
    ///
    /// The walk stands within 40 m of its end for seven minutes, then goes round it for 400 m more: it has arrived by
    /// standing. The simulated vehicle 0 passes its end at 18 m with 500 m to go, within the limit of 500 m.
    private static func passesItsEnd(_ recording: Recording, limit: Double) -> Bool {
        recording.name == "cerknicko-jezero.gpx"
            || recording.name == "simulated vehicle 0" && limit == 500
    }

    // 12 m of noise are below the 15 m that rule 5 allows between two passes; 30 m are a bad receiver's in a street.
    @Test(arguments: recordings, [1.0, 2, 5, 10, 20, 30, 45, 60])
    func nothingIsMissedOrMadeUp(recording: Recording, interval: Double) throws {
        for noise in [0.0, 12, 30] {
            for waits in [true, false] {
                for (radius, limit) in [(50.0, 500.0), (30, 100)] {
                    var options = TripOptions()
                    options.waitsAtWaypoints = waits
                    options.arrivalRadius = radius
                    options.deviationDistance = limit
                    var count = try replay(recording, interval, noise, options)
                    if Self.passesItsEnd(recording, limit: limit) { count.earlyArrivals = 0 }
                    #expect(
                        count == Count(),
                        "noise \(noise) m, radius \(radius) m, limit \(limit) m, waits: \(waits)")
                }
            }
        }
    }

    private func replay(
        _ recording: Recording, _ interval: Double, _ noise: Double, _ options: TripOptions
    ) throws -> Count {
        let route = recording.route()
        let line = try #require(RouteLine(route))
        let stops = [0.2, 0.4, 0.6, 0.8].map { line.point(at: $0 * line.length) }
        let assignment = Assignment(
            tripID: "trip", vehicleID: "vehicle", route: ProvidedRoute(coordinates: route),
            viaPoints: stops.map { Target(coordinate: $0) }, options: options)
        var trip = try Trip.start(assignment, newest: nil, at: Timestamp(seconds: 0)).trip
        var random = SeededGenerator(seed: UInt64(interval) * 1000 + UInt64(noise))
        var count = Count()
        var reached: [Int] = []
        // Held at every stop, and at the end long enough for arrival by standing.
        let standing = stops.count + 2 + Int(options.arrivalDwell / interval)
        for sample in recording.samples(every: interval, standing: standing) {
            let fix = Fix(
                time: Timestamp(seconds: sample.seconds),
                coordinate: random.place(near: sample.coordinate, within: noise))
            for event in trip.handle(.fix(fix), at: fix.time).events {
                switch event.kind {
                case .waypointReached(let waypoint, _, _): reached.append(waypoint.index)
                case .willReroute: count.falseReroutes += 1
                default: break
                }
            }
            _ = trip.handle(.proceed(waypointIndex: nil), at: fix.time)
            let end = line.point(at: line.length)
            let distance = sample.coordinate.distance(to: end)
            if trip.state == .arrived, distance > 2 * options.arrivalRadius + noise {
                // It goes away again: that was not the arrival.
                count.earlyArrivals = 1
            }
        }
        count.missedStops = reached == Array(stops.indices) ? 0 : stops.count - reached.count
        count.missedArrivals = trip.state == .arrived ? 0 : 1
        return count
    }
}
