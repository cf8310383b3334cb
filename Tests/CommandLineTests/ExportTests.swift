import Geometry
import Store
import Telemetry
import TestServers
import Testing
import Tracking

@testable import waygate

private let start: Microseconds = 1_772_366_400_000_000

private func trip(_ change: (inout ExportedTrip) -> Void = { _ in }) -> ExportedTrip {
    var trip = ExportedTrip(
        tripID: "t<1>&", vehicleID: "van \"7\"", state: "arrived", assignedAt: start,
        endedAt: start + 60_000_000, routeRevision: 2,
        route: #"{"type":"LineString","coordinates":[[77.2,28.6],[77.3,28.7]]}"#,
        waypoints: [
            WaypointRow(
                vehicleID: "van \"7\"", tripID: "t<1>&", index: 0, latitude: 28.65,
                longitude: 77.25, name: "Gate\u{1} B",
                status: "visited", reachedAt: start + 1_500_000)
        ])
    change(&trip)
    return trip
}

private let positions = [
    PositionRow(
        vehicleID: "van \"7\"", fixTime: start, latitude: 28.6, longitude: 77.20000000123,
        accuracy: 5, speed: 50 / 3.6, course: 90, altitude: 211.5, level: "P1, north",
        provider: "gps", attributes: #"{"fuel":3}"#, tripID: "t<1>&", tracked: true,
        receivedAt: start),
    PositionRow(
        vehicleID: "van \"7\"", fixTime: start + 1_250_000, latitude: 28.61, longitude: -77.2,
        tripID: "t<1>&", tracked: false, receivedAt: start),
]

private func lines(
    _ format: TripFormat, _ trip: ExportedTrip, _ positions: [PositionRow]
) -> [String] {
    var writer = format.writer(for: trip)
    var lines = writer.head
    for position in positions { lines += writer.lines(of: position) }
    return lines + writer.tail
}

struct ExportTests {
    @Test func writesCSV() {
        #expect(
            lines(.csv, trip(), positions) == [
                "time,lat,lon,accuracy_m,speed_mps,course_deg,altitude_m,level,provider,tracked",
                "2026-03-01T12:00:00.000Z,28.6,77.20000000123,5,13.88888888888889,90,211.5,"
                    + "\"P1, north\",gps,true",
                "2026-03-01T12:00:01.250Z,28.61,-77.2,,,,,,,false",
            ])
    }

    @Test func writesGPX() {
        #expect(
            lines(.gpx, trip(), positions) == [
                #"<?xml version="1.0" encoding="UTF-8"?>"#,
                #"<gpx version="1.1" creator="waygate" xmlns="http://www.topografix.com/GPX/1/1""#
                    + #" xmlns:tp="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">"#,
                "<metadata><name>t&lt;1&gt;&amp;</name><desc>van \"7\"</desc>"
                    + "<time>2026-03-01T12:00:00.000Z</time></metadata>",
                #"<wpt lat="28.65" lon="77.25"><name>Gate B</name><desc>visited</desc></wpt>"#,
                "<rte>", #"<rtept lat="28.6" lon="77.2"></rtept>"#,
                #"<rtept lat="28.7" lon="77.3"></rtept>"#, "</rte>",
                "<trk><name>t&lt;1&gt;&amp;</name><trkseg>",
                #"<trkpt lat="28.6" lon="77.20000000123"><ele>211.5</ele>"#
                    + "<time>2026-03-01T12:00:00.000Z</time><extensions><tp:TrackPointExtension>"
                    + "<tp:speed>13.88888888888889</tp:speed><tp:course>90</tp:course>"
                    + "</tp:TrackPointExtension></extensions></trkpt>",
                #"<trkpt lat="28.61" lon="-77.2"><time>2026-03-01T12:00:01.250Z</time></trkpt>"#,
                "</trkseg></trk>", "</gpx>",
            ])
    }

    @Test func writesGeoJSON() throws {
        let lines = lines(.geojson, trip(), positions)
        #expect(
            lines == [
                #"{"type":"FeatureCollection","properties":{"trip_id":"t<1>&","#
                    + #""vehicle_id":"van \"7\"","state":"arrived","#
                    + #""assigned_at":"2026-03-01T12:00:00.000Z","#
                    + #""ended_at":"2026-03-01T12:01:00.000Z","route_revision":2},"features":["#,
                #"{"type":"Feature","properties":{"kind":"route"},"geometry":"#
                    + #"{"type":"LineString","coordinates":[[77.2,28.6],[77.3,28.7]]}},"#,
                #"{"type":"Feature","properties":{"kind":"via_point","index":0,"#
                    + #""name":"Gate\u0001 B","status":"visited","#
                    + #""reached_at":"2026-03-01T12:00:01.500Z","resumed_at":null},"#
                    + #""geometry":{"type":"Point","coordinates":[77.25,28.65]}},"#,
                #"{"type":"Feature","properties":{"kind":"position","#
                    + #""time":"2026-03-01T12:00:00.000Z","accuracy_m":5,"#
                    + #""speed_mps":13.88888888888889,"course_deg":90,"altitude_m":211.5,"#
                    + #""level":"P1, north","provider":"gps","tracked":true,"#
                    + #""attributes":{"fuel":3}},"geometry":{"type":"Point","#
                    + #""coordinates":[77.20000000123,28.6]}},"#,
                #"{"type":"Feature","properties":{"kind":"position","#
                    + #""time":"2026-03-01T12:00:01.250Z","accuracy_m":null,"speed_mps":null,"#
                    + #""course_deg":null,"altitude_m":null,"level":null,"provider":null,"#
                    + #""tracked":false,"attributes":null},"geometry":{"type":"Point","#
                    + #""coordinates":[-77.2,28.61]}},"#,
                #"{"type":"Feature","properties":{"kind":"track"},"geometry":"#
                    + #"{"type":"LineString","coordinates":[[77.2,28.6],[-77.2,28.61]]}}"#,
                "]}",
            ])
        _ = try JSONParser().parse(lines.joined(separator: "\n")) { $0.kind }
    }

    @Test func writesATripOfWhichThereIsLittle() throws {
        let bare = trip {
            $0.route = nil
            $0.endedAt = nil
            $0.waypoints = []
        }
        #expect(
            lines(.geojson, bare, [])[1...] == [
                #"{"type":"Feature","properties":{"kind":"track"},"geometry":null}"#, "]}",
            ])
        #expect(!lines(.gpx, bare, []).joined().contains("rte"))
        #expect(lines(.csv, bare, []).count == 1)
    }

    @Test(arguments: TripFormat.allCases)
    func writesWhatReplayReads(_ format: TripFormat) throws {
        var rows = positions
        rows[0].level = "P1"
        let text = lines(format, trip(), rows).joined(separator: "\n")
        let fixes = try TrackFile.fixes(of: Array(text.utf8), vehicleID: nil, interval: 1)
        #expect(fixes.map(\.time.microseconds) == rows.map(\.fixTime))
        #expect(fixes.map(\.coordinate.latitude) == rows.map(\.latitude))
        #expect(fixes.map(\.coordinate.longitude) == rows.map(\.longitude))
        #expect(fixes.map(\.speed) == rows.map(\.speed))
        #expect(fixes.map(\.course) == rows.map(\.course))
    }

    @Test func exportsFromTheDatabase() throws {
        let server = try PostgresServer()
        let uri = server.uri(database: try server.makeDatabase())
        let settings = StoreSettings(connection: uri)
        _ = try Migrator.migrate(settings)
        let environment = ["WAYGATE_DATABASE_URL": uri]

        let absent = try Tool.run("export", "t", environment: environment)
        #expect(absent.status == 1)
        #expect(absent.errors == "waygate export: there is no trip 't'\n")

        let store = try StoreConnection(settings)
        _ = try store.claim(spoolID: "s", takeOver: false)
        var batch = StoreBatch(spoolID: "s", from: 0, to: 1, published: 0)
        batch.trips = [
            TripRow(
                tripID: "t", vehicleID: "v", state: "tracking", assignedAt: start, routeRevision: 1,
                assignment: .init(options: "{}", packed: []))
        ]
        batch.positions = positions.map { position in
            var position = position
            position.vehicleID = "v"
            position.tripID = "t"
            return position
        }
        try store.commit(batch)
        let found = try Tool.run("export", "t", "--format", "csv", environment: environment)
        #expect(found.errors == "")
        #expect(found.status == 0)
        #expect(found.output == lines(.csv, trip(), positions).joined(separator: "\n") + "\n")

        batch.from = 1
        batch.to = 2
        batch.trips[0].vehicleID = "w"
        batch.positions = []
        try store.commit(batch)
        let unclear = try Tool.run("export", "t", environment: environment)
        #expect(unclear.status == 1 && unclear.output == "")
        #expect(
            unclear.errors == "waygate export: vehicles 'v', 'w' have a trip 't': say whose, as in "
                + "'waygate export v t'\n")
        #expect(
            try Tool.run("export", "v", "t", "--format", "csv", environment: environment).output
                == found.output)
        let other = try Tool.run("export", "x", "t", environment: environment)
        #expect(
            other.errors
                == "waygate export: vehicle 'x' has no trip 't': vehicles 'v', 'w' have one\n")
    }

    @Test func refusesAnotherFormat() {
        #expect(throws: UsageError("--format must be gpx, geojson or csv, not 'kml'")) {
            _ = try ExportCommand(
                Arguments(["t", "--format", "kml"], for: ExportCommand.manual))
        }
    }
}
