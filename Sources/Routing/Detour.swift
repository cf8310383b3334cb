import Geometry
import Tracking

/// How a question finds its way around closed roads: ask, look, exclude, ask again; rule R3.
///
/// An engine's answer is believed only as far as our own geometry agrees.
struct Detour {
    /// How long all rings may be that are excluded in advance, in metres: Valhalla refuses more by default.
    private static let longestRings = 10_000.0
    /// How many places may be excluded: Valhalla refuses more by default.
    private static let mostPlaces = 50
    /// How many places of one crossing are excluded.
    private static let placesOfCrossing = 3

    /// A route, and which of the closed roads it drives on.
    fileprivate struct Find {
        var route: ProvidedRoute
        var crossed: [Int]
    }

    private let avoid: [ClosedRoad]
    private let excludes: Bool
    private let mostRounds: Int
    private var best: Find?
    /// Whether there was no way with all that was excluded: then one road at a time is.
    private var isCareful = false
    /// How many answers have come.
    private(set) var rounds = 0
    /// What the engine is to leave out in the next round.
    private(set) var exclusions = Exclusions()

    /// Plans the rounds for a question.
    ///
    /// - Parameters:
    ///   - avoid: The closed roads, the nearest first.
    ///   - excludes: Whether the engine can leave roads out on request.
    ///   - mostRounds: How many rounds there may be, 1 or more.
    init(avoid: [ClosedRoad], excludes: Bool, mostRounds: Int) {
        self.avoid = avoid
        self.excludes = excludes
        self.mostRounds = mostRounds
        if excludes { exclusions.rings = Self.rings(of: avoid) }
    }

    /// The best route so far: the fewest closed roads, and of those the shortest time; `nil` before the first.
    var route: ProvidedRoute? { best?.route }

    /// Whether the best route so far drives on closed roads.
    var isBlocked: Bool { best.map { !$0.crossed.isEmpty } ?? false }

    /// Takes the routes of an answer, and tells whether another round may find a better one.
    mutating func take(_ routes: [ProvidedRoute]) -> Bool {
        rounds += 1
        let finds = routes.map { Find(route: $0, crossed: crossed(by: $0)) }
        for find in finds where best.map({ find.isBetter(than: $0) }) ?? true { best = find }
        guard excludes, isBlocked, rounds < mostRounds, let newest = finds.first else {
            return false
        }
        return exclude(newest)
    }

    /// Takes it that there is no way with what is excluded, and tells whether another round may find one.
    ///
    /// Without any route yet there is one more round than allowed if need be: a closed road is better than no route.
    mutating func fail() -> Bool {
        rounds += 1
        guard !exclusions.isEmpty else { return false }
        exclusions = Exclusions()
        guard let best else {
            isCareful = true
            return true
        }
        guard !isCareful, rounds < mostRounds else { return false }
        isCareful = true
        return exclude(best)
    }

    /// The rings of the nearest areas, as many as may be excluded in advance.
    private static func rings(of avoid: [ClosedRoad]) -> [[Coordinate]] {
        var rings: [[Coordinate]] = []
        var left = longestRings
        for road in avoid {
            guard let own = road.closure.rings else { continue }
            let length = own.reduce(0) { sum, ring in
                sum + zip(ring, ring.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
            }
            guard length <= left else { continue }
            left -= length
            rings += own
        }
        return rings
    }

    private func crossed(by route: ProvidedRoute) -> [Int] {
        guard !avoid.isEmpty, let line = RouteLine(route.coordinates) else { return [] }
        return avoid.indices.filter { avoid[$0].closure.crossing(of: line) != nil }
    }

    /// Excludes the places where a route drives on closed roads; tells whether that is anything new.
    private mutating func exclude(_ find: Find) -> Bool {
        guard let line = RouteLine(find.route.coordinates) else { return false }
        let before = exclusions
        for index in isCareful ? Array(find.crossed.prefix(1)) : find.crossed {
            for crossing in avoid[index].closure.crossings(of: line) {
                exclusions.places += places(on: line, crossing, avoid[index])
            }
        }
        exclusions.places = Array(exclusions.places.prefix(Self.mostPlaces))
        return exclusions != before
    }

    /// Places that lie evenly on a crossing, away from its ends, which may be on other roads.
    private func places(
        on line: RouteLine, _ crossing: ClosedRange<Double>, _ road: ClosedRoad
    ) -> [Exclusions.Place] {
        let count = Self.placesOfCrossing
        return (0..<count).map { index in
            let share = (Double(index) + 0.5) / Double(count)
            let offset =
                crossing.lowerBound + share * (crossing.upperBound - crossing.lowerBound)
            return Exclusions.Place(
                coordinate: line.point(at: offset),
                course: road.hasDirection ? line.course(at: offset) : nil)
        }
    }
}

extension Detour.Find {
    fileprivate func isBetter(than other: Detour.Find) -> Bool {
        let counts = (crossed.count, other.crossed.count)
        guard counts.0 == counts.1 else { return counts.0 < counts.1 }
        return route.duration ?? .infinity < other.route.duration ?? .infinity
    }
}

extension ClosedRoad {
    /// Whether one direction of the road alone is closed.
    fileprivate var hasDirection: Bool {
        if case .line = closure.area.shape { true } else { false }
    }
}
