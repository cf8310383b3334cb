import Geometry
import Testing

private func line(_ pairs: (Double, Double)...) -> [Coordinate] {
    pairs.map { Coordinate(latitude: $0.0, longitude: $0.1) }
}

@Test(arguments: [
    ("_p~iF~ps|U_ulLnnqC_mqNvxq`@", 5, line((38.5, -120.2), (40.7, -120.95), (43.252, -126.453))),
    ("_izlhA~rlgdF_{geC~ywl@", 6, line((38.5, -120.2), (40.7, -120.95))),
    ("??", 5, line((0, 0))),
    ("", 5, []),
])
func codesKnownPolylines(text: String, precision: Int, line: [Coordinate]) {
    #expect(Polyline.decode(text, precision: precision) == line)
    #expect(Polyline.encode(line, precision: precision) == text)
}

@Test(arguments: ["_p~iF", "_p~iF~ps|U_ulL", "_p~iF~", "_p~iF ps|U", "~~~~~~~~~~~~~~", "_p~iFé"])
func refusesWhatIsNoPolyline(text: String) {
    #expect(Polyline.decode(text, precision: 5) == nil)
}

@Test(arguments: [5, 6, 7])
func codesTheWholeMap(precision: Int) {
    let corners = line((90, 180), (-90, -180), (90, -180), (-0.00001, 0.00001), (0, 179.99999))
    let text = Polyline.encode(corners, precision: precision)
    #expect(Polyline.decode(text, precision: precision) == corners)
}
