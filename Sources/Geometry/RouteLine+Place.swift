extension RouteLine {
    /// A place on the line by its segment and the fraction of the way along it.
    struct Spot: Comparable {
        /// Index of the segment, which is that of the vertex where it begins.
        var index: Int
        /// How far along the segment in longitude and latitude, 0 to 1.
        var fraction: Double

        static func < (left: Spot, right: Spot) -> Bool {
            (left.index, left.fraction) < (right.index, right.fraction)
        }
    }

    /// Returns the place at an offset; one beyond the line gives the end that is nearer.
    public func point(at offset: Double) -> Coordinate {
        point(at: spot(at: offset))
    }

    /// Returns a place as a coordinate.
    func point(at spot: Spot) -> Coordinate {
        if spot.fraction <= 0 { return vertex(spot.index) }
        if spot.fraction >= 1 { return vertex(spot.index + 1) }
        return Grid.coordinate(segment(spot.index).point(at: spot.fraction))
    }

    /// Returns the direction of travel at an offset, in degrees clockwise from north.
    ///
    /// At a vertex it is that of the segment that begins there; beyond the line it is that of the end that is nearer.
    /// It is `nil` on a line without length.
    public func course(at offset: Double) -> Double? {
        let spot = spot(at: offset)
        for index in spot.index..<vertices.count - 1 {
            let fraction = index == spot.index ? spot.fraction : 0
            if fraction >= 1 { continue }
            if let course = segment(index).course(at: fraction) { return course }
        }
        for index in (0...spot.index).reversed() {
            if let course = segment(index).course(at: 1) { return course }
        }
        return nil
    }

    /// Returns the segment that begins at a vertex.
    @inline(__always)
    func segment(_ index: Int) -> RouteSegment {
        RouteSegment(from: vertices[index], to: vertices[index + 1])
    }

    /// Returns how long the segment is that begins at a vertex.
    @inline(__always)
    func segmentLength(_ index: Int) -> Double {
        offset(ofVertex: index + 1) - offset(ofVertex: index)
    }

    /// Returns an offset brought onto the line; 0 for what is no number.
    @inline(__always)
    func clamped(_ offset: Double) -> Double {
        offset > 0 ? min(offset, length) : 0
    }

    /// Returns the place at an offset, on the last segment that begins at or before it.
    ///
    /// - Parameter block: A block that is probably not far from it.
    func spot(at offset: Double, near block: Int? = nil) -> Spot {
        let offset = clamped(offset)
        let block = self.block(at: offset, near: block)
        let way = offset - blockOffsets[block]
        // The last vertex begins no segment.
        var index = block * Self.blockSize
        var end = min(index + Self.blockSize, vertices.count - 1)
        index = min(index, vertices.count - 2)
        while end - index > 1 {
            let middle = (index + end) / 2
            if Double(vertexOffsets[middle]) <= way { index = middle } else { end = middle }
        }
        let start = self.offset(ofVertex: index)
        let segment = segment(index)
        return Spot(
            index: index,
            fraction: segment.fraction(at: offset - start, of: segmentLength(index)))
    }

    /// Returns the last block that begins at or before an offset.
    ///
    /// - Parameter guess: A block that is probably not far from it, by default the one that it would be if all were
    ///   equally long.
    func block(at offset: Double, near guess: Int? = nil) -> Int {
        let count = blockOffsets.count
        let share = Int(clamped(offset) / max(length, 1) * Double(count))
        let guess = min(guess ?? share, count - 1)
        // Ever larger steps away from the guess, then halves between the last two.
        var low = guess
        var high = guess + 1
        var step = 1
        while low > 0, blockOffsets[low] > offset {
            high = low
            low = max(0, low - step)
            step *= 2
        }
        while high < count, blockOffsets[high] <= offset {
            low = high
            high = min(count, high + step)
            step *= 2
        }
        while high - low > 1 {
            let middle = (low + high) / 2
            if blockOffsets[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }

    /// Returns the offset of a place.
    func offset(of spot: Spot) -> Double {
        let start = offset(ofVertex: spot.index)
        let segment = segment(spot.index)
        return start + segment.offset(at: spot.fraction, of: segmentLength(spot.index))
    }

    /// Returns two offsets and those of all vertices between them, in order.
    func vertexOffsets(from start: Double, to end: Double) -> [Double] {
        let (first, last) = (spot(at: start).index + 1, spot(at: end).index)
        let between = first <= last ? (first...last).map { offset(ofVertex: $0) } : []
        return [start] + between.filter { $0 > start && $0 < end } + [end]
    }

    /// Returns the coordinates of a part: where it begins, all vertices between, and where it ends.
    ///
    /// - Parameters:
    ///   - start: Offset of the part's start in metres, brought onto the line.
    ///   - end: Offset of the part's end; `start` where it is less.
    public func coordinates(from start: Double, to end: Double) -> [Coordinate] {
        let start = clamped(start)
        return vertexOffsets(from: start, to: max(clamped(end), start)).map(point(at:))
    }
}
