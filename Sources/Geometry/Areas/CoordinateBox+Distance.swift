extension CoordinateBox {
    /// Checks that it is the description of an area.
    func check() throws(AreaError) {
        for (name, value, most) in [
            ("south", south, 90.0), ("west", west, 180), ("north", north, 90), ("east", east, 180),
        ] where !(abs(value) <= most) {
            throw AreaError(
                .outOfRange, "rectangle: \(name) \(value) is not within -\(most) to \(most)")
        }
        guard south <= north else {
            throw AreaError(
                .noArea, "rectangle: south \(south) is north of north \(north)")
        }
        guard south < north else {
            throw AreaError(.noArea, "rectangle: south and north are both \(south)")
        }
        guard width > 0 else {
            throw AreaError(.noArea, "rectangle: west \(west) and east \(east) are one meridian")
        }
    }

    /// The area over the ground, in square metres.
    var squareMetres: Double {
        (Ellipsoid.strip(upTo: north) - Ellipsoid.strip(upTo: south)) * width * Ellipsoid.radian
    }

    /// Returns where the edge is nearest to a viewpoint.
    func boundary(from viewpoint: Viewpoint) -> Area.BoundaryPoint {
        let place = viewpoint.coordinate
        var nearest = Area.BoundaryPoint(coordinate: place, distance: .infinity)
        // The nearest place of a parallel is on the own meridian, or else at its end, which the sides have.
        if offset(of: place.longitude) <= width {
            for latitude in [south, north] where !(isBelt && abs(latitude) == 90) {
                let there = Coordinate(latitude: latitude, longitude: place.longitude)
                let distance = viewpoint.distance(to: there)
                if distance < nearest.distance {
                    nearest = Area.BoundaryPoint(coordinate: there, distance: distance)
                }
            }
        }
        if !isBelt {
            for longitude in [west, east] {
                let side = viewpoint.nearest(
                    of: Way(
                        from: Coordinate(latitude: south, longitude: longitude),
                        to: Coordinate(latitude: north, longitude: longitude)))
                if side.distance < nearest.distance { nearest = side }
            }
        }
        if contains(place) { nearest.distance = -nearest.distance }
        return nearest
    }
}

extension Viewpoint {
    /// Returns the nearest place of a way.
    func nearest(of way: Way) -> Area.BoundaryPoint {
        let segment = way.segment
        var finder = NearestFinder(first: RouteLine.Spot(index: 0, fraction: 0))
        segment.scan(on: map, turn: map.turn(to: segment.origin), &finder)
        let there = way.point(at: finder.best.spot.fraction)
        return Area.BoundaryPoint(coordinate: there, distance: distance(to: there))
    }
}

extension RouteSegment {
    /// Passes the whole segment on to a visitor in pieces that are straight on a map.
    ///
    /// - Parameter turn: The way from the map's centre to where the segment begins.
    func scan(on map: PlaneMap, turn: GridPoint, _ visitor: inout some PieceVisitor) {
        let piece = Piece(
            index: 0, fractions: (0, 1),
            positions: (map.position(of: turn), map.position(of: turn + extent)))
        if OutlineSearch.isCurved(from: origin.x, extent: extent) {
            Bend(map: map, turn: turn, segment: self).scan(piece, &visitor)
        } else {
            visitor.visit(piece)
        }
    }
}
