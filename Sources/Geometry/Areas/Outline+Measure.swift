import Glibc

extension Outline {
    /// Returns the area of each ring of a part over the ground, in square metres; 0 where it encloses nothing.
    func ringAreas(ofPart part: Int) -> [Double] {
        rings(ofPart: part).map { ring in
            let vertices = vertices(ofRing: ring)
            guard doubledArea(vertices) != 0 else { return 0 }
            let middle = (grid.origin.x + Double(self.vertices[vertices.lowerBound].x)) / grid.scale
            let base = Ellipsoid.strip(upTo: middle)
            var sum = 0.0
            for index in vertices.dropLast() { sum += areaBelow(edge: index, from: base) }
            return abs(sum)
        }
    }

    /// Returns twice the area of a ring in the grid, exactly.
    private func doubledArea(_ ring: Range<Int>) -> Int128 {
        var sum: Int128 = 0
        for index in ring.dropLast() {
            let (start, end) = (vertices[index], vertices[index + 1])
            sum += Int128(start.y) * Int128(end.x) - Int128(end.y) * Int128(start.x)
        }
        return sum
    }

    /// Returns the area between an edge and a parallel, negative where the edge leads to the west.
    private func areaBelow(edge index: Int, from base: Double) -> Double {
        let (start, end) = (vertex(index), vertex(index + 1))
        let east = (end.y - start.y) / grid.scale * Ellipsoid.radian
        guard east != 0 else { return 0 }
        let latitudes = (start.x + grid.origin.x, end.x + grid.origin.x)
        let north = (latitudes.1 - latitudes.0) / grid.scale
        // Gauss's and Legendre's three nodes, over 5 degrees of latitude at most.
        let panels = (abs(north) / 5).rounded(.down) + 1
        var sum = 0.0
        for panel in 0..<Int(panels) {
            let middle = latitudes.0 / grid.scale + north * (Double(panel) + 0.5) / panels
            let reach = 0.7745966692414834 * north / panels / 2
            sum += 8 * (Ellipsoid.strip(upTo: middle) - base)
            sum += 5 * (Ellipsoid.strip(upTo: middle - reach) - base)
            sum += 5 * (Ellipsoid.strip(upTo: middle + reach) - base)
        }
        return east * sum / (18 * panels)
    }
}

extension Ellipsoid {
    /// Returns the area from the equator up to a parallel for each radian of longitude, in square metres.
    static func strip(upTo latitude: Double) -> Double {
        let sine = sin(latitude * radian)
        let root = eccentricity.squareRoot()
        let polar = equatorialRadius * (1 - flattening)
        return polar * polar / 2
            * (sine / (1 - eccentricity * sine * sine) + atanh(root * sine) / root)
    }
}
