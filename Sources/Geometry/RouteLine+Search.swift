extension RouteLine {
    /// A place on the line where the distance from the place in question is smaller than on both sides.
    public struct Pass: Hashable, Sendable {
        /// How far along the line it is, in metres.
        public var offset: Double
        /// How far it is from the place in question, in metres.
        public var distance: Double

        /// Creates a pass.
        public init(offset: Double, distance: Double) {
            self.offset = offset
            self.distance = distance
        }
    }

    /// How a pass looks from the place in question, on the ground around it.
    public struct Aspect: Equatable, Sendable {
        /// The way from the place to the pass, in metres to the east and to the north.
        public var way: SIMD2<Float>
        /// The direction of travel there, to the east and to the north; its length is one, or zero where there is none.
        public var heading: SIMD2<Float>

        /// Creates an aspect.
        public init(way: SIMD2<Float>, heading: SIMD2<Float>) {
            self.way = way
            self.heading = heading
        }
    }

    /// Returns the place nearest to another on a part of the line, the first where several are as near.
    ///
    /// Its distance is infinite when the other is not valid.
    ///
    /// - Parameters:
    ///   - place: Where to measure from.
    ///   - start: Offset of the part's start, brought onto the line.
    ///   - end: Offset of the part's end; `start` where it is less.
    ///   - hint: An offset near which the answer probably is, which makes finding it cheaper.
    public func nearest(
        to place: Coordinate, from start: Double = 0, to end: Double = .infinity,
        hint: Double? = nil
    ) -> Pass {
        guard place.isValid else { return Pass(offset: clamped(start), distance: .infinity) }
        let search = RouteSearch(self, around: place, from: start, to: end, hint: hint)
        return search.pass(search.nearest())
    }

    /// Returns where a part of the line passes a place, in order of offset.
    ///
    /// These are the local minima of the distance along the part, of those not farther than `nearest + within`
    /// metres. An end of the part counts where the distance falls towards it. Where the distance stays the same there
    /// is one, and so there is where it rises by less than a centimetre, which the vertices are rounded to. There are
    /// one or more, but none when the place is not valid.
    ///
    /// - Parameters:
    ///   - place: Where to measure from.
    ///   - start: Offset of the part's start, brought onto the line.
    ///   - end: Offset of the part's end; `start` where it is less.
    ///   - within: How much farther than the nearest a pass may be, in metres.
    ///   - hint: An offset near which the nearest probably is, which makes finding it cheaper.
    public func passes(
        near place: Coordinate, from start: Double = 0, to end: Double = .infinity,
        within: Double, hint: Double? = nil
    ) -> [Pass] {
        var passes: [Pass] = []
        forEachPass(near: place, from: start, to: end, within: within, hint: hint) { pass, _ in
            passes.append(pass)
        }
        return passes
    }

    /// Calls a closure with what `passes(near:from:to:within:hint:)` returns, and how each looks, without an array.
    public func forEachPass(
        near place: Coordinate, from start: Double = 0, to end: Double = .infinity,
        within: Double, hint: Double? = nil, _ body: (Pass, Aspect) -> Void
    ) {
        guard place.isValid else { return }
        let search = RouteSearch(self, around: place, from: start, to: end, hint: hint)
        let minima = search.minima(within: within)
        if let first = minima.first { body(search.pass(first), search.aspect(first)) }
        for other in minima.others { body(search.pass(other), search.aspect(other)) }
    }
}
