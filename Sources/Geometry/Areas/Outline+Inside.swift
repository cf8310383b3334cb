extension Outline {
    /// Whether a place is within an odd number of a part's rings.
    ///
    /// A ray to the east is followed; what it meets exactly at a vertex belongs to one of both edges.
    ///
    /// - Parameters:
    ///   - place: In units; less than half a circle from zero.
    ///   - blocks: The part's blocks.
    func isOdd(_ place: SIMD2<Double>, in blocks: Range<Int>) -> Bool {
        guard place.x >= Double(low.x), place.x <= Double(high.x) else { return false }
        var isOdd = false
        // A ring that spans more than half a circle may hold the place a whole circle away.
        let spansHalf = Double(high.y) - Double(low.y) > grid.circle / 2
        for turn in spansHalf ? -1...1 : 0...0 {
            let longitude = place.y + Double(turn) * grid.circle
            guard longitude >= Double(low.y), longitude <= Double(high.y) else { continue }
            let ray = Ray(outline: self, place: SIMD2(place.x, longitude), blocks: blocks)
            if ray.isOdd { isOdd.toggle() }
        }
        return isOdd
    }
}

/// A ray along a parallel to the east, which counts the edges that it crosses.
private struct Ray {
    let outline: Outline
    let place: SIMD2<Double>
    let blocks: Range<Int>

    /// Whether it crosses an odd number of edges.
    var isOdd: Bool {
        if blocks.count == 1 { return isOdd(edges: outline.edges(ofBlock: blocks.lowerBound)) }
        let top = outline.tree.top(over: blocks)
        return isOdd(boxes: top.boxes, level: top.level)
    }

    private func isOdd(boxes: ClosedRange<Int>, level: Int) -> Bool {
        var isOdd = false
        let start = outline.tree.start(ofLevel: level)
        for index in boxes {
            let box = outline.tree[start + index]
            guard place.x >= Double(box.x), place.x < Double(box.z), place.y <= Double(box.w)
            else { continue }
            if self.isOdd(box: index, level: level, isEast: place.y < Double(box.y)) {
                isOdd.toggle()
            }
        }
        return isOdd
    }

    /// - Parameter isEast: Whether all of the box is to the east, so that of a chain only the ends matter.
    private func isOdd(box: Int, level: Int, isEast: Bool) -> Bool {
        let below = outline.tree.blocks(below: box, level: level, within: blocks)
        if isEast, outline.tree.isChain(below) {
            let start = outline.edges(ofBlock: below.lowerBound).lowerBound
            let end = outline.edges(ofBlock: below.upperBound - 1).upperBound
            return isNorth(start) != isNorth(end)
        }
        if level == 0 { return isOdd(edges: outline.edges(ofBlock: box)) }
        return isOdd(
            boxes: outline.tree.children(of: box, level: level, within: blocks), level: level - 1)
    }

    private func isOdd(edges: Range<Int>) -> Bool {
        var isOdd = false
        var start = outline.vertex(edges.lowerBound) - place
        for index in edges {
            let end = outline.vertex(index + 1) - place
            if (start.x > 0) != (end.x > 0) {
                let side = start.y * end.x - start.x * end.y
                if (side > 0) == (end.x > 0) { isOdd.toggle() }
            }
            start = end
        }
        return isOdd
    }

    @inline(__always)
    private func isNorth(_ vertex: Int) -> Bool {
        Double(outline.vertices[vertex].x) > place.x
    }
}
