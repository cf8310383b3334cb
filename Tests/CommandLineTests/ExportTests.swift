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
        vehicleID: "van \"7\"", fixTime: start + 1_250_001, latitude: 28.61, longitude: -77.2,
        tripID: "t<1>&", tracked: false, receivedAt: start),
]

private func lines(
    _ format: TrackFormat, _ trip: ExportedTrip, _ positions: [PositionRow],
    plan: TrackFeed.Plan = TrackFeed.Plan()
) -> [String] {
    let subject = ExportSubject(name: trip.tripID, description: trip.vehicleID, trip: trip)
    var lines: [String] = []
    var feed = TrackFeed(plan, format.writer(for: subject)) { lines += $0 }
    for position in positions { feed.add(position) }
    feed.finish()
    return lines
}

/// Positions on a straight way to the east, so many metres from its start at so many seconds.
private func straight(_ points: [(seconds: Double, metres: Double)]) -> [PositionRow] {
    points.map { seconds, metres in
        PositionRow(
            vehicleID: "v", fixTime: start + Microseconds(seconds * 1e6), latitude: 0,
            longitude: metres / 111_319.49, tracked: true, receivedAt: start)
    }
}

struct ExportTests {
    @Test func writesCSV() {
        #expect(
            lines(.csv, trip(), positions) == [
                "vehicle_id,time,lat,lon,accuracy_m,speed_mps,course_deg,altitude_m,level,"
                    + "provider,trip_id,tracked,attributes\r",
                "\"van \"\"7\"\"\",2026-03-01T12:00:00.000Z,28.6,77.20000000123,5,"
                    + "13.88888888888889,90,211.5,\"P1, north\",gps,t<1>&,true,\"{\"\"fuel\"\":3}\"\r",
                "\"van \"\"7\"\"\",2026-03-01T12:00:01.250001Z,28.61,-77.2,,,,,,,t<1>&,false,\r",
            ])
    }

    @Test func writesGPX() {
        #expect(
            lines(.gpx, trip(), positions) == [
                #"<?xml version="1.0" encoding="UTF-8"?>"#,
                #"<gpx version="1.1" creator="waygate" xmlns="http://www.topografix.com/GPX/1/1""#
                    + #" xmlns:tp="http://www.garmin.com/xmlschemas/TrackPointExtension/v2""#
                    + #" xmlns:fix="urn:waygate:fix">"#,
                "<metadata><name>t&lt;1&gt;&amp;</name><desc>van &quot;7&quot;</desc>"
                    + "<time>2026-03-01T12:00:00.000Z</time></metadata>",
                #"<wpt lat="28.65" lon="77.25"><name>Gate B</name><desc>visited</desc></wpt>"#,
                "<rte>", #"<rtept lat="28.6" lon="77.2"></rtept>"#,
                #"<rtept lat="28.7" lon="77.3"></rtept>"#, "</rte>",
                "<trk><name>van &quot;7&quot;</name><trkseg>",
                #"<trkpt lat="28.6" lon="77.20000000123"><ele>211.5</ele>"#
                    + "<time>2026-03-01T12:00:00.000Z</time><extensions><tp:TrackPointExtension>"
                    + "<tp:speed>13.88888888888889</tp:speed><tp:course>90</tp:course>"
                    + "</tp:TrackPointExtension><fix:accuracy>5</fix:accuracy>"
                    + "<fix:level>P1, north</fix:level></extensions></trkpt>",
                #"<trkpt lat="28.61" lon="-77.2"><time>2026-03-01T12:00:01.250001Z</time></trkpt>"#,
                "</trkseg></trk>", "</gpx>",
            ])
    }

    @Test func writesKML() {
        #expect(
            lines(.kml, trip(), positions) == [
                #"<?xml version="1.0" encoding="UTF-8"?>"#,
                #"<kml xmlns="http://www.opengis.net/kml/2.2""#
                    + #" xmlns:gx="http://www.google.com/kml/ext/2.2">"#,
                "<Document><name>t&lt;1&gt;&amp;</name>"
                    + "<description>van &quot;7&quot;</description>",
                #"<Schema id="fix">"#
                    + [
                        ("speed_mps", "double"), ("course_deg", "double"),
                        ("accuracy_m", "double"), ("level", "string"),
                    ].map { name, type in
                        #"<gx:SimpleArrayField name="\#(name)" type="\#(type)">"#
                            + "<displayName>\(name)</displayName></gx:SimpleArrayField>"
                    }.joined() + "</Schema>",
                "<Placemark><name>Gate B</name><description>visited</description>"
                    + "<Point><coordinates>77.25,28.65</coordinates></Point></Placemark>",
                "<Placemark><name>route</name><LineString><tessellate>1</tessellate><coordinates>"
                    + "77.2,28.6 77.3,28.7</coordinates></LineString></Placemark>",
                "<Placemark><name>van &quot;7&quot;</name><gx:MultiTrack>", "<gx:Track>",
                "<when>2026-03-01T12:00:00.000Z</when>",
                "<when>2026-03-01T12:00:01.250001Z</when>",
                "<gx:coord>77.20000000123 28.6 211.5</gx:coord>",
                "<gx:coord>-77.2 28.61</gx:coord>",
                ##"<ExtendedData><SchemaData schemaUrl="#fix">"##,
                #"<gx:SimpleArrayData name="speed_mps">"#, "<gx:value>13.88888888888889</gx:value>",
                "<gx:value></gx:value>", "</gx:SimpleArrayData>",
                #"<gx:SimpleArrayData name="course_deg">"#, "<gx:value>90</gx:value>",
                "<gx:value></gx:value>", "</gx:SimpleArrayData>",
                #"<gx:SimpleArrayData name="accuracy_m">"#, "<gx:value>5</gx:value>",
                "<gx:value></gx:value>", "</gx:SimpleArrayData>",
                #"<gx:SimpleArrayData name="level">"#, "<gx:value>P1, north</gx:value>",
                "<gx:value></gx:value>", "</gx:SimpleArrayData>",
                "</SchemaData></ExtendedData>", "</gx:Track>", "</gx:MultiTrack></Placemark>",
                "</Document></kml>",
            ])
    }

    @Test func writesNMEA() {
        #expect(
            lines(.nmea, trip(), positions) == [
                "$GPGGA,120000.000,2836.000000,N,07712.000000,E,1,,,211.5,M,,M,,*64\r",
                "$GPRMC,120000.000,A,2836.000000,N,07712.000000,E,26.998,90.00,010326,,,A*52\r",
                "$GPGGA,120001.250001,2836.600000,N,07712.000000,W,1,,,,M,,M,,*6E\r",
                "$GPRMC,120001.250001,A,2836.600000,N,07712.000000,W,,,010326,,,A*44\r",
            ])
    }

    @Test func writesJSONLines() {
        #expect(
            lines(.jsonl, trip(), positions) == [
                #"{"time":"2026-03-01T12:00:00.000Z","lat":28.6,"lon":77.20000000123,"#
                    + #""accuracy_m":5,"speed_mps":13.88888888888889,"course_deg":90,"#
                    + #""altitude_m":211.5,"level":"P1, north","provider":"gps","#
                    + #""attributes":{"fuel":3},"vehicle_id":"van \"7\"","trip_id":"t<1>&","#
                    + #""tracked":true}"#,
                #"{"time":"2026-03-01T12:00:01.250001Z","lat":28.61,"lon":-77.2,"#
                    + #""vehicle_id":"van \"7\"","trip_id":"t<1>&","tracked":false}"#,
            ])
    }

    @Test func writesGeoJSON() throws {
        let lines = lines(.geojson, trip(), positions)
        #expect(
            lines == [
                #"{"type":"FeatureCollection","properties":{"name":"t<1>&","trip_id":"t<1>&","#
                    + #""vehicle_id":"van \"7\"","state":"arrived","#
                    + #""assigned_at":"2026-03-01T12:00:00.000Z","#
                    + #""ended_at":"2026-03-01T12:01:00.000Z","route_revision":2},"features":["#,
                #"{"type":"Feature","properties":{"kind":"route"},"geometry":"#
                    + #"{"type":"LineString","coordinates":[[77.2,28.6],[77.3,28.7]]}},"#,
                #"{"type":"Feature","properties":{"kind":"via_point","index":0,"#
                    + #""name":"Gate\u0001 B","status":"visited","#
                    + #""reached_at":"2026-03-01T12:00:01.500Z","resumed_at":null},"#
                    + #""geometry":{"type":"Point","coordinates":[77.25,28.65]}},"#,
                #"{"type":"Feature","properties":{"kind":"position","vehicle_id":"van \"7\"","#
                    + #""time":"2026-03-01T12:00:00.000Z","accuracy_m":5,"#
                    + #""speed_mps":13.88888888888889,"course_deg":90,"altitude_m":211.5,"#
                    + #""level":"P1, north","provider":"gps","trip_id":"t<1>&","tracked":true,"#
                    + #""attributes":{"fuel":3}},"geometry":{"type":"Point","#
                    + #""coordinates":[77.20000000123,28.6]}},"#,
                #"{"type":"Feature","properties":{"kind":"position","vehicle_id":"van \"7\"","#
                    + #""time":"2026-03-01T12:00:01.250001Z","accuracy_m":null,"speed_mps":null,"#
                    + #""course_deg":null,"altitude_m":null,"level":null,"provider":null,"#
                    + #""trip_id":"t<1>&","tracked":false,"attributes":null},"#
                    + #""geometry":{"type":"Point","coordinates":[-77.2,28.61]}},"#,
                #"{"type":"Feature","properties":{"kind":"track","vehicle_id":"van \"7\""},"#
                    + #""geometry":{"type":"LineString","coordinates":[[77.2,28.6],[-77.2,28.61]]}}"#,
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
        #expect(lines(.nmea, bare, []) == [])
    }

    @Test("After a gap a new segment begins, and a line that stands for others leaves them out")
    func gapsAndSimplification() {
        let rows = straight([(0, 0), (10, 100), (20, 200), (321, 300), (331, 400)])
        let whole = lines(.gpx, trip(), rows)
        #expect(whole.filter { $0 == "</trkseg><trkseg>" }.count == 1)
        #expect(whole.filter { $0.hasPrefix("<trkpt") }.count == 5)
        var plan = TrackFeed.Plan()
        plan.gap = 400
        #expect(!lines(.gpx, trip(), rows, plan: plan).contains("</trkseg><trkseg>"))
        plan.tolerance = 1
        #expect(lines(.gpx, trip(), rows, plan: plan).filter { $0.hasPrefix("<trkpt") }.count == 2)
        plan.gap = 300
        #expect(lines(.gpx, trip(), rows, plan: plan).filter { $0.hasPrefix("<trkpt") }.count == 4)
        plan.onlyTracked = true
        #expect(lines(.csv, trip(), positions, plan: plan).count == 2)
        let parts = lines(.geojson, trip(), rows).suffix(2)
        #expect(parts.first?.contains(#""MultiLineString","coordinates":[[[0,0]"#) == true)
    }

    @Test("A summary takes drift for standing, and counts what was driven")
    func summarizes() throws {
        var summary = TrackSummary()
        var points: [(seconds: Double, metres: Double)] = [(0, 0), (100, 20), (200, 5), (300, 30)]
        for minute in 1...10 { points.append((300 + Double(minute) * 60, Double(minute) * 1000)) }
        points += [(1000, 10_010), (1200, 10_000)]
        let rows = straight(points)
        for row in rows { summary.add(row) }
        let subject = ExportSubject(name: "v", description: "")
        let json = try JSONParser().parse(
            String(decoding: summary.json(of: subject), as: UTF8.self)
        ) { root in
            ["positions", "vehicles", "duration_s", "distance_m", "moving_s", "drives", "unseen_m"]
                .map { root[$0]?.double }
        }
        #expect(json == [16, 1, 1200, 9970, 600, 1, 0])
    }

    /// What a format has no room for, or rounds.
    private static func readable(_ row: PositionRow, in format: TrackFormat) -> Fix {
        let level = row.level.map(Level.text)
        return Fix(
            time: Timestamp(microseconds: row.fixTime),
            coordinate: Coordinate(latitude: row.latitude, longitude: row.longitude),
            accuracy: format == .nmea ? nil : row.accuracy, speed: row.speed, course: row.course,
            level: format == .nmea ? nil : level)
    }

    @Test(arguments: TrackFormat.allCases)
    func writesWhatReplayReads(_ format: TrackFormat) throws {
        let text = lines(format, trip(), positions).joined(separator: "\n")
        let fixes = try TrackFile.fixes(of: Array(text.utf8), vehicleID: nil, interval: 1)
        let expected = positions.map { Self.readable($0, in: format) }
        guard format == .nmea else {
            #expect(fixes == expected)
            return
        }
        #expect(fixes.map(\.time) == expected.map(\.time))
        for (fix, original) in zip(fixes, expected) {
            #expect(fix.coordinate.distance(to: original.coordinate) < 0.002)
            #expect(abs((fix.speed ?? -1) - (original.speed ?? -1)) < 0.0003)
            #expect(fix.course == original.course)
        }
    }

    @Test(arguments: [
        (1e-5, "0.00001"), (-1.5e-7, "-0.00000015"), (1.25e-12, "0.00000000000125"), (0, "0"),
        (77.20000000123, "77.20000000123"), (-180, "-180"), (1e22, "10000000000000000000000"),
    ])
    func writesDecimalsWithoutExponents(_ number: Double, _ text: String) {
        #expect(number.decimal == text)
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
        let rows = positions.map { position in
            var position = position
            position.vehicleID = "v"
            position.tripID = "t"
            // As jsonb is written.
            position.attributes = position.attributes.map { _ in #"{"fuel": 3}"# }
            return position
        }
        batch.positions = rows
        try store.commit(batch)
        let found = try Tool.run("export", "t", "--format", "csv", environment: environment)
        #expect(found.errors == "")
        #expect(found.status == 0)
        #expect(found.output == lines(.csv, trip(), rows).joined(separator: "\n") + "\n")

        let window = ["export", "v", "--format", "csv", "--from"]
        for (times, count) in [
            (["2026-03-01"], 2), (["2026-03-01T12:00:01Z"], 1), (["1772366460"], 0),
            (["2026-03-01", "--to", "2026-03-01T12:00:01Z"], 1),
        ] {
            let part = try Tool(window + times, environment: environment).finish()
            #expect(part.output.split(separator: "\r\n").count == 1 + count, "\(times)")
        }
        let summary = try Tool.run(
            "export", "--vehicle", "v", "--from", "2026-03-01", "--summary",
            environment: environment)
        #expect(summary.output.hasPrefix(#"{"name":"v","positions":2,"vehicles":1,"#))

        let visit = ["export", "--place", "yard", "--from", "2026-03-01", "--format", "csv"]
        let none = try Tool(visit, environment: environment).finish()
        #expect(none.errors == "waygate export: there is no place 'yard'\n")
        batch.places = [
            PlaceRow(
                placeID: "yard", revision: 1, name: "yard", definition: "{}", area: "{}",
                squareMetres: 1, putAt: start)
        ]
        batch.visits = [
            VisitRow(
                vehicleID: "v", placeID: "yard", enteredAt: start + 1_000_000,
                beginning: .init(enteredBy: "moved", placeRevision: 1))
        ]
        batch.from = 1
        batch.to = 2
        batch.positions = []
        try store.commit(batch)
        let visited = try Tool(visit, environment: environment).finish()
        #expect(visited.errors == "")
        #expect(visited.output == lines(.csv, trip(), [rows[1]]).joined(separator: "\n") + "\n")

        batch.places = []
        batch.visits = []
        batch.from = 2
        batch.to = 3
        batch.trips[0].vehicleID = "w"
        try store.commit(batch)
        let unclear = try Tool.run("export", "t", environment: environment)
        #expect(unclear.status == 1 && unclear.output == "")
        #expect(
            unclear.errors == "waygate export: vehicles 'v', 'w' have a trip 't': name the vehicle "
                + "before it, as in 'v t'\n")
        #expect(
            try Tool.run("export", "v", "t", "--format", "csv", environment: environment).output
                == found.output)
        let other = try Tool.run("export", "x", "t", environment: environment)
        #expect(
            other.errors
                == "waygate export: vehicle 'x' has no trip 't': vehicles 'v', 'w' have one\n")
    }

    @Test(arguments: [
        ([], "name a trip, or a vehicle with times: --vehicle ID --from TIME"),
        (["--vehicle", "v"], "--from TIME is missing: since when?"),
        (
            ["v", "w", "--from", "2026-03-01"],
            "--from and --to are for one vehicle or place, as in --vehicle van-7 --from TIME"
        ),
        (["v", "--from", "2026-03-02", "--to", "2026-03-01"], "--to must be later than --from"),
        (
            ["v", "--from", "monday"],
            "--from must be a time, as 2026-12-01T06:00Z or 2026-12-01, not 'monday'"
        ),
        (["t", "--summary", "--format", "gpx"], "--summary is JSON: it has no --format"),
    ])
    func refusesWhatDoesNotSayWhat(_ words: [String], _ complaint: String) {
        #expect(throws: UsageError(complaint)) {
            _ = try ExportCommand(Arguments(words, for: ExportCommand.manual))
        }
    }

    @Test func refusesAnotherFormat() {
        #expect(
            throws: UsageError(
                "--format must be gpx, geojson, csv, kml, nmea or jsonl, not 'shp'")
        ) {
            _ = try ExportCommand(
                Arguments(["t", "--format", "shp"], for: ExportCommand.manual))
        }
    }
}
