import Geometry
import Testing

@Test(arguments: try AreaCase.all().filter { $0.accepted })
func tellsInsideAndDistance(_ row: AreaCase) throws {
    let area = try Area(row.place.shape)
    for point in try #require(row.points) {
        let distance = area.distance(from: point.coordinate)
        #expect(area.contains(point.coordinate) == point.inside, "\(point) \(distance)")
        if area.hasInside { #expect((distance <= 0) == point.inside, "\(point) \(distance)") }
        guard let expected = point.distance_m else { continue }
        #expect(abs(distance - expected.value) <= expected.tolerance, "\(point) \(distance)")
    }
}

@Test(arguments: try AreaCase.all().filter { $0.reason == "invalid_geometry" })
func refusesShapesThatAreNone(_ row: AreaCase) throws {
    #expect(throws: AreaError.self) { try Area(row.place.shape) }
}
