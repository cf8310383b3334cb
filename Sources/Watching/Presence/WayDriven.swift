import Geometry
import Tracking

/// The way from one usable fix to the next, and where it meets a place: rule W5.
struct WayDriven: Sendable {
    /// Where a way meets a place, as shares of the way.
    struct Meeting: Equatable, Sendable {
        /// Where it first does.
        var first: Double
        /// Where it last does.
        var last: Double
        /// Metres inside.
        var chord: Double
        /// Whether it is known from the route.
        var isByRoute: Bool
    }

    let before: Whereabouts
    let now: Whereabouts
    let straight: Way
    let route: RoutePiece?
    /// No place of the way is farther from its end than this, in metres.
    let reach: Double

    /// The way of a step; `nil` for a vehicle's first fix, and after a gap that leaves it unknown.
    init?(_ step: Step, _ settings: WatchSettings) {
        guard let before = step.before, let gap = step.gap, gap <= settings.passGap else {
            return nil
        }
        self.before = before
        now = step.now
        straight = Way(from: before.coordinate, to: step.now.coordinate)
        route = step.route
        // The matches are not far from the fixes.
        let aside = Whereabouts.matchDistance + (step.now.accuracy ?? 0)
        // A straight way along a parallel is longer than over it, near the poles by much.
        let length = abs(now.coordinate.latitude) < 80 ? 1.01 * step.straight : straight.length
        reach = max(length, route.map { $0.length + aside } ?? 0) + 1
    }

    /// Returns the moment at a share of the way.
    func moment(at share: Double) -> Timestamp {
        before.time.advanced(by: now.time.elapsed(since: before.time) * min(max(share, 0), 1))
    }

    /// Where the way meets an area that it must have met: along the route, or else straight.
    func meeting(with area: Area) -> Meeting? {
        meetingAlongRoute(with: area) ?? straightMeeting(with: area)
    }

    func straightMeeting(with area: Area) -> Meeting? {
        let pieces = area.pieces(of: straight)
        guard let first = pieces.first, let last = pieces.last else { return nil }
        return Meeting(
            first: first.start, last: last.end, chord: pieces.reduce(0) { $0 + $1.length },
            isByRoute: false)
    }

    func meetingAlongRoute(with area: Area) -> Meeting? {
        guard let route else { return nil }
        let pieces = area.pieces(of: route.line, from: route.start, to: route.end)
        guard let first = pieces.first, let last = pieces.last else { return nil }
        return Meeting(
            first: route.share(of: first.start), last: route.share(of: last.end),
            chord: pieces.reduce(0) { $0 + $1.length }, isByRoute: true)
    }

    /// Where the way that is known best crosses the middle of a line.
    func crossing(of line: Area) -> Meeting? {
        let crossings =
            route.map { line.crossings(of: $0.line, from: $0.start, to: $0.end) }
            ?? line.crossings(of: straight)
        guard let first = crossings.first, let last = crossings.last else { return nil }
        let share = { (position: Double) in route?.share(of: position) ?? position }
        return Meeting(
            first: share(first.position), last: share(last.position), chord: 0,
            isByRoute: route != nil)
    }
}

extension RoutePiece {
    /// The share of the piece up to an offset of the route, 0 to 1.
    func share(of offset: Double) -> Double {
        length > 0 ? min(max((offset - start) / length, 0), 1) : 0
    }
}
