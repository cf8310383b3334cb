import Glibc

/// A search among an outline's edges for the place nearest to a viewpoint.
struct OutlineSearch {
    private let outline: Outline
    private let viewpoint: Viewpoint
    /// The way from the viewpoint to the outline's zero, in a route's units.
    private let zero: GridPoint
    /// A route's units in one of the outline's.
    private let factor: Double

    /// Prepares a search.
    @inline(__always)
    init(_ outline: Outline, from viewpoint: Viewpoint) {
        self.outline = outline
        self.viewpoint = viewpoint
        factor = Grid.scale / outline.grid.scale
        zero = -outline.grid.units(viewpoint.coordinate) * factor
    }

    /// Returns the nearest place of some blocks.
    func nearest(in blocks: Range<Int>) -> Sighting {
        let edges = outline.edges(ofBlock: blocks.lowerBound)
        var finder = NearestFinder(first: RouteLine.Spot(index: edges.lowerBound, fraction: 0))
        if blocks.count == 1 {
            scan(edges, &finder)
        } else {
            let top = outline.tree.top(over: blocks)
            visit(
                top.boxes, level: top.level, within: blocks, BoxGauge(outline, viewpoint), &finder)
        }
        return finder.best
    }

    /// Returns how far a place that was found is, in metres; exactly 0 where the viewpoint is on its edge.
    @inline(__always)
    func distance(_ sighting: Sighting) -> Double {
        let chord = sighting.square.squareRoot()
        if chord < 0.05, isOn(edge: sighting.spot.index) { return 0 }
        // Far away, the map is good enough to compare places, not to measure.
        return chord < 1_000_000
            ? PlaneMap.arc(ofChord: chord)
            : viewpoint.coordinate.distance(to: outline.point(at: sighting.spot))
    }

    /// Whether the viewpoint is on the line of an edge, as exactly as vertices are known.
    private func isOn(edge: Int) -> Bool {
        let start = zero + outline.vertex(edge) * factor
        let way = (outline.vertex(edge + 1) - outline.vertex(edge)) * factor
        let side = way.y * start.x - way.x * start.y
        return side * side <= factor * factor * (way * way).sum()
    }

    /// Visits boxes that may hold a nearer place than the nearest so far, the most promising one first.
    private func visit(
        _ boxes: ClosedRange<Int>, level: Int, within blocks: Range<Int>, _ gauge: BoxGauge,
        _ finder: inout NearestFinder
    ) {
        // As many as EdgeTree.fan.
        var gaps = InlineArray<16, Double>(repeating: .infinity)
        var nearest = 0
        let start = outline.tree.start(ofLevel: level) + boxes.lowerBound
        for child in 0..<boxes.count {
            gaps[child] = gauge.square(to: outline.tree[start + child])
            if gaps[child] < gaps[nearest] { nearest = child }
        }
        guard gaps[nearest] <= finder.best.square else { return }
        open(boxes.lowerBound + nearest, level: level, within: blocks, gauge, &finder)
        for child in 0..<boxes.count where child != nearest {
            guard gaps[child] <= finder.best.square else { continue }
            open(boxes.lowerBound + child, level: level, within: blocks, gauge, &finder)
        }
    }

    private func open(
        _ box: Int, level: Int, within blocks: Range<Int>, _ gauge: BoxGauge,
        _ finder: inout NearestFinder
    ) {
        if level == 0 {
            scan(outline.edges(ofBlock: box), &finder)
        } else {
            let children = outline.tree.children(of: box, level: level, within: blocks)
            visit(children, level: level - 1, within: blocks, gauge, &finder)
        }
    }

    /// Visits edges that follow each other.
    @inline(__always)
    private func scan(_ edges: Range<Int>, _ finder: inout NearestFinder) {
        if let map = shortMap {
            finder.offer(map.scan(outline.vertices, edges).nearest)
        } else {
            scanAny(edges, &finder)
        }
    }

    /// A map of the outline that is good enough where all of it is near and all edges are short.
    var shortMap: ShortMap? {
        guard outline.isFlat else { return nil }
        let low = zero + SIMD2(Double(outline.low.x), Double(outline.low.y)) * factor
        let high = zero + SIMD2(Double(outline.high.x), Double(outline.high.y)) * factor
        let most = (-low).greatest(high)
        guard most.x < ShortMap.reach, most.y < ShortMap.reach, viewpoint.map.isNear(most) else {
            return nil
        }
        return ShortMap(viewpoint.map, zero: zero, factor: factor)
    }

    @inline(never)
    private func scanAny(_ edges: Range<Int>, _ finder: inout NearestFinder) {
        let map = viewpoint.map
        var turn = turn(to: edges.lowerBound)
        var start = map.position(of: turn)
        for index in edges {
            let next = self.turn(to: index + 1)
            let end = map.position(of: next)
            let piece = Piece(index: index, fractions: (0, 1), positions: (start, end))
            let extent = next - turn
            if Self.isCurved(from: map.center.x + turn.x, extent: extent) {
                let across = extent.y * Double(outline.widestCosine)
                let speed = Self.metresInUnit * (extent.x * extent.x + across * across).squareRoot()
                Bend(map: map, turn: turn, extent: extent, speed: speed).scan(piece, &finder)
            } else {
                finder.visit(piece)
            }
            turn = next
            start = end
        }
    }

    /// Returns the way from the viewpoint to a vertex, in a route's units.
    @inline(__always)
    private func turn(to vertex: Int) -> GridPoint {
        zero + outline.vertex(vertex) * factor
    }

    /// Whether an edge bends or stretches by more than 2 cm on a flat map, in a route's units.
    ///
    /// The bend of a line along a parallel is its length times its turn in longitude over 8.
    @inline(__always)
    static func isCurved(from latitude: Double, extent: GridPoint) -> Bool {
        let square = (extent * extent).sum() * (metresInUnit * metresInUnit)
        let bend = 0.16 / Grid.radian
        return square > 4e6 || square * extent.y * extent.y > bend * bend
            || abs(latitude) + abs(extent.x) > 89 * Grid.scale
    }

    /// Metres in a route's unit, or a little more.
    private static let metresInUnit = 6.42e6 * Grid.radian
}

/// Measures how far an outline's boxes are from a viewpoint at the least.
private struct BoxGauge {
    /// Where the viewpoint is, in the outline's units.
    let position: SIMD2<Double>
    /// Square metres of the way through the earth for the square of a unit of latitude, or a little less.
    let north: Double
    /// The same for longitude, at a latitude of 0 units, and what is added to it for each unit of latitude.
    let east: (start: Double, slope: Double)

    init(_ outline: Outline, _ viewpoint: Viewpoint) {
        let grid = outline.grid
        position = grid.units(viewpoint.coordinate)
        let low = SIMD2(Double(outline.low.x), Double(outline.low.y))
        let high = SIMD2(Double(outline.high.x), Double(outline.high.y))
        let radian = Ellipsoid.radian / grid.scale
        let most = (position - low).greatest(high - position).greatest(.zero) * radian
        // The chord of an angle x is at least x√(1 − x²/12).
        let unit = Ellipsoid.leastRadius * 0.9995 * radian
        north = unit * unit * max(0, 1 - most.x * most.x / 12)
        // Beyond half a circle the other way round is shorter.
        guard most.y < .pi else {
            east = (0, 0)
            return
        }
        // Between two latitudes a cosine is not below the straight line between theirs.
        let (first, second) = (
            max(0, cos((low.x + grid.origin.x) * radian)),
            max(0, cos((high.x + grid.origin.x) * radian))
        )
        let slope = high.x > low.x ? (second - first) / (high.x - low.x) : 0
        let share = unit * unit * max(0, 1 - most.y * most.y / 12) * viewpoint.map.cosine
        east = (share * (first - slope * low.x), share * slope)
    }

    /// Returns the square of how far a box is at the least, in metres of the way through the earth.
    @inline(__always)
    func square(to box: EdgeTree.Box) -> Double {
        let low = SIMD2(Double(box.x), Double(box.y))
        let high = SIMD2(Double(box.z), Double(box.w))
        let gap = (low - position).greatest(position - high).greatest(.zero)
        let square = gap * gap
        let least = min(low.x * east.slope, high.x * east.slope) + east.start
        return square.x * north + square.y * max(0, least)
    }
}

extension Outline {
    /// Returns a place of an edge.
    func point(at spot: RouteLine.Spot) -> Coordinate {
        let start = vertex(spot.index)
        if spot.fraction <= 0 { return grid.coordinate(vertices[spot.index]) }
        if spot.fraction >= 1 { return grid.coordinate(vertices[spot.index + 1]) }
        return grid.coordinate(start + spot.fraction * (vertex(spot.index + 1) - start))
    }
}
