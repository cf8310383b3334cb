/// Checks a polygon, and measures it.
enum PolygonReader {
    /// Returns the outline and the area in square metres of a polygon.
    static func read(
        _ parts: [[[Coordinate]]]
    ) throws(AreaError) -> (outline: Outline, squareMetres: Double) {
        guard !parts.isEmpty else { throw AreaError(.tooFewVertices, "polygon has no rings") }
        var rings: [[RingReader.Ring]] = []
        for part in parts.indices {
            guard !parts[part].isEmpty else {
                throw AreaError(.tooFewVertices, "\(name(part, of: parts)) has no rings")
            }
            var own: [RingReader.Ring] = []
            for ring in parts[part].indices {
                let reader = RingReader(name: name(part, ring, of: parts))
                own.append(try reader.ring(parts[part][ring]))
            }
            rings.append(own)
        }
        bringTogether(&rings)
        let outline = Outline(rings.map { $0.map(\.vertices) })
        var sum = 0.0
        for part in parts.indices {
            sum += try area(of: part, rings[part], outline, parts)
        }
        return (outline, sum)
    }

    /// Returns the area of a part that is in order.
    private static func area(
        of part: Int, _ rings: [RingReader.Ring], _ outline: Outline, _ parts: [[[Coordinate]]]
    ) throws(AreaError) -> Double {
        let own = outline.rings(ofPart: part)
        var sweep = EdgeSweep(outline, part: part)
        if let crossing = sweep.run() {
            let edges = [crossing.first, crossing.second].map { vertex in
                let ring = own.first { outline.vertices(ofRing: $0).contains(vertex) } ?? 0
                let index = vertex - outline.vertices(ofRing: ring).lowerBound
                let written = rings[ring - own.lowerBound]
                return name(edge: index, of: written, part, ring - own.lowerBound, parts)
            }
            throw AreaError(.crossing, "edges cross: \(edges[0]) and \(edges[1])")
        }
        var sum = 0.0
        var gross = 0.0
        for (index, area) in outline.ringAreas(ofPart: part).enumerated() {
            guard area > 0 else {
                throw AreaError(.noArea, "\(name(part, index, of: parts)) encloses no area")
            }
            sum += sweep.isFilled[index] ? area : -area
            gross += area
        }
        // Rings that lie on each other take each other away but for the rounding.
        guard sum > gross * 1e-12 else {
            throw AreaError(.noArea, "\(name(part, of: parts)) has no area left between its rings")
        }
        return sum
    }

    /// Moves rings by whole turns, so that none is more than half a turn away from the first.
    private static func bringTogether(_ parts: inout [[RingReader.Ring]]) {
        var first: Double?
        for part in parts.indices {
            for ring in parts[part].indices {
                let longitudes = parts[part][ring].vertices.map(\.y)
                let middle = ((longitudes.min() ?? 0) + (longitudes.max() ?? 0)) / 2
                guard let center = first else {
                    first = middle
                    continue
                }
                let turns = ((middle - center) / 360).rounded()
                guard turns != 0 else { continue }
                for index in longitudes.indices {
                    parts[part][ring].vertices[index].y -= 360 * turns
                }
            }
        }
    }

    private static func name(_ part: Int, of parts: [[[Coordinate]]]) -> String {
        parts.count > 1 ? "polygon, part \(part)" : "polygon"
    }

    private static func name(_ part: Int, _ ring: Int, of parts: [[[Coordinate]]]) -> String {
        "\(name(part, of: parts)), ring \(ring)"
    }

    private static func name(
        edge index: Int, of ring: RingReader.Ring, _ part: Int, _ number: Int,
        _ parts: [[[Coordinate]]]
    ) -> String {
        let ends = (Int(ring.numbers[index]), Int(ring.numbers[index + 1]))
        let written = parts[part][number]
        let place = parts.count > 1 ? "part \(part), ring \(number)" : "ring \(number)"
        return
            "\(place), edge \(ends.0) from \(written[ends.0].text) to \(written[ends.1].text)"
    }
}
