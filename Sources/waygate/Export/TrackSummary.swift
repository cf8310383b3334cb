import Geometry
import Store
import Telemetry
import Tracking
import Watching

/// What came of positions in numbers: how far, how long, how fast, how high.
///
/// Standing and driving are told apart by the rules of the watch, so that drift adds no metre.
struct TrackSummary {
    /// A climb is more than this, in metres: an altitude of a receiver is no better.
    private static let altitudeNoise = 5.0

    private var watch: Watch?
    private var positions = 0
    private var vehicles = 0
    private var first: Timestamp?
    private var last: Timestamp?
    private var duration = 0.0
    private var distance = 0.0
    private var unseen = 0.0
    private var moving = 0.0
    private var drives = 0
    private var topSpeed: Double?
    private var climb = 0.0
    private var altitude: Double?

    /// Takes the next position: those of a vehicle one after the other, in order of their times.
    mutating func add(_ position: PositionRow) {
        if watch?.vehicleID != position.vehicleID {
            close()
            vehicles += 1
            watch = Watch(vehicleID: position.vehicleID)
            altitude = nil
        }
        positions += 1
        if let last { duration += max(position.time.elapsed(since: last), 0) }
        first = first.map { min($0, position.time) } ?? position.time
        last = position.time
        let fix = Fix(
            time: position.time,
            coordinate: Coordinate(latitude: position.latitude, longitude: position.longitude),
            accuracy: position.accuracy, speed: position.speed, course: position.course)
        take(.fix(WatchedFix(fix)), at: position.time)
        if let height = position.altitude { rise(to: height) }
    }

    /// Writes the numbers.
    func json(of subject: ExportSubject) -> [UInt8] {
        var whole = self
        whole.close()
        var json = JSONWriter()
        json.object { json in
            json.member("name", subject.name)
            json.member("positions", positions)
            json.member("vehicles", vehicles)
            json.member("from", first)
            json.member("to", last)
            json.member("duration_s", duration, decimals: 3)
            json.member("distance_m", metres: whole.distance)
            json.member("unseen_m", metres: whole.unseen)
            json.member("drives", whole.drives)
            json.member("moving_s", whole.moving, decimals: 3)
            let average = whole.moving > 0 ? whole.distance / whole.moving : nil
            json.member("average_speed_mps", average, decimals: 3)
            json.member("top_speed_mps", whole.topSpeed, decimals: 3)
            json.member("climb_m", metres: altitude == nil ? nil : climb)
        }
        return json.bytes
    }

    /// Ends a vehicle's positions: it is taken to stay where it was last.
    private mutating func close() {
        if let last { take(.clock(trip: nil), at: last.advanced(by: 1e6)) }
        watch = nil
        last = nil
    }

    private mutating func take(_ input: WatchInput, at time: Timestamp) {
        guard let outcome = watch?.handle(input, at: time, in: Surroundings()) else { return }
        for change in outcome.changes {
            switch change {
            case .drive(let drive), .driveEnded(let drive): add(drive)
            case .visit, .visitEnded, .speeding, .speedingEnded, .stop, .stopEnded, .stopWithdrawn:
                break
            }
        }
    }

    private mutating func add(_ drive: Drive) {
        guard let end = drive.endedAt else { return }
        guard !drive.isEstimated else {
            unseen += drive.distance
            return
        }
        drives += 1
        distance += drive.distance
        moving += end.elapsed(since: drive.beganAt)
        topSpeed = [topSpeed, drive.topSpeed].compactMap(\.self).max()
    }

    private mutating func rise(to height: Double) {
        guard let before = altitude else {
            altitude = height
            return
        }
        guard abs(height - before) > Self.altitudeNoise else { return }
        climb += max(height - before, 0)
        altitude = height
    }
}
