import Geometry
import Testing
import Tracking

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
            testDescription: "KML with a line, a track, an area that is none, and a point",
            text: """
                <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
                <Document><name>All</name><Placemark><LineString><coordinates>
                2,1,0 4,3 </coordinates></LineString><name>Over &lt;there&gt;</name></Placemark>
                <Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>0,0 1,1 0,1 0,0
                </coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>
                <Placemark><name>Gate</name><Point><coordinates>9,8</coordinates></Point></Placemark>
                <Placemark><gx:Track><when>2026-03-01T12:00:00Z</when><when>2026-03-01T12:00:01Z</when>
                <gx:coord>6 5 0</gx:coord><gx:coord>8 7</gx:coord></gx:Track></Placemark>
                </Document></kml>
                """,
            names: ["Over <there>", nil], numbers: [1, 2, 3, 4, 5, 6, 7, 8]),
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
        ("<svg></svg>", "it is XML, but neither GPX nor KML"),
        (
            "<gpx><trkpt lat=\"1\"/></gpx>",
            "a trkpt of its GPX has no lat and lon"
        ),
        ("<gpx>\n<trk", "line 2 of its XML: unclosed token"),
        ("<gpx>\n<trk></gpx>", "line 2 of its XML: mismatched tag"),
        (
            "<kml><Placemark><LineString><coordinates>9.5 47,1</coordinates></LineString></Placemark></kml>",
            "a point of its KML is not longitude and latitude: '9.5'"
        ),
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

    @Test("What a file marks near its line are the stops, in the order of the line")
    func plannedStops() throws {
        let gpx = """
            <gpx><wpt lat="0.001" lon="0.03"><name>Mill</name></wpt>
            <wpt lat="0.02" lon="0.03"><name>Hill</name></wpt><wpt lat="0" lon="0"><name>Depot</name></wpt>
            <rte><name>Tour</name><rtept lat="0" lon="0"><name>Depot</name></rtept>
            <rtept lat="0" lon="0.01"><name>First</name></rtept><rtept lat="0" lon="0.04"/>
            <rtept lat="0" lon="0.01"><name>Back</name></rtept>
            <rtept lat="0" lon="0.02"><name>End</name></rtept></rte></gpx>
            """
        let file = try XMLFile(Array(gpx.utf8))
        let line = try #require(RouteLine(file.lines[0].coordinates))
        let stops = PlannedStops(
            file.places, along: line, isReversed: false, limit: 500, radius: 50)
        #expect(stops.viaPoints.map(\.name) == ["First", "Mill", "Back"])
        #expect(stops.destination?.name == "End")
        #expect(stops.strays.map(\.name) == ["Hill"])

        let back = try #require(RouteLine(file.lines[0].coordinates.reversed()))
        let reversed = PlannedStops(
            file.places, along: back, isReversed: true, limit: 500, radius: 50)
        #expect(reversed.viaPoints.map(\.name) == ["Back", "Mill", "First"])
        #expect(reversed.destination?.name == "Depot")
    }
}
