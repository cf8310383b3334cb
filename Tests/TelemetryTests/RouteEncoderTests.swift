import Geometry
import Telemetry
import Testing
import Tracking

private func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: latitude, longitude: longitude)
}

private let underWay = RouteDrawing(
    tripID: "t-1", vehicleID: "v", revision: 2, length: 2236.068,
    coordinates: [place(28.6, 77.2), place(28.6, 77.21), place(28.61, 77.21)], passedCount: 2,
    location: place(28.60512345678, 77.21),
    viaPoints: [
        .init(
            waypoint: .init(index: 0, target: Target(coordinate: place(28.6, 77.205), id: "o-1")),
            status: "visited", reachedAt: Timestamp(seconds: 1_700_000_000.25)),
        .init(
            waypoint: .init(index: 1, target: Target(coordinate: place(28.609, 77.21), name: "B")),
            status: "pending"),
    ],
    destination: Target(coordinate: place(28.61, 77.211), name: "Depot"))

private func text(_ drawing: RouteDrawing) -> String {
    var json = JSONWriter()
    RouteEncoder.encode(drawing, into: &json)
    return json.text
}

private func line(_ kind: String, _ coordinates: String) -> String {
    #"{"type":"Feature","properties":{"kind":"\#(kind)"},"#
        + #""geometry":{"type":"LineString","coordinates":\#(coordinates)}}"#
}

private func point(_ properties: String, _ coordinates: String) -> String {
    #"{"type":"Feature","properties":{\#(properties)},"#
        + #""geometry":{"type":"Point","coordinates":\#(coordinates)}}"#
}

private let head =
    #"{"type":"FeatureCollection","properties":{"trip_id":"t-1","vehicle_id":"v","#
private let points = [
    point(
        #""kind":"via_point","index":0,"status":"visited","#
            + #""reached_at":"2023-11-14T22:13:20.250Z","id":"o-1","name":null"#, "[77.205,28.6]"),
    point(
        #""kind":"via_point","index":1,"status":"pending","id":null,"name":"B""#, "[77.21,28.609]"),
    point(#""kind":"destination","id":null,"name":"Depot""#, "[77.211,28.61]"),
]

@Test func drawsARouteUnderWay() {
    let features = [
        line("travelled", "[[77.2,28.6],[77.21,28.6],[77.21,28.6051235]]"),
        line("remaining", "[[77.21,28.6051235],[77.21,28.61]]"),
        line("connector", "[[77.21,28.61],[77.211,28.61]]"),
    ]
    #expect(
        text(underWay) == head + #""route_revision":2,"length_m":2236.07},"features":["#
            + (features + points).joined(separator: ",") + "]}")
}

@Test func drawsARouteBeforeItsFirstMatchInOnePiece() {
    var drawing = underWay
    drawing.location = nil
    drawing.passedCount = 0
    drawing.destination.coordinate = place(28.61, 77.21)
    drawing.viaPoints = []
    let features = [
        line("remaining", "[[77.2,28.6],[77.21,28.6],[77.21,28.61]]"),
        point(#""kind":"destination","id":null,"name":"Depot""#, "[77.21,28.61]"),
    ]
    #expect(
        text(drawing) == head + #""route_revision":2,"length_m":2236.07},"features":["#
            + features.joined(separator: ",") + "]}")
}

@Test func drawsNothingTravelledAtTheStartAndNothingLeftAtTheEnd() {
    var start = underWay
    start.location = place(28.6, 77.2)
    start.passedCount = 1
    #expect(!text(start).contains("travelled"))
    #expect(
        text(start).contains(line("remaining", "[[77.2,28.6],[77.21,28.6],[77.21,28.61]]"))
    )
    var end = underWay
    end.location = place(28.61, 77.21)
    end.passedCount = 3
    #expect(!text(end).contains("remaining"))
    #expect(text(end).contains(#""travelled""#))
}

@Test func drawsATripThatWaitsForItsFirstRoute() {
    var drawing = underWay
    drawing.revision = 0
    drawing.length = nil
    drawing.coordinates = []
    drawing.location = nil
    drawing.passedCount = 0
    #expect(
        text(drawing) == head + #""route_revision":0,"length_m":null},"features":["#
            + points.joined(separator: ",") + "]}")
}

@Test func writesALineString() {
    var json = JSONWriter()
    RouteEncoder.encode(lineString: underWay.coordinates.prefix(2), into: &json)
    #expect(json.text == #"{"type":"LineString","coordinates":[[77.2,28.6],[77.21,28.6]]}"#)
}
