import Glibc

/// A search among an outline's edges for the place nearest to a viewpoint.
struct OutlineSearch {
    private let outline: Outline
    private let map: PlaneMap
    /// The way from the viewpoint to the outline's zero, in a route's units.
    private let zero: GridPoint
    /// A route's units in one of the outline's.
    private let factor: Double
    /// Metres in one of the outline's units of latitude, and of longitude, or a little less.
    private let metric: SIMD2<Double>
    /// Where the viewpoint is, in the outline's units.
    private let position: SIMD2<Double>

    /// Prepares a search.
    init(_ outline: Outline, from viewpoint: Viewpoint) {
        self.outline = outline
        map = viewpoint.map
        let grid = outline.grid
        factor = Grid.scale / grid.scale
        position = grid.units(viewpoint.coordinate)
        zero = -position * factor
        metric = Self.metric(outline, position: position, map: viewpoint.map)
    }

    /// Returns the nearest place of some blocks.
    func nearest(in blocks: Range<Int>) -> Sighting {
        let first = outline.edges(ofBlock: blocks.lowerBound).lowerBound
        var finder = NearestFinder(first: RouteLine.Spot(index: first, fraction: 0))
        if blocks.count == 1 {
            scan(outline.edges(ofBlock: blocks.lowerBound), &finder)
        } else {
            let top = outline.tree.top(over: blocks)
            visit(top.boxes, level: top.level, within: blocks, &finder)
        }
        return finder.best
    }

    /// Returns how far a place that was found is, in metres.
    func distance(_ sighting: Sighting) -> Double {
        let chord = sighting.square.squareRoot()
        // Far away, the map is good enough to compare places, not to measure.
        return chord < 1_000_000
            ? PlaneMap.arc(ofChord: chord)
            : viewpoint.distance(to: outline.point(at: sighting.spot))
    }

    private var viewpoint: Coordinate { outline.grid.coordinate(position) }

    /// Visits boxes that may hold a nearer place than the nearest so far, the most promising one first.
    private func visit(
        _ boxes: ClosedRange<Int>, level: Int, within blocks: Range<Int>,
        _ finder: inout NearestFinder
    ) {
        // As many as EdgeTree.fan.
        var gaps = InlineArray<16, Double>(repeating: .infinity)
        var nearest = 0
        for child in 0..<boxes.count {
            gaps[child] = gap(to: outline.tree.box(level: level, boxes.lowerBound + child))
            if gaps[child] < gaps[nearest] { nearest = child }
        }
        open(boxes.lowerBound + nearest, level: level, within: blocks, &finder)
        for child in 0..<boxes.count where child != nearest {
            guard gaps[child] <= finder.bound else { continue }
            open(boxes.lowerBound + child, level: level, within: blocks, &finder)
        }
    }

    private func open(
        _ box: Int, level: Int, within blocks: Range<Int>, _ finder: inout NearestFinder
    ) {
        if level == 0 {
            scan(outline.edges(ofBlock: box), &finder)
        } else {
            let children = outline.tree.children(of: box, level: level, within: blocks)
            visit(children, level: level - 1, within: blocks, &finder)
        }
    }

    /// Returns how far a box is at the least, in metres of the way through the earth.
    @inline(__always)
    private func gap(to box: EdgeTree.Box) -> Double {
        let low = SIMD2(Double(box.x), Double(box.y)) - position
        let high = position - SIMD2(Double(box.z), Double(box.w))
        let gap = pointwiseMax(pointwiseMax(low, high), .zero) * metric
        return (gap * gap).sum().squareRoot()
    }

    /// Visits edges that follow each other.
    @inline(__always)
    private func scan(_ edges: Range<Int>, _ finder: inout NearestFinder) {
        if outline.isFlat { scanFlat(edges, &finder) } else { scanAny(edges, &finder) }
    }

    @inline(__always)
    private func scanFlat(_ edges: Range<Int>, _ finder: inout NearestFinder) {
        var start = map.position(of: turn(to: edges.lowerBound))
        for index in edges {
            let end = map.position(of: turn(to: index + 1))
            finder.visit(Piece(index: index, fractions: (0, 1), positions: (start, end)))
            start = end
        }
    }

    @inline(never)
    private func scanAny(_ edges: Range<Int>, _ finder: inout NearestFinder) {
        var turn = turn(to: edges.lowerBound)
        var start = map.position(of: turn)
        for index in edges {
            let next = self.turn(to: index + 1)
            let end = map.position(of: next)
            let piece = Piece(index: index, fractions: (0, 1), positions: (start, end))
            let origin = map.center.x + turn.x
            if Self.isCurved(from: origin, extent: next - turn) {
                let segment = RouteSegment(
                    origin: GridPoint(origin, turn.y), extent: next - turn)
                Bend(map: map, turn: turn, segment: segment).scan(piece, &finder)
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

    /// Whether an edge bends or stretches enough on a flat map to matter, in a route's units.
    @inline(__always)
    static func isCurved(from latitude: Double, extent: GridPoint) -> Bool {
        let square = (extent * extent).sum() * (metresInUnit * metresInUnit)
        let bend = 0.04 / Grid.radian
        return square > 4e6 || square * extent.y * extent.y > bend * bend
            || abs(latitude) + abs(extent.x) > 89 * Grid.scale
    }

    /// Metres in a route's unit, or a little more.
    private static let metresInUnit = 6.42e6 * Grid.radian

    /// Returns what gaps in latitude and longitude are multiplied with to be no greater than ways through the earth.
    private static func metric(
        _ outline: Outline, position: SIMD2<Double>, map: PlaneMap
    ) -> SIMD2<Double> {
        let grid = outline.grid
        let radian = Ellipsoid.radian / grid.scale
        let low = SIMD2(Double(outline.low.x), Double(outline.low.y))
        let high = SIMD2(Double(outline.high.x), Double(outline.high.y))
        let most =
            pointwiseMax(
                pointwiseMax(position - low, high - position), .zero) * radian
        // The chord of an angle x is at least x√(1 − x²/12). Beyond half a circle the other way round is shorter.
        let unit = Ellipsoid.leastRadius * 0.9995 * radian
        let north = unit * max(0, 1 - most.x * most.x / 12).squareRoot()
        guard most.y < .pi else { return SIMD2(north, 0) }
        let latitudes = SIMD2(low.x + grid.origin.x, high.x + grid.origin.x) * radian
        let cosines = cos(max(abs(latitudes.x), abs(latitudes.y))) * map.cosine
        let east = unit * (max(0, cosines) * max(0, 1 - most.y * most.y / 12)).squareRoot()
        return SIMD2(north, east)
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
