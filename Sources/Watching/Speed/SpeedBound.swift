import Geometry
import Tracking

/// How fast a vehicle has been at least between two fixes, judged against the limits there: rule S2.
struct SpeedBound: Equatable, Sendable {
    /// Metres per second.
    var speed: Double
    /// What it is judged against.
    var limit: SpeedLimit
    /// Whether it is over the limit and its tolerance for certain.
    var isOver: Bool
    /// Whether it is at or below the limit and half of its tolerance.
    var isLawful: Bool

    /// Judges a speed against one limit.
    init(speed: Double, limit: SpeedLimit, _ settings: WatchSettings) {
        let tolerance = settings.tolerance(above: limit.value)
        self.speed = speed
        self.limit = limit
        isOver = speed > limit.value + tolerance
        isLawful = speed <= limit.value + tolerance / 2
    }

    /// Judges the time for a way along pieces with limits of their own: section control.
    ///
    /// The limit is then the average speed of one who drives each piece at its limit.
    ///
    /// - Parameters:
    ///   - errors: How much shorter the way may have been, in metres: taken off where that saves the most time.
    ///   - general: A limit that counts on all pieces; `nil` for none.
    init(
        over pieces: [LimitedPiece], in seconds: Double, errors: Double, general: SpeedLimit?,
        _ settings: WatchSettings
    ) {
        let limits = pieces.map { min($0.limit, general?.value ?? .infinity) }
        var errors = errors
        var (length, atLimit, tolerated, ending) = (0.0, 0.0, 0.0, 0.0)
        for index in pieces.indices.sorted(by: { limits[$0] < limits[$1] }) {
            let rest = max(pieces[index].length - errors, 0)
            errors = max(errors - pieces[index].length, 0)
            let tolerance = settings.tolerance(above: limits[index])
            length += rest
            atLimit += rest / limits[index]
            tolerated += rest / (limits[index] + tolerance)
            ending += rest / (limits[index] + tolerance / 2)
        }
        speed = length / seconds
        let slowest = limits.min() ?? .infinity
        limit = SpeedLimit(value: atLimit > 0 ? length / atLimit : slowest, source: .route)
        if let general, general.value <= slowest { limit.source = general.source }
        isOver = seconds < tolerated
        isLawful = seconds >= ending
    }
}

/// A usable fix that a later one is measured from.
struct SpeedSpot: Equatable, Sendable {
    var time: Timestamp
    var coordinate: Coordinate
    /// Metres.
    var accuracy: Double
    /// Where it was on its route, where that is known.
    var match: Whereabouts.Match?
    /// The limit there; `nil` where none is known.
    var limit: SpeedLimit?
}

extension SpeedSpot {
    init(_ step: Step, limit: SpeedLimit?) {
        time = step.now.time
        coordinate = step.now.coordinate
        accuracy = step.now.accuracy ?? unknownAccuracy
        match = step.now.match
        self.limit = limit
    }

    /// The bound on the way from here to a later fix; `nil` where a limit at one of them is not known.
    func bound(
        to step: Step, limit: SpeedLimit, _ settings: WatchSettings
    ) -> SpeedBound? {
        let seconds = step.now.time.elapsed(since: time)
        let errors = accuracy + (step.now.accuracy ?? unknownAccuracy)
        let route = step.route(from: match)
        if let route, let pieces = step.trip?.limitedPieces(from: route.start, to: route.end) {
            let general = step.generalLimit(settings)
            return SpeedBound(
                over: pieces, in: seconds, errors: errors, general: general, settings)
        }
        guard let here = self.limit else { return nil }
        let way = route?.length ?? coordinate.distance(to: step.now.coordinate)
        return SpeedBound(
            speed: max((way - errors) / seconds, 0),
            limit: here.value > limit.value ? here : limit, settings)
    }
}
