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
        let spot = spot(at: offset)
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
    func spot(at offset: Double) -> Spot {
        let offset = clamped(offset)
        let block = block(at: offset)
        let base = blockOffsets[block]
        var index = block * Self.blockSize
        let last = min(index + Self.blockSize, vertices.count - 1)
        while index + 1 < last, base + Double(vertexOffsets[index + 1]) <= offset { index += 1 }
        index = min(index, vertices.count - 2)
        let start = self.offset(ofVertex: index)
        let segment = segment(index)
        return Spot(
            index: index,
            fraction: segment.fraction(at: offset - start, of: segmentLength(index)))
    }

    /// Returns the last block that begins at or before an offset.
    func block(at offset: Double) -> Int {
        var low = 0
        var high = blockOffsets.count
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
}
