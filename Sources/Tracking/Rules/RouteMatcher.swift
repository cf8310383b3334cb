import Geometry

/// Finds the vehicle on one route: rule 5.
///
/// Where a route passes itself, a fix may belong to more than one place on it, and only the next ones tell. So a few
/// hypotheses go on side by side; the best one is where the vehicle is told to be.
struct RouteMatcher: Equatable, Sendable {
    /// How much farther than the nearest pass the vehicle's own may be, in metres.
    private static let band = 120.0
    /// How much farther than the nearest one the first match may be, in metres, also where the radius is less: the
    /// usual distance between two lanes, and the usual error of a fix.
    private static let firstBand = 15.0
    /// Offsets closer than this are the same place.
    static let tolerance = 0.05

    /// A place on the route and when the vehicle was there.
    struct Match: Equatable, Sendable {
        var offset: Double
        var time: Timestamp
    }

    /// What a fix looks like from the route.
    struct Sighting {
        /// Metres from the reported place to the searched part of the route.
        var deviation: Double
        /// Where the vehicle is on the route, if it is on it at all.
        var match: RouteLine.Pass
    }

    /// Where the vehicle may be, not clamped; none before the route's first match.
    private(set) var hypotheses = Hypotheses()
    /// When it was there.
    private(set) var time = Timestamp(microseconds: 0)
    /// The farthest hypothesis of the last fix that was matched near; it bounds how far ahead is searched.
    private(set) var lastGood = Match(offset: 0, time: Timestamp(microseconds: 0))

    init() {}

    init(hypotheses: Hypotheses, time: Timestamp, lastGood: Match) {
        self.hypotheses = hypotheses
        self.time = time
        self.lastGood = lastGood
    }

    /// Looks for the fix on the part of the route from `start`, the last visited via point, on, and remembers where it
    /// is if it is not off the route.
    ///
    /// - Parameter gate: The offset of the next unvisited via point; `nil` when none is left.
    mutating func sight(
        _ fix: Fix, on line: RouteLine, from start: Double, gate: Double?, options: TripOptions
    ) -> Sighting {
        var start = start
        var end = line.length
        var hint: Double?
        if hypotheses.count > 0 {
            let reach = hypotheses.reach
            start = min(start, reach.lowerBound)
            end = max(start, min(end, max(reach.upperBound, limit(of: fix, options))))
            hint = hypotheses.best.offset
        }
        var first: (pass: RouteLine.Pass, aspect: RouteLine.Aspect)?
        var others: [Hypothesis] = []
        var deviation = Double.infinity
        line.forEachPass(
            near: fix.coordinate, from: start, to: end, within: Self.band, hint: hint
        ) { pass, aspect in
            deviation = min(deviation, pass.distance)
            // Mostly there is one, so that nothing has to be allocated.
            if first == nil {
                first = (pass, aspect)
            } else {
                others.append(Hypothesis(pass, aspect))
            }
        }
        // A place on earth is passed somewhere.
        guard let first else {
            return Sighting(
                deviation: .infinity, match: RouteLine.Pass(offset: start, distance: .infinity))
        }
        var sighting = Sighting(deviation: deviation, match: first.pass)
        guard deviation <= options.deviationDistance else { return sighting }
        let isFirst = hypotheses.count == 0
        weigh(Hypothesis(first.pass, first.aspect), others, fix, gate, options)
        if !others.isEmpty {
            let best = hypotheses.best
            sighting.match = RouteLine.Pass(offset: best.offset, distance: Double(best.distance))
        }
        time = fix.time
        if isFirst || sighting.match.distance <= options.arrivalRadius {
            lastGood = Match(offset: hypotheses.reach.upperBound, time: fix.time)
        }
        return sighting
    }

    /// How far the vehicle can have come.
    private func limit(of fix: Fix, _ options: TripOptions) -> Double {
        lastGood.offset + options.maxSpeed * fix.time.elapsed(since: lastGood.time)
            + options.arrivalRadius
    }

    /// Weighs where the vehicle may be: at the passes of the route by a fix, in their order.
    private mutating func weigh(
        _ first: Hypothesis, _ others: [Hypothesis], _ fix: Fix, _ gate: Double?,
        _ options: TripOptions
    ) {
        guard hypotheses.count > 0 else {
            return begin([first] + others, fix, radius: options.arrivalRadius)
        }
        let motion = Motion(seconds: fix.time.elapsed(since: time), to: fix)
        var first = first
        if others.isEmpty, hypotheses.count == 1 {
            first.speed = motion.speed(from: hypotheses.best, to: first)
            hypotheses.replace(by: first)
            return
        }
        let limit = options.waitsAtWaypoints ? gate ?? .infinity : .infinity
        var result = Hypotheses()
        for var place in [first] + others {
            motion.explain(&place, by: hypotheses)
            place.cost += motion.cost(ofPassing: place.offset - limit)
            result.insert(place)
        }
        result.settle()
        hypotheses = result
    }

    /// Weighs the passes by the first fix: the earliest near one, with a word for the others.
    private mutating func begin(_ places: [Hypothesis], _ fix: Fix, radius: Double) {
        let least = places.reduce(.infinity) { min($0, $1.distance) }
        let reach = least + Float(max(Self.firstBand, radius))
        func cost(_ place: Hypothesis) -> Float { Motion.cost(ofDistance: place.distance, to: fix) }
        // Most trips begin at the beginning: there a worse fix is believed.
        let bound = Motion.cost(ofDistance: least, to: fix) + Motion.laterStart
        let told = places.firstIndex { place in
            place.distance <= reach || place.offset <= radius && cost(place) <= bound
        }
        for (index, var place) in places.enumerated() {
            let isTold = index == told
            place.cost =
                isTold ? 0 : Motion.laterStart + max(0, cost(place) - cost(places[told ?? 0]))
            hypotheses.insert(place)
        }
        hypotheses.settle()
    }
}
