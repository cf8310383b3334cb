import Geometry

extension SeededGenerator {
    /// Returns a ring that does not cross itself: vertices in the order of their directions from a centre.
    mutating func ring(
        around center: Coordinate, radius: Double, vertices count: Int
    ) -> [Coordinate] {
        let turn = number(0...360)
        var ring = (0..<count).map { index in
            center.destination(
                course: turn + 360 * (Double(index) + number(0...0.6)) / Double(count),
                distance: radius * number(0.3...1))
        }
        if chance(0.5) { ring.reverse() }
        if chance(0.5) { ring.append(ring[0]) }
        if chance(0.3) { ring.insert(ring[1], at: 1) }
        return ring
    }

    /// Returns a place where shapes are as large in longitude as they are anywhere but at the poles.
    mutating func habitablePlace() -> Coordinate {
        var place = place()
        place.latitude = min(max(place.latitude, -84), 84)
        return place
    }

    /// Returns a circle, rectangle, polygon or strip around a place that reaches about some metres.
    mutating func shape(around center: Coordinate, radius: Double) -> Area.Shape {
        switch index(below: 5) {
        case 0: return .circle(center: center, radius: radius)
        case 1:
            let south = center.destination(course: 180, distance: radius)
            let north = center.destination(course: 0, distance: radius * number(0.1...1))
            let west = center.destination(course: 270, distance: radius * number(0.1...1))
            let east = center.destination(course: 90, distance: radius)
            return .rectangle(
                CoordinateBox(
                    south: south.latitude, west: west.longitude, north: north.latitude,
                    east: east.longitude))
        case 2:
            let count = [3, 4, 7, 20, 100, 600][index(below: 6)]
            return .polygon([[ring(around: center, radius: radius, vertices: count)]])
        case 3:
            let hole = ring(around: center, radius: radius * 0.08, vertices: 9)
            let outer = (0..<40).map { index in
                center.destination(
                    course: 9 * Double(index), distance: radius * number(0.3...1))
            }
            let other = center.destination(course: number(0...360), distance: radius * 1.5)
            let part = ring(around: other, radius: radius * 0.8, vertices: 12)
            return .polygon([[outer, hole], [part]])
        default:
            var line = [center]
            while line.count < 2 + index(below: 40) {
                line.append(
                    line[line.count - 1].destination(
                        course: number(0...360), distance: radius * number(0...1)))
            }
            line.append(center.destination(course: 40, distance: radius))
            return .line(line, width: min(1000, radius * number(0.01...0.3)))
        }
    }
}

extension Area.Shape {
    /// The shape moved to the east.
    func moved(by turn: Double) -> Area.Shape {
        switch self {
        case .point(let coordinate): .point(coordinate.moved(by: turn))
        case .circle(let center, let radius):
            .circle(center: center.moved(by: turn), radius: radius)
        case .rectangle(let box):
            .rectangle(
                CoordinateBox(
                    south: box.south,
                    west: Coordinate(latitude: 0, longitude: box.west).moved(by: turn).longitude,
                    north: box.north,
                    east: Coordinate(latitude: 0, longitude: box.east).moved(by: turn).longitude))
        case .polygon(let parts):
            .polygon(parts.map { $0.map { $0.map { $0.moved(by: turn) } } })
        case .line(let line, let width): .line(line.map { $0.moved(by: turn) }, width: width)
        }
    }
}

extension Coordinate {
    /// The coordinate moved to the east.
    func moved(by turn: Double) -> Coordinate {
        var moved = longitude + turn
        if moved > 180 { moved -= 360 }
        if moved < -180 { moved += 360 }
        return Coordinate(latitude: latitude, longitude: moved)
    }
}
