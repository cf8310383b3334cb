import Geometry

/// Places via points on a route together, in order: rule 11.
///
/// The sum of the distances is minimised by dynamic programming over the route's passes of all via points;
/// where passes lie close together out of order, the stretch between them is sampled too, since the best
/// common place of two via points may be anywhere on it.
struct WaypointPlacement {
    /// A via point's place on the route.
    struct Spot: Equatable {
        var offset: Double
        /// Metres from the via point.
        var distance: Double
        /// Metres from the via point to the nearest point of the whole route.
        var nearest: Double
    }

    /// Sums within this many metres are equal, and the earliest of them is taken.
    private static let equality = 1.0
    /// Distance between two samples of a stretch, in metres.
    private static let step = 1.0

    private let line: RouteLine
    private let limit: Double
    /// Stretches up to this long between passes out of order are sampled.
    private let longestStretch: Double

    /// Creates a placement on a route.
    ///
    /// - Parameters:
    ///   - limit: Metres beyond which a via point is not on the route.
    ///   - radius: The arrival radius.
    init(line: RouteLine, limit: Double, radius: Double) {
        self.line = line
        self.limit = limit
        longestStretch = 2 * radius
    }

    /// Returns a spot for each place, or the index of one that has none in order within the limit.
    func place(_ places: [Coordinate]) -> Result<[Spot], Unplaced> {
        guard !places.isEmpty else { return .success([]) }
        var nearest: [Double] = []
        var passes: [[RouteLine.Pass]] = []
        for (index, place) in places.enumerated() {
            let all = line.passes(
                near: place, from: 0, to: line.length, within: limit, hint: nil)
            let least = all.reduce(Double.infinity) { min($0, $1.distance) }
            let distance =
                least < .infinity
                ? least : line.nearest(to: place, from: 0, to: line.length, hint: nil).distance
            guard distance <= limit else {
                return .failure(Unplaced(index: index, distance: distance))
            }
            nearest.append(distance)
            passes.append(all.filter { $0.distance <= limit })
        }
        let offsets = candidates(passes)
        let costs = places.map { distances(from: $0, to: offsets) }
        guard let chosen = choose(costs) else {
            let worst = nearest.indices.max { nearest[$0] < nearest[$1] } ?? 0
            return .failure(Unplaced(index: worst, distance: .infinity))
        }
        return .success(
            chosen.enumerated().map { index, candidate in
                Spot(
                    offset: offsets[candidate], distance: costs[index][candidate],
                    nearest: nearest[index])
            })
    }

    /// A via point that cannot be placed.
    struct Unplaced: Error, Equatable {
        /// Its place in the list.
        var index: Int
        /// Metres from the route; infinite when it is the order that does not fit.
        var distance: Double
    }

    private func candidates(_ passes: [[RouteLine.Pass]]) -> [Double] {
        var offsets = passes.flatMap { $0.map(\.offset) }
        if offsets.isEmpty { offsets = [0] }
        var samples: [Double] = []
        for index in passes.indices.dropFirst() {
            for earlier in passes[index - 1] {
                for later in passes[index]
                where later.offset < earlier.offset
                    && earlier.offset - later.offset <= longestStretch
                {
                    samples += stride(
                        from: later.offset + Self.step, to: earlier.offset, by: Self.step)
                }
            }
        }
        offsets += samples
        offsets.sort()
        var unique: [Double] = []
        for offset in offsets where offset > (unique.last ?? -.infinity) { unique.append(offset) }
        return unique
    }

    /// Distances from a place to the candidates; infinite beyond the limit.
    private func distances(from place: Coordinate, to offsets: [Double]) -> [Double] {
        // A degree of latitude is 110,574 m or more: farther north or south needs no exact distance.
        let reach = limit / 110_000
        return offsets.map { offset in
            let point = line.point(at: offset)
            guard abs(point.latitude - place.latitude) <= reach else { return .infinity }
            let distance = point.distance(to: place)
            return distance <= limit ? distance : .infinity
        }
    }

    /// Picks the candidate of each place, in order, with the smallest sum; the earliest of equals.
    private func choose(_ costs: [[Double]]) -> [Int]? {
        let count = costs[0].count
        // The least sum for the places from this one on, with this one at that candidate or after it.
        var rest = [[Double]](
            repeating: [Double](repeating: 0, count: count + 1), count: costs.count + 1)
        for place in costs.indices.reversed() {
            rest[place][count] = .infinity
            for candidate in (0..<count).reversed() {
                rest[place][candidate] = min(
                    rest[place][candidate + 1],
                    costs[place][candidate] + rest[place + 1][candidate])
            }
        }
        let allowed = rest[0][0] + Self.equality
        guard allowed < .infinity else { return nil }
        var chosen: [Int] = []
        var spent = 0.0
        var first = 0
        for place in costs.indices {
            guard
                let candidate = (first..<count).first(where: {
                    spent + costs[place][$0] + rest[place + 1][$0] <= allowed
                })
            else { return nil }
            chosen.append(candidate)
            spent += costs[place][candidate]
            first = candidate
        }
        return chosen
    }
}
