/// Checks a polygon's rings or a line, and brings them into the form of an outline.
struct RingReader {
    /// A ring or a line as an outline takes it, with the vertices as they were written.
    struct Ring {
        /// The vertices in degrees, latitude in `x`, longitude in `y` going on beyond 180; a ring repeats the first one.
        var vertices: [SIMD2<Double>]
        /// For each of them, its number among those written.
        var numbers: [Int32]
    }

    /// Where a ring is among the parts, for messages.
    let name: String

    /// Returns a line.
    func line(_ coordinates: [Coordinate]) throws(AreaError) -> Ring {
        let line = try unwound(coordinates)
        guard line.vertices.count >= 2 else {
            throw AreaError(.tooFewVertices, "\(name) has fewer than 2 different vertices")
        }
        return line
    }

    /// Returns a closed ring, whether or not it was written as one.
    func ring(_ coordinates: [Coordinate]) throws(AreaError) -> Ring {
        var ring = try unwound(coordinates)
        guard let first = ring.vertices.first, let last = ring.vertices.last else {
            throw AreaError(.tooFewVertices, "\(name) has no vertices")
        }
        var turns = 0.0
        let edge = (ring.numbers.last ?? 0, ring.numbers[0])
        if ring.vertices.count == 1 || !Self.isSame(last, first) {
            turns = try self.turns(
                from: last.y, to: first.y, Int(edge.0), Int(edge.1), coordinates)
        } else {
            turns = ((last.y - first.y) / 360).rounded()
            ring.vertices.removeLast()
            ring.numbers.removeLast()
        }
        guard ring.vertices.count >= 3 else {
            throw AreaError(
                .tooFewVertices,
                "\(name) has \(ring.vertices.count) different vertices; a ring needs 3 or more")
        }
        guard turns == 0 else {
            throw AreaError(.aroundPole, "\(name) goes round a pole: which side is meant?")
        }
        guard Self.span(of: ring) < 720 else {
            throw AreaError(.aroundPole, "\(name) goes round the earth more than once")
        }
        ring.vertices.append(first)
        ring.numbers.append(ring.numbers[0])
        return ring
    }

    /// Returns vertices without repeated ones, with longitudes that go on from each to the next the shorter way.
    private func unwound(_ coordinates: [Coordinate]) throws(AreaError) -> Ring {
        var ring = Ring(vertices: [], numbers: [])
        ring.vertices.reserveCapacity(coordinates.count + 1)
        ring.numbers.reserveCapacity(coordinates.count + 1)
        var turns = 0.0
        for (number, coordinate) in coordinates.enumerated() {
            guard coordinate.isValid else {
                throw AreaError(
                    .outOfRange,
                    "\(name), vertex \(number): \(coordinate.text) is out of range (longitude -180 to 180, latitude -90 to 90)"
                )
            }
            if let last = ring.vertices.last {
                let before = last.y - 360 * turns
                turns += try self.turns(
                    from: before, to: coordinate.longitude, Int(ring.numbers.last ?? 0), number,
                    coordinates)
                let vertex = SIMD2(coordinate.latitude, coordinate.longitude + 360 * turns)
                if Self.isSame(last, vertex) { continue }
                ring.vertices.append(vertex)
            } else {
                ring.vertices.append(SIMD2(coordinate.latitude, coordinate.longitude))
            }
            ring.numbers.append(Int32(number))
        }
        return ring
    }

    /// Returns by how many turns a longitude goes on where the shorter way from another to it crosses 180 degrees.
    private func turns(
        from start: Double, to end: Double, _ first: Int, _ second: Int,
        _ coordinates: [Coordinate]
    ) throws(AreaError) -> Double {
        let turn = end - start - 360 * ((end - start) / 360).rounded()
        guard abs(turn) != 180 else {
            let ends = "\(coordinates[first].text) and \(coordinates[second].text)"
            throw AreaError(
                .halfCircle,
                "\(name): the edge from vertex \(first) to \(second), between \(ends), spans exactly 180 degrees: which way round?"
            )
        }
        return -((end - start) / 360).rounded()
    }

    /// Whether two vertices are one, as near as any grid tells them apart.
    private static func isSame(_ left: SIMD2<Double>, _ right: SIMD2<Double>) -> Bool {
        let way = left - right
        return abs(way.x) < 1e-10
            && abs(way.y - 360 * (way.y / 360).rounded()) < 1e-10
    }

    private static func span(of ring: Ring) -> Double {
        var low = Double.infinity
        var high = -Double.infinity
        for vertex in ring.vertices {
            low = min(low, vertex.y)
            high = max(high, vertex.y)
        }
        return high - low
    }
}

extension Coordinate {
    /// The coordinate for messages, longitude first as in GeoJSON.
    var text: String { "[\(longitude), \(latitude)]" }
}
