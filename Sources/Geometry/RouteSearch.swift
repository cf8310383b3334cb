/// A search along a part of a route for what is near a place.
struct RouteSearch {
    private let line: RouteLine
    private let origin: Coordinate
    private let map: PlaneMap
    private let place: Ball
    /// How far from the place the map is simple, in metres.
    private let reach: Float
    /// The part's ends, as offsets and as spots.
    private let offsets: (Double, Double)
    private let spots: (RouteLine.Spot, RouteLine.Spot)
    /// The blocks of the part.
    private let blocks: ClosedRange<Int>
    /// The lowest level on which few balls hold the whole part, and those balls.
    private let top: (level: Int, balls: ClosedRange<Int>)
    /// The block where the nearest place probably is.
    private let hintedBlock: Int?

    /// Prepares the search of the part between two offsets, for a place that is probably near the offset `hint`.
    init(
        _ line: RouteLine, around place: Coordinate, from start: Double, to end: Double,
        hint: Double?
    ) {
        self.line = line
        origin = place
        map = PlaneMap(around: place)
        self.place = map.ball(longitude: place.longitude)
        reach = map.nearDistance
        let start = line.clamped(start)
        let end = max(line.clamped(end), start)
        offsets = (start, end)
        // The ends are mostly not far from the place that is expected, so that they are sought from there.
        let known = line.block(at: hint ?? start)
        hintedBlock = hint == nil ? nil : known
        spots = (line.spot(at: start, near: known), line.spot(at: end, near: known))
        blocks =
            spots.0.index / RouteLine.blockSize...spots.1.index / RouteLine.blockSize
        var level = 0
        var balls = blocks
        while balls.count > RouteIndex.fan {
            level += 1
            balls =
                balls.lowerBound >> RouteIndex.fanShift...balls.upperBound >> RouteIndex.fanShift
        }
        top = (level, balls)
    }

    /// Returns the nearest place.
    func nearest() -> Sighting {
        var finder = NearestFinder(first: spots.0)
        var known: Int?
        if top.level > 0, let hintedBlock {
            let block = min(max(hintedBlock, blocks.lowerBound), blocks.upperBound)
            let ball = block >> RouteIndex.fanShift
            // A hint that is far away is of no use.
            if line.index.gap(to: line.index.start(ofLevel: 1) + ball, from: place) < 5000 {
                findNearest(level: 0, children(of: ball, level: 1), except: nil, &finder)
                known = ball
            }
        }
        findNearest(level: top.level, top.balls, except: known, &finder)
        return finder.best
    }

    /// Returns a finder that has found all local minima at most `within` metres farther than the nearest place.
    func minima(within: Double) -> PassFinder {
        // A near place is as good as the nearest one, and cheaper: what is found too much is left out again.
        let known = nearHint() ?? nearest()
        var finder = PassFinder(limit: limit(within, beyond: known))
        visitAll(level: top.level, top.balls, &finder)
        finder.finish()
        if !finder.others.isEmpty, let nearest = finder.nearest {
            finder.narrow(to: limit(within, beyond: nearest))
        }
        return finder
    }

    /// Returns the nearest place of the block where it probably is; `nil` where that is not near at all.
    private func nearHint() -> Sighting? {
        guard let hintedBlock else { return nil }
        let block = min(max(hintedBlock, blocks.lowerBound), blocks.upperBound)
        guard !line.index.isFarther(block, than: Self.near, from: place) else { return nil }
        var finder = NearestFinder(first: spots.0)
        scan(block: block, &finder)
        return finder.bound <= Self.near ? finder.best : nil
    }

    /// How far from the place a hint may be to save the search for the nearest place, in metres.
    private static let near = 100.0

    /// Returns the distance on the map that is `within` metres over the ground more than a place's.
    private func limit(_ within: Double, beyond place: Sighting) -> Double {
        let distance = PlaneMap.arc(ofChord: place.square.squareRoot())
        // A micrometre more, so that rounding loses neither the nearest nor the same road's other direction.
        return PlaneMap.chord(ofArc: (distance + max(0, within)) * (1 + 1e-12) + 1e-6)
    }

    /// Returns a place that was found in terms of offset and distance.
    func pass(_ sighting: Sighting) -> RouteLine.Pass {
        let offset = min(max(line.offset(of: sighting.spot), offsets.0), offsets.1)
        let chord = sighting.square.squareRoot()
        // Far away, the map is good enough to compare places, not to measure.
        let distance =
            chord < 1_000_000
            ? PlaneMap.arc(ofChord: chord) : origin.distance(to: line.point(at: sighting.spot))
        return RouteLine.Pass(offset: offset, distance: distance)
    }

    /// Returns how a place that was found looks from the one in question.
    func aspect(_ sighting: Sighting) -> RouteLine.Aspect {
        let segment = line.segment(sighting.spot.index)
        let turn = map.turn(to: line.vertices[sighting.spot.index])
        let way = map.position(of: turn + sighting.spot.fraction * segment.extent)
        return RouteLine.Aspect(
            way: SIMD2<Float>(way), heading: SIMD2<Float>(map.direction(of: segment.extent)))
    }

    // MARK: Through the balls

    /// Returns the balls of the part that share a ball on a level above the blocks'.
    private func children(of ball: Int, level: Int) -> ClosedRange<Int> {
        let shift = RouteIndex.fanShift * (level - 1)
        let first = ball << RouteIndex.fanShift
        return max(
            first, blocks.lowerBound >> shift)...min(
                first + RouteIndex.fan - 1, blocks.upperBound >> shift)
    }

    /// Visits the balls that may hold a place nearer than the nearest so far, the most promising one first.
    ///
    /// - Parameter known: A ball of level 1 that has been visited.
    private func findNearest(
        level: Int, _ balls: ClosedRange<Int>, except known: Int?, _ finder: inout NearestFinder
    ) {
        // As many as RouteIndex.fan.
        var gaps = InlineArray<16, Double>(repeating: .infinity)
        var first = 0
        let start = line.index.start(ofLevel: level) + balls.lowerBound
        for child in 0..<balls.count {
            gaps[child] = line.index.gap(to: start + child, from: place)
            if gaps[child] < gaps[first] { first = child }
        }
        guard gaps[first] <= finder.bound else { return }
        findNearest(level: level, in: balls.lowerBound + first, except: known, &finder)
        for child in 0..<balls.count where child != first && gaps[child] <= finder.bound {
            findNearest(level: level, in: balls.lowerBound + child, except: known, &finder)
        }
    }

    private func findNearest(
        level: Int, in ball: Int, except known: Int?, _ finder: inout NearestFinder
    ) {
        if level == 0 {
            scan(block: ball, &finder)
        } else if level > 1 || ball != known {
            findNearest(
                level: level - 1, children(of: ball, level: level), except: known, &finder)
        }
    }

    /// Visits the balls within the visitor's bound, in the order of the route.
    private func visitAll(
        level: Int, _ balls: ClosedRange<Int>, _ visitor: inout some PieceVisitor
    ) {
        let start = line.index.start(ofLevel: level)
        for ball in balls {
            if line.index.isFarther(start + ball, than: visitor.bound, from: place) {
                visitor.skip()
            } else if level > 0 {
                visitAll(level: level - 1, children(of: ball, level: level), &visitor)
            } else {
                scan(block: ball, &visitor)
            }
        }
    }

    // MARK: Along the segments

    /// Visits the segments of a block that belong to the part.
    private func scan(block: Int, _ visitor: inout some PieceVisitor) {
        let first = max(block * RouteLine.blockSize, spots.0.index)
        let last = min(block * RouteLine.blockSize + RouteLine.blockSize - 1, spots.1.index)
        let kind = line.index.kind(block: block, within: reach, of: place)
        if kind == .mixed {
            for index in first...last { scan(index, &visitor) }
            return
        }
        // The part's first and last segment may be cut.
        let low = first == spots.0.index ? first + 1 : first
        let high = last == spots.1.index ? last : last + 1
        if low > first { scan(first, &visitor) }
        if low < high {
            if kind == .near {
                scanNear(low..<high, &visitor)
            } else {
                scanFar(low..<high, block: block, &visitor)
            }
        }
        if high == last, last >= low { scan(last, &visitor) }
    }

    /// Visits whole segments that are straight on the map, near its centre and not beyond the antimeridian.
    @inline(__always)
    private func scanNear(_ segments: Range<Int>, _ visitor: inout some PieceVisitor) {
        var start = map.nearPosition(of: line.vertices[segments.lowerBound])
        for index in segments {
            let end = map.nearPosition(of: line.vertices[index + 1])
            visitor.visit(Piece(index: index, fractions: (0, 1), positions: (start, end)))
            start = end
        }
    }

    /// Visits whole segments that are far from the map's centre and close together.
    private func scanFar(
        _ segments: Range<Int>, block: Int, _ visitor: inout some PieceVisitor
    ) {
        let middle = min(
            block * RouteLine.blockSize + RouteLine.blockSize / 2, line.vertexCount - 1)
        let series = map.series(around: line.vertices[middle])
        var turn = series.turn(to: line.vertices[segments.lowerBound])
        var square = series.square(at: turn)
        for index in segments {
            let next = series.turn(to: line.vertices[index + 1])
            let end = series.square(at: next)
            visitor.visit(
                Piece(
                    index: index, fractions: (0, 1),
                    positions: series.positions(from: square, to: end, along: next - turn)))
            turn = next
            square = end
        }
    }

    /// Visits a segment, or what of it belongs to the part.
    @inline(never)
    private func scan(_ index: Int, _ visitor: inout some PieceVisitor) {
        let low = index == spots.0.index ? spots.0.fraction : 0
        let high = index == spots.1.index ? spots.1.fraction : 1
        let segment = line.segment(index)
        let turn = map.turn(to: line.vertices[index])
        let piece = Piece(
            index: index, fractions: (low, high),
            positions: (
                map.position(of: turn + low * segment.extent),
                map.position(of: turn + high * segment.extent)
            ))
        if segment.isCurved(length: line.segmentLength(index)) {
            Bend(map: map, turn: turn, segment: segment).scan(piece, &visitor)
        } else {
            visitor.visit(piece)
        }
    }
}
