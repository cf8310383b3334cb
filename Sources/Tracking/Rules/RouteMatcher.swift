import Geometry

/// Finds the vehicle on one route: rule 5.
struct RouteMatcher: Equatable, Sendable {
    /// How much farther than the nearest pass another one may be and still be the vehicle's, in metres:
    /// the usual distance between two lanes, and the usual error of a fix.
    private static let band = 15.0
    /// Offsets closer than this are the same place.
    static let tolerance = 0.05

    /// A place on the route and when the vehicle was there.
    struct Match: Equatable, Sendable {
        var offset: Double
        var time: Timestamp
    }

    /// What is known of the vehicle once it has been matched.
    struct Memory: Equatable, Sendable {
        /// The last match, not clamped.
        var last: Match
        /// The last match that was near the reported place; it bounds how far ahead is searched.
        var lastGood: Match
        /// Where the vehicle was before it went back by no more than a radius in all; else the last match.
        ///
        /// Behind a turn the route leads back along the road it came, and a vehicle that reports often would be
        /// taken for one that goes back, a little with each fix.
        var crest: Double
    }

    /// The matches so far; `nil` before the route's first.
    private(set) var memory: Memory?

    init() {}

    init(memory: Memory?) {
        self.memory = memory
    }

    /// What a fix looks like from the route.
    struct Sighting {
        /// Metres from the reported place to the searched part of the route.
        var deviation: Double
        /// Where the vehicle is on the route, if it is on it at all.
        var match: RouteLine.Pass
    }

    /// Looks for the fix on the part of the route from `start`, the last visited via point, on.
    ///
    /// - Parameter gate: The offset of the next unvisited via point; `nil` when none is left.
    func sight(
        _ fix: Fix, on line: RouteLine, from start: Double, gate: Double?, options: TripOptions
    ) -> Sighting {
        let end = max(searchEnd(of: fix, line, options), start)
        let radius = options.arrivalRadius
        var first: RouteLine.Pass?
        var others: [RouteLine.Pass] = []
        line.forEachPass(
            near: fix.coordinate, from: start, to: end, within: radius + Self.band,
            hint: memory?.last.offset
        ) { pass in
            if first == nil { first = pass } else { others.append(pass) }
        }
        guard let first else {
            // A part of no length has no minimum of its own.
            let pass = line.nearest(
                to: fix.coordinate, from: start, to: end, hint: memory?.last.offset)
            return Sighting(deviation: pass.distance, match: pass)
        }
        // Mostly there is one, so that nothing has to be allocated.
        if others.isEmpty { return Sighting(deviation: first.distance, match: first) }
        let passes = [first] + others
        let nearest = others.reduce(first) { $1.distance < $0.distance ? $1 : $0 }
        return Sighting(
            deviation: nearest.distance,
            match: choose(among: passes, gate: gate, radius: radius) ?? nearest)
    }

    /// Remembers where the fix was matched.
    mutating func note(_ pass: RouteLine.Pass, of fix: Fix, radius: Double) {
        let before = memory?.crest ?? pass.offset
        let isLittleBack = pass.offset < before && pass.offset >= before - radius
        let crest = isLittleBack ? before : pass.offset
        let good = Match(offset: crest, time: fix.time)
        memory = Memory(
            last: Match(offset: pass.offset, time: fix.time),
            lastGood: pass.distance <= radius ? good : memory?.lastGood ?? good, crest: crest)
    }

    private func searchEnd(
        of fix: Fix, _ line: RouteLine, _ options: TripOptions
    ) -> Double {
        guard let memory else { return line.length }
        let reach =
            memory.lastGood.offset
            + options.maxSpeed * fix.time.elapsed(since: memory.lastGood.time)
            + options.arrivalRadius
        return min(max(reach, memory.last.offset), line.length)
    }

    private func choose(
        among passes: [RouteLine.Pass], gate: Double?, radius: Double
    ) -> RouteLine.Pass? {
        let rest = withoutFarAhead(passes, gate: gate, radius: radius)
        let least = rest.reduce(Double.infinity) { min($0, $1.distance) }
        guard let memory else {
            return rest.first { $0.distance <= least + max(Self.band, radius) }
        }
        var candidates = rest.filter { $0.distance <= least + Self.band }
        if let gate { candidates.prefer { $0.offset <= gate + Self.tolerance } }
        candidates.prefer { $0.offset >= memory.crest - radius }
        let last = memory.last.offset
        return candidates.min { abs($0.offset - last) < abs($1.offset - last) }
    }

    /// Leaves out passes beyond the gate, unless they are nearer by more than the radius than all before it:
    /// else a vehicle on its way to a turn would be taken for one that has turned.
    private func withoutFarAhead(
        _ passes: [RouteLine.Pass], gate: Double?, radius: Double
    ) -> [RouteLine.Pass] {
        guard let gate else { return passes }
        let limit = gate + Self.tolerance
        let before = passes.reduce(Double.infinity) {
            $1.offset <= limit ? min($0, $1.distance) : $0
        }
        guard before < .infinity else { return passes }
        return passes.filter { $0.offset <= limit || $0.distance < before - radius }
    }
}

extension Array {
    /// Keeps those that fulfil a wish, unless none does.
    fileprivate mutating func prefer(_ wish: (Element) -> Bool) {
        let fulfilling = filter(wish)
        if !fulfilling.isEmpty { self = fulfilling }
    }
}
