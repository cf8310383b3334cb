import Geometry
import Tracking

/// A speed limit and where it comes from.
struct SpeedLimit: Equatable, Sendable {
    /// Metres per second.
    var value: Double
    /// Where it comes from.
    var source: LimitSource
    /// The place whose limit it is; `nil` for other limits.
    @Seldom var place: PlaceLabel? = nil
}

extension Step {
    /// How far the fix's course may be from the route's for the limit of its segment to count, in degrees.
    private static let courseTolerance = 45.0

    /// The limit at the fix, the lowest known one: rule S1; `nil` where none is known.
    ///
    /// - Parameter place: That of the smallest place around the vehicle that has one.
    func speedLimit(in place: SpeedLimit?, _ settings: WatchSettings) -> SpeedLimit? {
        let segment = segmentLimit.map { SpeedLimit(value: $0, source: .route) }
        return Self.lower(Self.lower(place, segment), generalLimit(settings))
    }

    /// The limit that counts everywhere: the trip's or the fleet's; `nil` for none.
    func generalLimit(_ settings: WatchSettings) -> SpeedLimit? {
        let trip = trip?.options.speedLimit.map { SpeedLimit(value: $0, source: .trip) }
        let fleet = settings.speedLimit.map { SpeedLimit(value: $0, source: .fleet) }
        return Self.lower(trip, fleet)
    }

    /// The lower of two limits, of equal ones the first.
    private static func lower(_ first: SpeedLimit?, _ second: SpeedLimit?) -> SpeedLimit? {
        guard let first, let second else { return first ?? second }
        return second.value < first.value ? second : first
    }

    /// The limit of the route's segment that the fix was matched to.
    private var segmentLimit: Double? {
        guard let match = now.match, let trip, let limit = trip.speedLimit(at: match.offset) else {
            return nil
        }
        if let course, let along = trip.line?.course(at: match.offset) {
            let turn = abs(course - along)
            if min(turn, 360 - turn) > Self.courseTolerance { return nil }
        }
        return limit
    }
}

extension WatchSettings {
    /// How much above a limit is tolerated, in metres per second.
    func tolerance(above limit: Double) -> Double { max(speedOver, speedOverRatio * limit) }
}
