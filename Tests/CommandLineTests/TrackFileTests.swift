import Geometry
import Testing
import Tracking

@testable import waygate

/// A track's text, and the positions in it.
struct TrackText: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var text: String
    var fixes: [Fix]
    var vehicleID: String?
}

private func fix(
    _ seconds: Double, _ latitude: Double, _ longitude: Double, speed: Double? = nil,
    course: Double? = nil, accuracy: Double? = nil, level: Level? = nil
) -> Fix {
    Fix(
        time: Timestamp(seconds: seconds),
        coordinate: Coordinate(latitude: latitude, longitude: longitude), accuracy: accuracy,
        speed: speed, course: course, level: level)
}

struct TrackFileTests {
    @Test(arguments: [
        TrackText(
            testDescription: "GPX with times, speeds, and a planned route that is left out",
            text: """
                <?xml version="1.0"?><gpx><metadata><time>2020-01-01T00:00:00Z</time></metadata>
                <rte><rtept lat="9" lon="9"/></rte>
                <trk><trkseg><trkpt lat="1" lon="2"><ele>3</ele><time>2026-03-01T12:00:00Z</time>
                <extensions><x:speed>4.5</x:speed><x:course>90</x:course></extensions></trkpt></trkseg>
                <trkseg><trkpt lat="1.5" lon="2.5"><time> 2026-03-01T13:00:01.5+01:00 </time></trkpt>
                </trkseg></trk></gpx>
                """,
            fixes: [
                fix(1_772_366_400, 1, 2, speed: 4.5, course: 90), fix(1_772_366_401.5, 1.5, 2.5),
            ]),
        TrackText(
            testDescription: "GPX without times",
            text: #"<gpx><rte><rtept lat="1" lon="2"/><rtept lat="3" lon="4"/></rte></gpx>"#,
            fixes: [fix(0, 1, 2), fix(10, 3, 4)]),
        TrackText(
            testDescription: "CSV of a fleet, the first vehicle's",
            text:
                "t_s,vehicle,lat,lon,speed_mps,heading_deg\n0,a,1,2,3.5,360\n0,b,5,6,0,0\n2,a,3,4,-1,9\n",
            fixes: [fix(0, 1, 2, speed: 3.5), fix(2, 3, 4, course: 9)]),
        TrackText(
            testDescription: "CSV of a fleet, another vehicle's",
            text: "t_s,vehicle,lat,lon\n0,a,1,2\n7,b,5,6\n", fixes: [fix(7, 5, 6)], vehicleID: "b"),
        TrackText(
            testDescription: "CSV as a spreadsheet writes it",
            text: "\u{FEFF}\"Time\";\"Lat\";\"Lon\";\"accuracy_m\";\"level\"\r\n"
                + "\"2026-03-01 12:00:00\";1;2;12;P1\r\n1772366401000;3;4;;-1\r\n",
            fixes: [
                fix(1_772_366_400, 1, 2, accuracy: 12, level: .text("P1")),
                fix(1_772_366_401, 3, 4, level: .number(-1)),
            ]),
        TrackText(
            testDescription: "CSV without times", text: "latitude,longitude\n1,2\n3,4\n",
            fixes: [fix(0, 1, 2), fix(10, 3, 4)]),
        TrackText(
            testDescription: "JSON lines of several formats, the old ones too",
            text: """
                {"time":946684800,"lat":1,"lon":2,"speed_mps":3}

                {"_type":"location","tst":1772366401,"lat":3,"lon":4,"acc":5}
                {"_type":"lwt"}
                [{"time":"2026-03-01T12:00:02Z","lat":5,"lon":6},{"lat":7}]
                """,
            fixes: [
                fix(946_684_800, 1, 2, speed: 3), fix(1_772_366_401, 3, 4, accuracy: 5),
                fix(1_772_366_402, 5, 6),
            ]),
        TrackText(
            testDescription: "a batch set out over lines",
            text: "[\n{\"time\":10,\"lat\":1,\"lon\":2},\n{\"time\":11,\"lat\":3,\"lon\":4}\n]\n",
            fixes: [fix(10, 1, 2), fix(11, 3, 4)]),
        TrackText(
            testDescription: "NMEA with comments and a broken sentence",
            text: """
                # Location = 48.2N
                $GNRMC,091232.000,A,4813.0535,N,00824.8697,E,0.00,0.00,101015,,,A,V*06
                $GNRMC,091233.000,A,4813.0535,N,00824.8697,E,0.00,0.00,101015,,,A,V*00
                """,
            fixes: [
                fix(
                    1_444_468_352, 48 + 13.0535 / 60, 8 + 24.8697 / 60, speed: 0, course: 0)
            ]),
    ])
    func reads(_ row: TrackText) throws {
        let fixes = try TrackFile.fixes(
            of: Array(row.text.utf8), vehicleID: row.vehicleID, interval: 10)
        #expect(fixes.count == row.fixes.count)
        for (got, wanted) in zip(fixes, row.fixes) {
            #expect(abs(got.coordinate.latitude - wanted.coordinate.latitude) < 1e-9)
            #expect(abs(got.coordinate.longitude - wanted.coordinate.longitude) < 1e-9)
            var got = got
            got.coordinate = wanted.coordinate
            #expect(got == wanted)
        }
    }

    @Test(arguments: [
        ("", "it is empty"),
        ("hello", "its CSV needs a header with the columns lat and lon, not 'hello'"),
        ("time,lat,lon\nnoon,1,2\n", "line 2 of its CSV has no time: 'noon,1,2'"),
        ("lat,lon\n1,x\n", "line 2 of its CSV has no lat and lon: '1,x'"),
        (
            #"<gpx><trk><trkseg><trkpt lat="1" lon="2"><time>noon</time></trkpt></trkseg></trk></gpx>"#,
            "a point of its GPX has no such time: 'noon'"
        ),
    ])
    func saysWhatIsWrong(_ text: String, _ message: String) {
        #expect(throws: RouteFileError(message)) {
            try TrackFile.fixes(of: Array(text.utf8), vehicleID: nil, interval: 1)
        }
    }

    @Test func looksForAVehicleOnlyWhereThereAreSome() {
        #expect(throws: RouteFileError("its CSV has no column vehicle to look for a vehicle in")) {
            try TrackFile.fixes(of: Array("lat,lon\n1,2\n".utf8), vehicleID: "a", interval: 1)
        }
    }
}

/// A command line of `replay` that cannot be carried out, and what is said of it.
struct RefusedReplay: CustomTestStringConvertible, Sendable {
    var words: [String]
    var message: String

    var testDescription: String { words.joined(separator: " ") }
}

struct ReplayCommandTests {
    @Test(arguments: [
        RefusedReplay(
            words: [],
            message: "TRACK or --scenario FILE is missing: waygate replay [TRACK] [options]"),
        RefusedReplay(
            words: ["a.gpx", "--scenario", "b.json"],
            message: "there is a track and a scenario: only one can be run"),
        RefusedReplay(
            words: ["a.gpx", "--name", "x"],
            message: "--name picks a scenario: it needs --scenario FILE"),
        RefusedReplay(
            words: ["--scenario", "b.json", "--assign", "a.json"],
            message: "--assign is for tracks, not for a scenario"),
        RefusedReplay(
            words: ["a.gpx", "--option", "arrival_radius_m"],
            message: "--option must be NAME=VALUE, not 'arrival_radius_m'"),
    ])
    func refuses(_ row: RefusedReplay) {
        #expect(throws: UsageError(row.message)) {
            _ = try ReplayCommand(Arguments(row.words, for: ReplayCommand.manual))
        }
    }
}
