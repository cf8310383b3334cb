import Geometry
import Testing

/// Edges of all lengths, whose middles are exact in binary.
@Test(arguments: [2e-7, 0.0009765625, 0.0078125, 0.015625, 0.25, 2, 16])
func countsTheBoundaryAsInside(size: Double) throws {
    let corner = Coordinate(latitude: 45.5, longitude: 13.25)
    func place(_ north: Double, _ east: Double) -> Coordinate {
        Coordinate(
            latitude: corner.latitude + north * size, longitude: corner.longitude + east * size)
    }
    let ring = [(0.0, 0.0), (0.25, 1), (1, 1), (0.75, 0)]
    let area = try Area(.polygon([ring.map { place($0.0, $0.1) }].map { [$0] }))
    for index in ring.indices {
        let (start, end) = (ring[index], ring[(index + 1) % ring.count])
        for share in [0, 0.25, 0.5, 0.75] {
            let on = place(
                start.0 + share * (end.0 - start.0), start.1 + share * (end.1 - start.1))
            #expect(area.contains(on), "\(size) \(index) \(share)")
            #expect(abs(area.distance(from: on)) < 0.01)
        }
    }
}

@Test func knowsTheSeamOfTheAntimeridian() throws {
    let ring = [(179.5, -17.0), (-179.5, -17), (-179.5, -16.5), (179.5, -16.5)]
        .map { Coordinate(latitude: $0.1, longitude: $0.0) }
    let area = try Area(.polygon([[ring]]))
    for longitude in [180.0, -180] {
        for latitude in [-17, -16.5] {
            let on = Coordinate(latitude: latitude, longitude: longitude)
            #expect(area.contains(on) && abs(area.distance(from: on)) < 0.01)
        }
    }
    #expect(area.box == CoordinateBox(south: -17, west: 179.5, north: -16.5, east: -179.5))
}

@Test func takesRingsThatGoFarRound() throws {
    // Three quarters round the earth, with the rest outside.
    let south = stride(from: -180.0, through: 90, by: 45)
        .map { Coordinate(latitude: 10, longitude: $0) }
    let north = south.reversed().map { Coordinate(latitude: 20, longitude: $0.longitude) }
    let area = try Area(.polygon([[south + north]]))
    for (longitude, isInside) in [
        (-180.0, true), (180, true), (-90, true), (89, true), (100, false), (179, false),
    ] {
        let place = Coordinate(latitude: 15, longitude: longitude)
        #expect(area.contains(place) == isInside, "\(longitude)")
    }
    #expect(abs(area.distance(from: Coordinate(latitude: 15, longitude: 91)) - 107_500) < 700)
    let belt = try Area(
        .rectangle(CoordinateBox(south: 80, west: -180, north: 90, east: 180)))
    #expect(belt.contains(Coordinate(latitude: 90, longitude: 0)))
    #expect(belt.distance(from: Coordinate(latitude: 90, longitude: 0)) < -1_100_000)
    let cap = try Area(
        .circle(center: Coordinate(latitude: 89.9, longitude: 0), radius: 50_000))
    #expect(cap.contains(Coordinate(latitude: 89.9, longitude: 180)))
    #expect(cap.box.north == 90 && cap.box.isBelt)
}

/// Returns the rings of a part that are written as latitudes and longitudes.
private func part(_ text: String, scale: Double = 1) -> [[Coordinate]] {
    text.split(separator: "|").map { ring in
        ring.split(separator: " ").map { pair in
            let numbers = pair.split(separator: ",").map { (Double($0) ?? .nan) * scale }
            return Coordinate(latitude: numbers[0], longitude: numbers[1])
        }
    }
}

@Test(arguments: [
    ("0,0 0,1 0,1 0,0", AreaError.Reason.tooFewVertices),
    ("0,0 0,1 1,1 1,0 | 0,0 0,1 1,1 1,0", .noArea),
    ("0,0 0,2 2,2 2,0 | 1,1 1,3 1.5,3 1.5,1", .crossing),
    ("0,0 0,180 2,90", .halfCircle), ("70,0 70,120 70,-120", .aroundPole),
    ("0,0 0,1 nan,1", .outOfRange), (" ", .tooFewVertices), ("", .tooFewVertices),
])
func namesWhatIsWrong(_ rings: String, _ reason: AreaError.Reason) {
    do {
        let area = try Area(.polygon([part(rings)]))
        Issue.record("\(area)")
    } catch {
        #expect(error.reason == reason, "\(error.message)")
    }
}

@Test(arguments: [
    // Touching at a vertex, and along an edge.
    ("0,0 0,4 4,4 4,0 | 0,2 1,3 1,1", 15.0), ("0,0 0,4 4,4 4,0 | 0,1 0,3 1,3 1,1", 14),
    // A hole, an island in it, and a second hole.
    ("0,0 0,8 8,8 8,0 | 1,1 1,5 5,5 5,1 | 2,2 2,4 4,4 4,2 | 6,6 6,7 7,7 7,6", 51),
    // Two rings beside each other, and a figure of eight that touches itself.
    ("0,0 0,1 1,1 1,0 | 0,2 0,3 1,3 1,2", 2), ("0,0 1,1 2,0 2,2 1,1 0,2", 2),
    // Partly shared edges, and a hole above them.
    ("0,0 0,1 1,1 1,0 | -1,0 -1,3 0,3 0,0 | 0,1 0,3 3,3 3,1 | 1,1.5 1,2 2,2 2,1.5", 9.5),
    // A spike outwards, and one inwards along a slanted line.
    ("0,0 0,2 2,2 2,1 5,1 2,1 2,0", 4), ("0,0 0.3,0.1 0,0 0,2 2,2 2,0", 4),
])
func measuresWhatAnOddNumberOfRingsEnclose(_ rings: String, _ area: Double) throws {
    let rings = part(rings, scale: 1e-4)
    let found = try Area(.polygon([rings])).squareMetres
    #expect(abs(found / (11.0574 * 11.1319) - area) < 0.001 * area, "\(found)")
    // The order of the rings and their direction do not matter.
    let turned = rings.reversed().map { Array($0.reversed()) }
    #expect(abs(try Area(.polygon([turned])).squareMetres - found) < 0.001)
}
