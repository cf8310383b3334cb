extension Outline {
    /// Calls a closure with the edges of the blocks that a box meets, in each turn of the earth.
    ///
    /// - Parameter body: Takes the edges, and by how many units the box's own longitudes, as `DecimalGrid` gives them
    ///   for its western edge, must be moved to where the edges are.
    func forEachBlock(
        meeting box: CoordinateBox, _ body: (_ edges: Range<Int>, _ west: Double) -> Void
    ) {
        let west = box.west * grid.scale - grid.origin.y
        for turn in -2...2 {
            let corner = SIMD2(
                box.south * grid.scale - grid.origin.x, west + Double(turn) * grid.circle)
            let size = SIMD2(box.north - box.south, box.width) * grid.scale
            // A unit more, for the rounding of the vertices.
            let query = UnitBox(low: corner - 1, high: corner + size + 1)
            guard query.meets(EdgeTree.Box(lowHalf: low, highHalf: high)) else { continue }
            if tree.hasBoxes {
                let top = tree.top(over: 0..<tree.blockCount)
                visit(top.boxes, level: top.level, query) { body($0, corner.y) }
            } else {
                body(edges(ofBlock: 0), corner.y)
            }
        }
    }

    private func visit(
        _ boxes: ClosedRange<Int>, level: Int, _ query: UnitBox, _ body: (Range<Int>) -> Void
    ) {
        let start = tree.start(ofLevel: level)
        for box in boxes where query.meets(tree[start + box]) {
            if level == 0 {
                body(edges(ofBlock: box))
            } else {
                let children = tree.children(of: box, level: level, within: 0..<tree.blockCount)
                visit(children, level: level - 1, query, body)
            }
        }
    }

    /// Returns the stretches of a way that are inside of a polygon, as fractions.
    func stretches(of way: Way) -> [SIMD2<Double>] {
        var cuts = WayCuts()
        let box = way.box
        forEachBlock(meeting: box) { edges, west in
            let line = UnitWay(way, box: box, west: west, grid: grid)
            for edge in edges { cuts.cut(line, by: vertex(edge), vertex(edge + 1)) }
        }
        let start = grid.units(way.start)
        let extent = UnitWay.extent(way, grid: grid)
        return cuts.stretches { fraction in
            let place = start + fraction * extent
            return isInside(grid.wrapped(place))
        }
    }

    /// Whether a place in units is inside of a polygon; what is on the boundary may be or not.
    private func isInside(_ place: SIMD2<Double>) -> Bool {
        (0..<partCount).contains { isOdd(place, in: blocks(ofPart: $0)) }
    }

    /// Returns the stretches of a way that are no farther than some metres from a line, as fractions.
    func stretches(of way: Way, within radius: Double) -> [SIMD2<Double>] {
        var intervals: [SIMD2<Double>] = []
        let segment = way.segment
        let reach = way.box.expanded(by: radius)
        forEachBlock(meeting: reach) { edges, _ in
            for edge in edges {
                let own = Way(
                    from: grid.coordinate(vertices[edge]), to: grid.coordinate(vertices[edge + 1]))
                guard reach.meets(own.box) else { continue }
                // A kilometre of an edge is straight on a map to some centimetres.
                let count = (own.length / 1000).rounded(.down) + 1
                for step in 0..<Int(count) {
                    let part = Way(
                        from: own.point(at: Double(step) / count),
                        to: own.point(at: Double(step + 1) / count))
                    guard reach.meets(part.box) else { continue }
                    intervals += part.stretches(of: segment, within: radius)
                }
            }
        }
        var all = Intervals()
        for interval in intervals { all.add(interval.x, interval.y) }
        return all.united()
    }
}

extension Way {
    /// Returns the stretches of a segment that are no farther than some metres from this short way, as fractions.
    fileprivate func stretches(of segment: RouteSegment, within radius: Double) -> [SIMD2<Double>] {
        let map = PlaneMap(around: point(at: 0.5))
        let own = self.segment
        let turn = map.turn(to: own.origin)
        var finder = CapsuleFinder(
            ends: (map.position(of: turn), map.position(of: turn + own.extent)), radius: radius)
        segment.scan(on: map, turn: map.turn(to: segment.origin), &finder)
        return finder.intervals.united()
    }
}

/// A box in an outline's units.
private struct UnitBox {
    let low: SIMD2<Double>
    let high: SIMD2<Double>

    func meets(_ box: EdgeTree.Box) -> Bool {
        Double(box.x) <= high.x && Double(box.z) >= low.x && Double(box.y) <= high.y
            && Double(box.w) >= low.y
    }
}

/// A way in an outline's units.
struct UnitWay {
    let start: SIMD2<Double>
    let extent: SIMD2<Double>

    /// Creates a way whose box has its western edge at a longitude in units.
    init(_ way: Way, box: CoordinateBox, west: Double, grid: DecimalGrid) {
        extent = Self.extent(way, grid: grid)
        start = SIMD2(
            way.start.latitude * grid.scale - grid.origin.x, extent.y < 0 ? west - extent.y : west)
    }

    static func extent(_ way: Way, grid: DecimalGrid) -> SIMD2<Double> {
        SIMD2(way.end.latitude - way.start.latitude, way.turn) * grid.scale
    }
}

/// Where edges cut a way.
private struct WayCuts {
    /// Fractions where it meets the boundary.
    private var fractions: [Double] = []
    /// Where it runs along the boundary.
    private var intervals = Intervals()

    /// Takes an edge, in the units of the way.
    mutating func cut(_ way: UnitWay, by start: SIMD2<Double>, _ end: SIMD2<Double>) {
        let (first, second) = (start - way.start, end - way.start)
        let extent = way.extent
        let sides = (
            extent.y * first.x - extent.x * first.y, extent.y * second.x - extent.x * second.y
        )
        let square = (extent * extent).sum()
        // What is nearer than vertices are rounded is on the line.
        let hair = square.squareRoot()
        if abs(sides.0) <= hair, abs(sides.1) <= hair {
            let shares = ((first * extent).sum() / square, (second * extent).sum() / square)
            let (low, high) = (min(shares.0, shares.1), max(shares.0, shares.1))
            guard high >= 0, low <= 1 else { return }
            add(max(low, 0), min(high, 1))
            return
        }
        guard (sides.0 > hair) != (sides.1 > hair) || (sides.0 < -hair) != (sides.1 < -hair)
        else { return }
        let share = min(max(sides.0 / (sides.0 - sides.1), 0), 1)
        let fraction = ((first + share * (second - first)) * extent).sum() / square
        let slack = 1 / hair
        guard fraction >= -slack, fraction <= 1 + slack else { return }
        let cut = min(max(fraction, 0), 1)
        add(cut, cut)
    }

    private mutating func add(_ start: Double, _ end: Double) {
        fractions.append(start)
        if end > start { fractions.append(end) }
        intervals.add(start, end)
    }

    /// Returns the stretches inside, where it is known whether a fraction is inside that is not on the boundary.
    func stretches(_ isInside: (Double) -> Bool) -> [SIMD2<Double>] {
        var intervals = intervals
        var last = 0.0
        for fraction in fractions.sorted() + [1] where fraction > last {
            if isInside((last + fraction) / 2) { intervals.add(last, fraction) }
            last = fraction
        }
        return intervals.united()
    }
}
