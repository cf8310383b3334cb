import Geometry
import Testing
import Tracking
import Watching

/// A vehicle under watch without places, and what came of it.
struct Ride {
    /// Where offsets are counted from.
    static let origin = Coordinate(latitude: 60.1699, longitude: 24.9384)

    var settings = WatchSettings()
    private(set) var watch = Watch(vehicleID: "van-7")
    private(set) var alarms: [Alarm] = []
    private(set) var ledger = Ledger()
    private(set) var ignoredSpeeds = 0
    private var trip: Trip?

    init(_ settings: (inout WatchSettings) -> Void = { _ in }) {
        settings(&self.settings)
    }

    /// Puts the vehicle on a trip along a route to the east.
    mutating func assign(
        _ stops: [Double], limits: [Double] = [], viaPoints: [Double] = [],
        options: TripOptions = TripOptions()
    ) throws {
        let assignment = Assignment(
            tripID: "tour", vehicleID: "van-7",
            route: ProvidedRoute(
                coordinates: stops.map { Self.place(east: $0) }, speedLimits: limits),
            viaPoints: viaPoints.map { Target(coordinate: Self.place(east: $0)) }, options: options)
        trip = try Trip.start(assignment, newest: nil, at: Timestamp(seconds: 0)).trip
    }

    /// Where that is so many metres to the east, on the same parallel, and to the north.
    static func place(east: Double, north: Double = 0) -> Coordinate {
        var place = origin.destination(course: north < 0 ? 180 : 0, distance: abs(north))
        place.longitude = origin.longitude + east * degreesPerMetre
        return place
    }

    private static let degreesPerMetre =
        0.01
        / origin.distance(
            to: Coordinate(latitude: origin.latitude, longitude: origin.longitude + 0.01))

    /// A fix, so many metres to the east and north of the origin.
    mutating func fix(
        _ seconds: Double, east: Double, north: Double = 0, speed: Double? = nil,
        accuracy: Double? = nil, course: Double? = nil, ignition: Bool? = nil
    ) {
        report(
            Fix(
                time: Timestamp(seconds: seconds),
                coordinate: Self.place(east: east, north: north), accuracy: accuracy, speed: speed,
                course: course), ignition: ignition)
    }

    mutating func report(_ fix: Fix, ignition: Bool? = nil) {
        let match = trip?.handle(.fix(fix), at: fix.time).match
        let watched = WatchedFix(fix, ignition: ignition, trip: trip?.view(match: match))
        apply(.fix(watched), at: fix.time)
    }

    /// Packs the watch and takes it back, as after a restart.
    mutating func restart() throws {
        let surroundings = Surroundings(settings: settings)
        watch = try Watch(
            vehicleID: watch.vehicleID, decoding: watch.encode(in: surroundings), in: surroundings)
    }

    mutating func clock(_ seconds: Double) {
        apply(.clock(trip: nil), at: Timestamp(seconds: seconds))
    }

    private mutating func apply(_ input: WatchInput, at time: Timestamp) {
        let outcome = watch.handle(input, at: time, in: Surroundings(settings: settings))
        alarms += outcome.alarms
        ignoredSpeeds += outcome.hasImplausibleSpeed ? 1 : 0
        for change in outcome.changes { ledger.apply(change) }
    }
}

/// The rows as a database would hold them, which refuses what was not promised.
struct Ledger: Equatable {
    private(set) var stops: [Timestamp: Standstill] = [:]
    private(set) var drives: [Timestamp: Drive] = [:]
    private(set) var speedings: [Timestamp: SpeedingEnd?] = [:]

    struct Standstill: Equatable {
        var start: StopStart
        var location: Coordinate
        var endedAt: Timestamp?
        var idle: Double?
    }

    mutating func apply(_ change: RowChange) {
        switch change {
        case .stop(let stop):
            #expect(stops[stop.start.since] == nil)
            stops[stop.start.since] = Standstill(start: stop.start, location: stop.location)
        case .stopEnded(let beganAt, let endedAt, let idle):
            #expect(stops[beganAt] != nil && stops[beganAt]?.endedAt == nil)
            stops[beganAt]?.endedAt = endedAt
            stops[beganAt]?.idle = idle
        case .stopWithdrawn(let beganAt):
            #expect(stops.removeValue(forKey: beganAt)?.endedAt == nil)
        case .drive(let drive):
            #expect(drives[drive.beganAt] == nil)
            drives[drive.beganAt] = drive
        case .driveEnded(let drive):
            #expect(drives[drive.beganAt] != nil && drives[drive.beganAt]?.endedAt == nil)
            drives[drive.beganAt] = drive
        case .speeding(let speeding):
            #expect(speedings[speeding.start.since] == nil)
            speedings[speeding.start.since] = .some(nil)
        case .speedingEnded(let end):
            #expect(speedings[end.start.since] == .some(nil))
            speedings[end.start.since] = end
        case .visit, .visitEnded: break
        }
    }

    /// Stops and drives in order: whether it is a stop, its beginning and its end.
    var spans: [Span] {
        let stopped = stops.map {
            Span(isStop: true, from: $0.key.seconds, to: $0.value.endedAt?.seconds)
        }
        let driven = drives.map {
            Span(isStop: false, from: $0.key.seconds, to: $0.value.endedAt?.seconds)
        }
        return (stopped + driven).sorted { $0.from < $1.from }
    }

    struct Span: Equatable, CustomStringConvertible {
        var isStop: Bool
        var from: Double
        var to: Double?

        var description: String { "\(isStop ? "stop" : "drive") \(from)–\(to ?? .infinity)" }
    }
}

extension Ledger.Span {
    static func stop(_ from: Double, _ to: Double? = nil) -> Self {
        Self(isStop: true, from: from, to: to)
    }

    static func drive(_ from: Double, _ to: Double? = nil) -> Self {
        Self(isStop: false, from: from, to: to)
    }
}
