import Foundation
import Geometry
import Testing

/// A case of `Fixtures/places/geometry.json`: a place, and what is inside of it or why it is refused.
struct AreaCase: Decodable, CustomTestStringConvertible {
    struct Point: Decodable {
        struct Distance: Decodable {
            let value: Double
            let tolerance: Double
        }

        let lat: Double
        let lon: Double
        let inside: Bool
        let distance_m: Distance?

        var coordinate: Coordinate { Coordinate(latitude: lat, longitude: lon) }
    }

    let name: String
    let place: Place
    let accepted: Bool
    let points: [Point]?
    let reason: String?

    var testDescription: String { name }

    static func all() throws -> [AreaCase] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = folder.appending(path: "Fixtures/places/geometry.json")
        return try JSONDecoder().decode([AreaCase].self, from: Data(contentsOf: file))
    }
}

/// The part of a place that is its shape.
struct Place: Decodable {
    struct Spot: Decodable {
        let lat: Double
        let lon: Double
        var coordinate: Coordinate { Coordinate(latitude: lat, longitude: lon) }
    }

    struct Circle: Decodable {
        let center: Spot
        let radius_m: Double
    }

    struct Rectangle: Decodable {
        let south: Double
        let west: Double
        let north: Double
        let east: Double
    }

    struct Line: Decodable {
        let coordinates: [Position]
        let width_m: Double?
    }

    struct Polygon: Decodable {
        let parts: [[[Position]]]

        init(from decoder: any Decoder) throws {
            let values = try decoder.singleValueContainer()
            do {
                parts = [try values.decode([[Position]].self)]
            } catch {
                parts = try values.decode([[[Position]]].self)
            }
        }
    }

    struct Shape: Decodable {
        let point: Spot?
        let circle: Circle?
        let rectangle: Rectangle?
        let polygon: Polygon?
        let line: Line?
    }

    let geometry: Shape

    var shape: Area.Shape {
        get throws {
            if let point = geometry.point { return .point(point.coordinate) }
            if let circle = geometry.circle {
                return .circle(center: circle.center.coordinate, radius: circle.radius_m)
            }
            if let box = geometry.rectangle {
                return .rectangle(
                    CoordinateBox(
                        south: box.south, west: box.west, north: box.north, east: box.east))
            }
            if let line = geometry.line {
                return .line(line.coordinates.map(\.coordinate), width: line.width_m ?? 15)
            }
            let polygon = try #require(geometry.polygon)
            return .polygon(polygon.parts.map { $0.map { $0.map(\.coordinate) } })
        }
    }
}
