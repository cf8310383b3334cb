extension Area {
    /// A place of an area's boundary.
    public struct BoundaryPoint: Hashable, Sendable {
        /// Where it is.
        public var coordinate: Coordinate
        /// How far it is from the viewpoint, in metres; 0 or less where that is inside.
        public var distance: Double
    }

    /// Returns how far a coordinate is from the boundary, in metres: 0 or less inside, more than 0 outside.
    ///
    /// Of several parts it is the least. Of a point and a line of width 0 it is the distance to them, also where that
    /// is 0. Infinite when the coordinate is not valid.
    public func distance(from coordinate: Coordinate) -> Double {
        coordinate.isValid ? distance(from: Viewpoint(coordinate)) : .infinity
    }

    /// Returns what `distance(from:)` returns for the viewpoint's coordinate, cheaper for many areas.
    public func distance(from viewpoint: Viewpoint) -> Double {
        switch form {
        case .point(let coordinate): viewpoint.distance(to: coordinate)
        case .circle(let disc): disc.distance(from: viewpoint)
        case .rectangle(let box): box.boundary(from: viewpoint).distance
        case .polygon(let outline): outline.boundary(from: viewpoint).distance
        case .line(let outline, let width):
            outline.distanceToLine(from: viewpoint) - width / 2
        }
    }

    /// Whether a coordinate is inside or on the boundary; never of a point or a line of width 0.
    public func contains(_ coordinate: Coordinate) -> Bool {
        hasInside && distance(from: coordinate) <= 0
    }

    /// Returns the place of the boundary that is nearest to a viewpoint; of a line, the nearest place of its middle.
    ///
    /// Of several parts it is the boundary of the one whose distance is the least.
    public func nearestBoundary(from viewpoint: Viewpoint) -> BoundaryPoint {
        switch form {
        case .point(let coordinate):
            return BoundaryPoint(
                coordinate: coordinate, distance: viewpoint.distance(to: coordinate))
        case .circle(let disc):
            let course = disc.center.course(to: viewpoint.coordinate)
            return BoundaryPoint(
                coordinate: disc.center.destination(course: course, distance: disc.radius),
                distance: disc.distance(from: viewpoint))
        case .rectangle(let box):
            return box.boundary(from: viewpoint)
        case .polygon(let outline):
            let boundary = outline.boundary(from: viewpoint)
            return BoundaryPoint(
                coordinate: outline.point(at: boundary.spot), distance: boundary.distance)
        case .line(let outline, let width):
            let search = OutlineSearch(outline, from: viewpoint)
            let nearest = search.nearest(in: outline.blocks(ofPart: 0))
            return BoundaryPoint(
                coordinate: outline.point(at: nearest.spot),
                distance: search.distance(nearest) - width / 2)
        }
    }
}

extension Outline {
    /// Returns where the boundary of a polygon is nearest, of several parts where the signed distance is the least.
    func boundary(from viewpoint: Viewpoint) -> (spot: RouteLine.Spot, distance: Double) {
        let search = OutlineSearch(self, from: viewpoint)
        if !tree.hasBoxes, let map = search.shortMap {
            let (nearest, isInside) = map.scan(vertices, edges(ofBlock: 0))
            let distance = search.distance(nearest)
            return (nearest.spot, isInside ? -distance : distance)
        }
        let place = grid.units(viewpoint.coordinate)
        var deepest: (spot: RouteLine.Spot, distance: Double)?
        if place.x >= Double(low.x), place.x <= Double(high.x) {
            for part in 0..<partCount {
                let blocks = blocks(ofPart: part)
                guard isOdd(place, in: blocks) else { continue }
                let nearest = search.nearest(in: blocks)
                let distance = -search.distance(nearest)
                if distance < deepest?.distance ?? .infinity { deepest = (nearest.spot, distance) }
            }
        }
        if let deepest { return deepest }
        let nearest = search.nearest(in: 0..<tree.blockCount)
        return (nearest.spot, search.distance(nearest))
    }

    /// Returns how far a viewpoint is from the nearest edge, in metres.
    func distanceToLine(from viewpoint: Viewpoint) -> Double {
        let search = OutlineSearch(self, from: viewpoint)
        return search.distance(search.nearest(in: 0..<tree.blockCount))
    }

    /// The box around all edges.
    var box: CoordinateBox {
        let corners = (grid.coordinate(low), grid.coordinate(high))
        let isBelt = Double(high.y) - Double(low.y) >= grid.circle
        return CoordinateBox(
            south: corners.0.latitude, west: isBelt ? -180 : corners.0.longitude,
            north: corners.1.latitude, east: isBelt ? 180 : corners.1.longitude)
    }

    /// The vertices of each ring of each part.
    var coordinates: [[[Coordinate]]] {
        (0..<partCount).map { part in
            rings(ofPart: part).map { ring in
                vertices(ofRing: ring).map { grid.coordinate(vertices[$0]) }
            }
        }
    }

    /// How long all edges of a line are, in metres.
    var length: Double {
        zip(vertices, vertices.dropFirst()).reduce(0) { sum, edge in
            sum + Way(from: grid.coordinate(edge.0), to: grid.coordinate(edge.1)).length
        }
    }
}
