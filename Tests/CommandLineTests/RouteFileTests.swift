import Geometry
import Testing

@testable import waygate

/// A text and the lines in it.
struct RouteText: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var text: String
    var names: [String?]
    /// The places of all lines, latitude and longitude in turn.
    var numbers: [Double]
}

struct RouteFileTests {
    @Test(arguments: [
        RouteText(
            testDescription: "GPX with two segments, a route, and a point's own name",
            text: """
                <?xml version="1.0"?><gpx><!-- <trkpt lat="9" lon="9"/> --><trk><name> Down &amp; up </name>
                <trkseg><trkpt lat="1" lon="2"><name>stop</name></trkpt><trkpt lon='3' lat='1.5'/></trkseg>
                <trkseg><trkpt lat="-4" lon="-5"/></trkseg></trk><rte><rtept lat="6" lon="7"/></rte></gpx>
                """,
            names: ["Down & up", "Down & up", nil], numbers: [1, 2, 1.5, 3, -4, -5, 6, 7]),
        RouteText(
            testDescription: "GPX with a prefix on every tag",
            text: """
                <g:gpx><g:trk><g:name>x</g:name><g:trkseg><g:trkpt lat="1" lon="2"></g:trkpt>
                <g:trkpt lat="3" lon="4"/></g:trkseg></g:trk></g:gpx>
                """,
            names: ["x"], numbers: [1, 2, 3, 4]),
        RouteText(
            testDescription: "CSV with a fleet interleaved",
            text: "t_s,vehicle,lat,lon\r\n0,a,1,2\r\n0,b,3,4\r\n2,a,5,6\r\n\r\n",
            names: ["a", "b"],
            numbers: [1, 2, 5, 6, 3, 4]),
        RouteText(
            testDescription: "CSV with semicolons", text: "\"Latitude\"; Longitude\n1; 2\n",
            names: [nil],
            numbers: [1, 2]),
        RouteText(
            testDescription: "a bare array", text: "[[2,1],[4,3,100]]", names: [nil],
            numbers: [1, 2, 3, 4]),
        RouteText(
            testDescription: "an assignment's route", text: #" {"coordinates":[[2,1],[4,3]]}"#,
            names: [nil],
            numbers: [1, 2, 3, 4]),
        RouteText(
            testDescription: "GeoJSON features of several kinds",
            text: """
                {"type":"FeatureCollection","features":[
                {"type":"Feature","properties":{"name":"x"},"geometry":{"type":"LineString","coordinates":[[2,1]]}},
                {"type":"Feature","properties":null,"geometry":{"type":"Point","coordinates":[2,1]}},
                {"type":"Feature","properties":{},"geometry":null},
                {"type":"Feature","geometry":{"type":"MultiLineString","coordinates":[[[4,3]],[[6,5]]]}}]}
                """,
            names: ["x", nil, nil], numbers: [1, 2, 3, 4, 5, 6]),
        RouteText(
            testDescription: "Google's own polyline", text: "_p~iF~ps|U_ulLnnqC_mqNvxq`@\n",
            names: [nil],
            numbers: [38.5, -120.2, 40.7, -120.95, 43.252, -126.453]),
    ])
    func reads(_ row: RouteText) throws {
        let lines = try RouteFile.lines(of: row.text, precision: 5)
        #expect(lines.map(\.name) == row.names)
        #expect(
            lines.flatMap(\.coordinates).flatMap { [$0.latitude, $0.longitude] } == row.numbers)
    }

    @Test(arguments: [
        (" \n", "it is empty"),
        ("<kml></kml>", "it is XML, but not GPX"),
        (
            "<gpx><trkpt lat=\"1\"/></gpx>",
            "a point of its GPX has no lat and lon: <trkpt lat=\"1\"/>"
        ),
        ("<gpx><trk", "a tag of its GPX has no end"),
        ("a,b\n1,2\n", "its CSV needs a header with the columns lat and lon, not 'a,b'"),
        ("lat,lon\n1,2\n1,x\n", "line 3 of its CSV has no lat and lon: '1,x'"),
        ("[[1,2],[3]]", "point 1 of a line is not [lon, lat]"),
        (#"{"type":"LineString"}"#, "an object of its JSON has no coordinates"),
        ("hello world", "it is no GPX, GeoJSON or CSV, and its line 1 no encoded polyline"),
    ])
    func saysWhatIsWrong(_ text: String, _ message: String) {
        #expect(throws: RouteFileError(message)) { try RouteFile.lines(of: text, precision: 5) }
    }

    @Test func readsARealRecording() throws {
        let folder = #filePath.split(separator: "/").dropLast().map { "/\($0)" }.joined()
        let lines = try RouteFile.read("\(folder)/../Fixtures/traces/around-visnjan-with-car.gpx")
        #expect(lines.map(\.name) == ["2020-12-18 07:24:29"])
        #expect(lines[0].coordinates.count == 104)
    }
}
