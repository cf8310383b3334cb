import Foundation
import Geometry
import Testing

/// Reads one of the fixtures that GeographicLib made.
func fixture<Rows: Decodable>(_ name: String, as type: Rows.Type) throws -> Rows {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let file = folder.appending(path: "Fixtures/geometry/\(name).json")
    return try JSONDecoder().decode(type, from: Data(contentsOf: file))
}

/// A place in GeoJSON's order.
struct Position: Decodable {
    let coordinate: Coordinate

    init(from decoder: any Decoder) throws {
        var numbers = try decoder.unkeyedContainer()
        let longitude = try numbers.decode(Double.self)
        coordinate = Coordinate(latitude: try numbers.decode(Double.self), longitude: longitude)
    }
}

private struct Geodesic: Decodable {
    let start: Coordinate
    let end: Coordinate
    let distance: Double
    let course: Double?

    init(from decoder: any Decoder) throws {
        var row = try decoder.unkeyedContainer()
        start = try row.decode(Position.self).coordinate
        end = try row.decode(Position.self).coordinate
        distance = try row.decode(Double.self)
        course = try row.decodeIfPresent(Double.self)
    }
}

private struct Direct: Decodable {
    let start: Coordinate
    let course: Double
    let distance: Double
    let end: Coordinate

    init(from decoder: any Decoder) throws {
        var row = try decoder.unkeyedContainer()
        start = try row.decode(Position.self).coordinate
        course = try row.decode(Double.self)
        distance = try row.decode(Double.self)
        end = try row.decode(Position.self).coordinate
    }
}

/// The angle between two courses, 0 to 180.
private func angle(_ left: Double, _ right: Double) -> Double {
    abs((left - right + 540).truncatingRemainder(dividingBy: 360) - 180)
}

@Test func measuresGeodesics() throws {
    let rows = try fixture("geodesics", as: [Geodesic].self)
    #expect(rows.count > 150)
    for row in rows {
        let distance = row.start.distance(to: row.end)
        let share = row.distance > 1.7e7 ? 0.001 : row.distance > 100_000 ? 1e-5 : 1e-6
        #expect(abs(distance - row.distance) <= share * row.distance + 0.0001, "\(row)")
        #expect(distance == row.end.distance(to: row.start), "\(row)")
    }
}

@Test func tellsCourses() throws {
    for row in try fixture("geodesics", as: [Geodesic].self) {
        let course = row.start.course(to: row.end)
        #expect(course >= 0 && course < 360)
        // Towards the opposite side of the earth geodesics leave in any direction; at the poles the ends' seven
        // digits turn the course of a short one.
        guard let expected = row.course, row.distance < 1.2e7 else { continue }
        let tolerance = row.distance > 300_000 ? 0.2 : row.distance < 100 ? 1 : 0.001
        #expect(angle(course, expected) < tolerance, "\(row) \(course)")
    }
}

@Test func goesToDestinations() throws {
    let rows = try fixture("directs", as: [Direct].self)
    #expect(rows.count > 50)
    for row in rows {
        let end = row.start.destination(course: row.course, distance: row.distance)
        #expect(end.isValid)
        #expect(end.distance(to: row.end) < 0.002, "\(row) \(end)")
    }
}

@Test func standsStill() {
    for latitude in [-90.0, -45, 0, 60, 90] {
        for longitude in [-180.0, 0, 180] {
            let place = Coordinate(latitude: latitude, longitude: longitude)
            let same = Coordinate(latitude: latitude, longitude: -longitude)
            #expect(place.distance(to: place) == 0)
            #expect(place.course(to: place) == 0)
            #expect(place.destination(course: 90, distance: 0).distance(to: place) < 1e-6)
            if abs(longitude) == 180 { #expect(place.distance(to: same) < 1e-6) }
            if abs(latitude) == 90 { #expect(place.distance(to: same) < 1e-6) }
        }
    }
}

@Test(arguments: [
    (Double.nan, 0.0, false), (0, .nan, false), (.infinity, 0, false), (0, -.infinity, false),
    (90.0001, 0, false), (-90.0001, 0, false), (0, 180.0001, false), (0, -180.0001, false),
    (90, 180, true), (-90, -180, true), (0, 0, true),
])
func tellsValidPlaces(latitude: Double, longitude: Double, isValid: Bool) {
    #expect(Coordinate(latitude: latitude, longitude: longitude).isValid == isValid)
}

@Test("Being farther than some metres is what the distance says, wherever on earth")
func fartherIsWhatTheDistanceSays() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<20_000 {
        let place = random.place()
        let metres = [0.5, 50, 3000, 90_000, 200_000][random.index(below: 5)]
        let other = place.destination(
            course: random.number(0...360), distance: metres * random.number(0...2.5))
        let distance = place.distance(to: other)
        #expect(
            place.isFarther(from: other, than: metres) == (distance > metres),
            "\(place) \(other) \(metres)")
    }
}
