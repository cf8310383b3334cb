import Geometry
import Recordings
import Testing
import Tracking

/// A recorded drive along the route made from it, seen by a bad receiver: where the vehicle was on it is known.
struct RecordedDrive {
    private let samples: [(seconds: Double, offset: Double, coordinate: Coordinate)]
    private let line: RouteLine
    private let assignment: Assignment

    /// Prepares a drive past two via points, seen every so many seconds, and five minutes longer at its end.
    init(_ recording: Recording, every interval: Double) throws {
        let line = try #require(RouteLine(recording.route()))
        let truth = Self.offsets(of: recording)
        let standing = Int(max(300, 8 * interval) / interval)
        let end = recording.points.last?.seconds ?? 0
        self.line = line
        samples = recording.samples(every: interval, standing: standing).map { sample in
            let offset =
                sample.seconds < end ? Self.offset(at: sample.seconds, in: truth) : line.length
            return (sample.seconds, offset, sample.coordinate)
        }
        var options = TripOptions()
        options.deviationDistance = 150
        options.waitsAtWaypoints = false
        assignment = Assignment(
            tripID: "trip", vehicleID: "vehicle",
            route: ProvidedRoute(coordinates: recording.route()),
            viaPoints: [0.3, 0.7].map { Target(coordinate: line.point(at: $0 * line.length)) },
            options: options)
    }

    /// Has the drive tracked with errors that last 20 s, and tells what came of it.
    ///
    /// - Parameter sigma: Standard deviation of the error to each side, in metres.
    func track(sigma: Double, seed: UInt64) throws -> DriveTally {
        var random = SeededGenerator(seed: seed)
        var receiver = Receiver(sigma: sigma, lasting: 20, &random)
        var witness = try DriveWitness(assignment, on: line)
        var before = 0.0
        for sample in samples where !witness.trip.isOver {
            receiver.wait(sample.seconds - before, &random)
            before = sample.seconds
            let fix = Fix(
                time: Timestamp(seconds: sample.seconds),
                coordinate: receiver.report(sample.coordinate))
            witness.see(fix, at: sample.offset)
        }
        return witness.tally
    }

    /// How far along its route the vehicle was at each point: at most 15 m farther than this.
    private static func offsets(of recording: Recording) -> [(seconds: Double, offset: Double)] {
        var offset = 0.0
        var last = recording.points.first?.coordinate
        return recording.points.map { point in
            if let place = last, place.distance(to: point.coordinate) >= 15 {
                offset += place.distance(to: point.coordinate)
                last = point.coordinate
            }
            return (point.seconds, offset)
        }
    }

    /// The offset between two points that are known.
    private static func offset(
        at seconds: Double, in truth: [(seconds: Double, offset: Double)]
    ) -> Double {
        guard let next = truth.firstIndex(where: { $0.seconds >= seconds }), next > 0 else {
            return 0
        }
        let (from, to) = (truth[next - 1], truth[next])
        let share = (seconds - from.seconds) / (to.seconds - from.seconds)
        return from.offset + share * (to.offset - from.offset)
    }
}
