/// A search along a part of a route for what is near a place.
struct RouteSearch {
    private let line: RouteLine
    private let map: PlaneMap
    private let place: Ball
    /// The part's ends, as offsets and as spots.
    private let offsets: (Double, Double)
    private let spots: (RouteLine.Spot, RouteLine.Spot)

    /// Prepares the search of the part between two offsets.
    init(_ line: RouteLine, around place: Coordinate, from start: Double, to end: Double) {
        self.line = line
        map = PlaneMap(around: place)
        self.place = RouteIndex.place(place)
        let start = line.clamped(start)
        let end = max(line.clamped(end), start)
        offsets = (start, end)
        spots = (line.spot(at: start), line.spot(at: end))
    }

    private var blocks: ClosedRange<Int> {
        spots.0.index / RouteLine.blockSize...spots.1.index / RouteLine.blockSize
    }

    /// Returns the nearest place, which is found soonest when it is near the offset `hint`.
    func nearest(hint: Double?) -> Sighting {
        var finder = NearestFinder(first: spots.0)
        let blocks = blocks
        var known = -1
        if let hint, blocks.count > 1 {
            known = min(max(line.block(at: hint), blocks.lowerBound), blocks.upperBound)
            scan(block: known, &finder)
        }
        let (level, balls) = top
        findNearest(level: level, balls, except: known, &finder)
        return finder.best
    }

    /// Calls a closure with each local minimum that is not farther than `limit`.
    func forEachMinimum(upTo limit: Double, _ body: (Sighting) -> Void) {
        withoutActuallyEscaping(body) { report in
            var finder = PassFinder(limit: PlaneMap.chord(ofArc: limit), report: report)
            let (level, balls) = top
            visitAll(level: level, balls, &finder)
            finder.finish()
        }
    }

    /// Returns a place that was found in terms of offset and distance.
    func pass(_ sighting: Sighting) -> RouteLine.Pass {
        let offset = line.offset(of: sighting.spot)
        return RouteLine.Pass(
            offset: min(max(offset, offsets.0), offsets.1),
            distance: PlaneMap.arc(ofChord: sighting.square.squareRoot()))
    }

    // MARK: Through the balls

    /// The lowest level on which few balls hold the whole part, and those balls.
    private var top: (level: Int, balls: ClosedRange<Int>) {
        var level = 0
        var balls = blocks
        while balls.count > RouteIndex.fan {
            level += 1
            balls =
                balls.lowerBound >> RouteIndex.fanShift...balls.upperBound >> RouteIndex.fanShift
        }
        return (level, balls)
    }

    /// Returns the balls of the part that share a ball on a level above the blocks'.
    private func children(of ball: Int, level: Int) -> ClosedRange<Int> {
        let shift = RouteIndex.fanShift * (level - 1)
        let first = ball << RouteIndex.fanShift
        return max(
            first, blocks.lowerBound >> shift)...min(
                first + RouteIndex.fan - 1, blocks.upperBound >> shift)
    }

    /// Visits the balls that may hold a place nearer than the nearest so far, the most promising one first.
    private func findNearest(
        level: Int, _ balls: ClosedRange<Int>, except known: Int, _ finder: inout NearestFinder
    ) {
        var first = balls.lowerBound
        if balls.count > 1 {
            var least = Double.infinity
            for ball in balls {
                let gap = line.index.gap(to: ball, level: level, from: place)
                if gap < least { (least, first) = (gap, ball) }
            }
            guard least <= finder.bound else { return }
        }
        findNearest(level: level, in: first, except: known, &finder)
        for ball in balls where ball != first {
            let gap = line.index.gap(to: ball, level: level, from: place)
            if gap <= finder.bound {
                findNearest(level: level, in: ball, except: known, &finder)
            }
        }
    }

    private func findNearest(
        level: Int, in ball: Int, except known: Int, _ finder: inout NearestFinder
    ) {
        if level > 0 {
            findNearest(
                level: level - 1, children(of: ball, level: level), except: known, &finder)
        } else if ball != known {
            scan(block: ball, &finder)
        }
    }

    /// Visits the balls within the visitor's bound, in the order of the route.
    private func visitAll(
        level: Int, _ balls: ClosedRange<Int>, _ visitor: inout some PieceVisitor
    ) {
        for ball in balls {
            if line.index.gap(to: ball, level: level, from: place) > visitor.bound {
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
        if line.index.isBent(block: block) {
            for index in first...last { scan(index, &visitor) }
            return
        }
        // The part's first and last segment may be cut.
        let low = first == spots.0.index ? first + 1 : first
        let high = last == spots.1.index ? last - 1 : last
        if low > first { scan(first, &visitor) }
        if low <= high { scanWhole(low...high, &visitor) }
        if high < last, last > first || low == first { scan(last, &visitor) }
    }

    /// Visits whole segments that are straight on the map.
    @inline(__always)
    private func scanWhole(_ segments: ClosedRange<Int>, _ visitor: inout some PieceVisitor) {
        var turn = map.turn(to: line.vertices[segments.lowerBound])
        var position = map.position(of: turn)
        for index in segments {
            let next = map.turn(to: line.vertices[index + 1])
            let end = map.position(of: next)
            if abs(next.y - turn.y) > Grid.circle / 2 {
                scan(index, &visitor)
            } else {
                visitor.visit(
                    Piece(index: index, fractions: (0, 1), positions: (position, end)))
            }
            turn = next
            position = end
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
