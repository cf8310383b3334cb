extension Area {
    /// Returns the pieces of a route between two offsets that lie inside, in order, as offsets of the route.
    ///
    /// - Parameters:
    ///   - line: The route.
    ///   - start: Offset where to begin, brought onto the route.
    ///   - end: Offset where to end; `start` where it is less.
    public func pieces(
        of line: RouteLine, from start: Double = 0, to end: Double = .infinity
    ) -> [AreaPiece] {
        guard hasInside else { return [] }
        var pieces: [AreaPiece] = []
        line.forEachWay(from: start, to: end, near: self) { way, offset in
            for piece in self.pieces(of: way) {
                let next = AreaPiece(
                    start: offset(piece.start), end: offset(piece.end), length: piece.length)
                // Offsets of vertices are rounded.
                if let last = pieces.last, next.start <= last.end + 0.01 {
                    pieces[pieces.count - 1].end = max(last.end, next.end)
                    pieces[pieces.count - 1].length += next.length
                } else {
                    pieces.append(next)
                }
            }
        }
        return pieces
    }

    /// Returns where a route crosses the middle of a line between two offsets, in order, as offsets of the route.
    ///
    /// - Parameters:
    ///   - line: The route.
    ///   - start: Offset where to begin, brought onto the route.
    ///   - end: Offset where to end; `start` where it is less.
    public func crossings(
        of line: RouteLine, from start: Double = 0, to end: Double = .infinity
    ) -> [LineCrossing] {
        guard case .line = form else { return [] }
        var crossings: [LineCrossing] = []
        line.forEachWay(from: start, to: end, near: self) { way, offset in
            for crossing in self.crossings(of: way) {
                crossings.append(
                    LineCrossing(
                        position: offset(crossing.position), isToLeft: crossing.isToLeft))
            }
        }
        return crossings
    }

    /// Returns where a route comes to the area, in order, as offsets of the route; loops have several such spots.
    ///
    /// Of a point these are the nearest places of the stretches within some metres, of a line of width 0 where it is
    /// crossed, of all others where they are entered.
    ///
    /// - Parameters:
    ///   - line: The route.
    ///   - reach: How near to a point the route must come, in metres.
    public func spots(on line: RouteLine, within reach: Double = 50) -> [Double] {
        switch form {
        case .point(let coordinate):
            let disc = Area(disc: Disc(center: coordinate, radius: reach))
            return disc.pieces(of: line).map { piece in
                line.nearest(to: coordinate, from: piece.start, to: piece.end).offset
            }
        case .line(_, width: 0):
            return crossings(of: line).map(\.position)
        case .circle, .rectangle, .polygon, .line:
            return pieces(of: line).map(\.start).filter { $0 > 0 }
        }
    }

    private init(disc: Disc) {
        form = .circle(disc)
        squareMetres = disc.squareMetres
    }
}

extension RouteLine {
    /// Calls a closure with the segments of a part that may meet an area, in order, and how fractions become offsets.
    fileprivate func forEachWay(
        from start: Double, to end: Double, near area: Area,
        _ body: (_ way: Way, _ offset: (Double) -> Double) -> Void
    ) {
        let start = clamped(start)
        let spots = (spot(at: start), spot(at: max(clamped(end), start)))
        let surroundings = area.box.surroundings
        let place = PlaneMap(around: surroundings.center).ball(
            longitude: surroundings.center.longitude)
        let box = area.box
        forEachBlock(
            spots.0.index / Self.blockSize...spots.1.index / Self.blockSize,
            within: surroundings.radius, of: place
        ) { block in
            let first = max(block * Self.blockSize, spots.0.index)
            let last = min(block * Self.blockSize + Self.blockSize - 1, spots.1.index)
            for index in first...last {
                let low = index == spots.0.index ? spots.0.fraction : 0
                let high = index == spots.1.index ? spots.1.fraction : 1
                let way = Way(
                    from: point(at: Spot(index: index, fraction: low)),
                    to: point(at: Spot(index: index, fraction: high)))
                guard low < high || spots.0 == spots.1, box.meets(way.box) else { continue }
                body(way) { fraction in
                    self.offset(of: Spot(index: index, fraction: low + fraction * (high - low)))
                }
            }
        }
    }

    /// Calls a closure with the blocks that may be within some metres of a place, in order.
    private func forEachBlock(
        _ blocks: ClosedRange<Int>, within radius: Double, of place: Ball, _ body: (Int) -> Void
    ) {
        var level = 0
        var balls = blocks
        while balls.count > RouteIndex.fan {
            level += 1
            balls =
                balls.lowerBound >> RouteIndex.fanShift...balls.upperBound >> RouteIndex.fanShift
        }
        visit(balls, level: level, blocks, within: radius, of: place, body)
    }

    private func visit(
        _ balls: ClosedRange<Int>, level: Int, _ blocks: ClosedRange<Int>, within radius: Double,
        of place: Ball, _ body: (Int) -> Void
    ) {
        let start = index.start(ofLevel: level)
        for ball in balls where !index.isFarther(start + ball, than: radius, from: place) {
            guard level > 0 else {
                body(ball)
                continue
            }
            let shift = RouteIndex.fanShift * (level - 1)
            let first = ball << RouteIndex.fanShift
            let children =
                max(
                    first, blocks.lowerBound >> shift)...min(
                    first + RouteIndex.fan - 1, blocks.upperBound >> shift)
            visit(children, level: level - 1, blocks, within: radius, of: place, body)
        }
    }
}

extension CoordinateBox {
    /// A coordinate and the metres through the earth from there within which all of the box is.
    fileprivate var surroundings: (center: Coordinate, radius: Double) {
        let center = Coordinate(
            latitude: (south + north) / 2, longitude: Self.inRange(west + width / 2))
        guard width < 120 else { return (center, .infinity) }
        // Nearest to the equator a box is widest.
        let edges = south < 0 && north > 0 ? [south, 0, north] : [south, north]
        let reach = edges.reduce(0) { reach, latitude in
            max(reach, center.distance(to: Coordinate(latitude: latitude, longitude: east)))
        }
        return (center, reach * 1.001 + 1)
    }
}
