import Foundation
import Geometry
import Telemetry
import Testing
import Tracking
import Watching

@testable import waygate

/// A file of places as other programs write it, and what is put for it.
struct PlaceSample: CustomTestStringConvertible, Sendable {
    var file: String
    /// An id and the payload of each `put`, in order.
    var expected: [String]
    var testDescription: String { file }
}

@Suite("Files of places") struct PlaceFileTests {
    private static func read(_ file: String, radius: Double? = nil) throws -> [PlaceDraft] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let url = folder.appending(path: "../Fixtures/places/files/\(file)")
        return try PlaceFile.read(url.path, radius: radius)
    }

    private static func written(_ places: [PlaceDraft]) throws -> [String] {
        try places.map { place in
            _ = try place.content(PlaceLimits())
            return "\(place.id) " + String(decoding: place.payload(commandID: nil), as: UTF8.self)
        }
    }

    @Test(arguments: [
        PlaceSample(
            file: "geojson-io.geojson",
            expected: [
                ##"vaduz-bus-station {"geometry":{"circle":{"center":{"lat":47.141019,"lon":9.521213},"radius_m":60}},"name":"Vaduz bus station","attributes":{"stroke":"#555555","stroke-width":2}}"##,
                #"1 {"geometry":{"polygon":[[[9.50552,47.16842],[9.50978,47.16911],[9.50951,47.17003],[9.50521,47.16937],[9.50552,47.16842]],[[9.5068,47.1689],[9.5078,47.16907],[9.50771,47.16931],[9.5068,47.1689]]]},"name":"Schaan freight yard","category":"yard","attributes":{"operator":{"name":"ÖBB"}}}"#,
                #"rhine-bridge {"geometry":{"line":{"coordinates":[[9.50018,47.13662],[9.50291,47.13689]],"width_m":20}},"name":"Rhine bridge"}"#,
            ]),
        PlaceSample(
            file: "gdal.kml",
            expected: [
                #"places.1 {"geometry":{"circle":{"center":{"lat":47.141019,"lon":9.521213},"radius_m":60}},"name":"Vaduz bus station"}"#,
                #"places.2 {"geometry":{"polygon":[[[9.50552,47.16842],[9.50978,47.16911],[9.50951,47.17003],[9.50521,47.16937],[9.50552,47.16842]],[[9.5068,47.1689],[9.5078,47.16907],[9.50771,47.16931],[9.5068,47.1689]]]},"name":"Schaan freight yard","category":"yard"}"#,
                #"places.3 {"geometry":{"line":{"coordinates":[[9.50018,47.13662],[9.50291,47.13689]],"width_m":20}},"name":"Rhine bridge"}"#,
            ]),
        PlaceSample(
            file: "garmin.gpx",
            expected: [
                #"quarry {"geometry":{"circle":{"center":{"lat":47.166667,"lon":9.51},"radius_m":200}},"name":"Quarry","description":"Weigh bridge, then left","category":"customer"}"#,
                #"quarry-2 {"geometry":{"point":{"lat":47.2,"lon":9.6}},"name":"Quarry"}"#,
            ]),
        PlaceSample(
            file: "spreadsheet.csv",
            expected: [
                #"depot-1 {"geometry":{"circle":{"center":{"lat":47.14,"lon":9.52},"radius_m":120}},"name":"Depot \"North\"; gate 2","category":"depot/cold"}"#,
                #"müller-söhne {"geometry":{"point":{"lat":47.15,"lon":9.53}},"name":"Müller & Söhne","category":"customer"}"#,
            ]),
        PlaceSample(
            file: "owntracks.otrw",
            expected: [
                #"6d8f1c {"geometry":{"circle":{"center":{"lat":47.1401,"lon":9.5215},"radius_m":150}},"name":"Office Vaduz"}"#,
                #"gate-ruggell {"geometry":{"point":{"lat":47.2066,"lon":9.5489}},"name":"Gate Ruggell"}"#,
            ]),
        PlaceSample(
            file: "traccar-geofences.json",
            expected: [
                ##"1 {"geometry":{"polygon":[[[9.5198,47.1421],[9.5189,47.1399],[9.5229,47.1391],[9.5241,47.1412],[9.5198,47.1421]]]},"name":"Centre","description":"30 zone","color":"#d50000","speed_limit_mps":8.333333333333334}"##,
                #"7 {"geometry":{"circle":{"center":{"lat":47.16562,"lon":9.50871},"radius_m":87.4}},"name":"Depot"}"#,
                #"9 {"geometry":{"line":{"coordinates":[[9.5054,47.2131],[9.5131,47.2209],[9.5262,47.2385]],"width_m":25}},"name":"Bendern - Ruggell"}"#,
            ]),
    ])
    func readsWhatOthersWrite(_ sample: PlaceSample) throws {
        #expect(try Self.written(Self.read(sample.file)) == sample.expected)
    }

    @Test func pointsWithoutARadiusGetTheOneThatIsAskedFor() throws {
        let places = try Self.read("garmin.gpx", radius: 75)
        let shapes = try places.map { try $0.content(PlaceLimits()).area.shape }
        let expected: [Area.Shape] = [
            .circle(center: Coordinate(latitude: 47.166667, longitude: 9.51), radius: 200),
            .circle(center: Coordinate(latitude: 47.2, longitude: 9.6), radius: 75),
        ]
        #expect(shapes == expected)
    }

    @Test(arguments: [
        ("", "it is empty"),
        ("{", "it is not JSON: "),
        (#"{"type":"Polygon","coordinates":[]}"#, "its GeoJSON is a 'Polygon'"),
        (#"{"type":"FeatureCollection","features":{}}"#, "features of its GeoJSON is no array"),
        (
            #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{}}]}"#,
            "features[0] has neither an id nor a name to make one from"
        ),
        (#"{"type":"Feature","id":"a","geometry":null}"#, "the feature has no geometry"),
        (
            #"{"type":"Feature","id":"a","geometry":{"type":"GeometryCollection","geometries":[]}}"#,
            "the feature: a GeometryCollection without coordinates cannot be a place"
        ),
        (
            #"{"type":"Feature","id":"a","geometry":{"type":"MultiPoint","coordinates":[[1,2]]}}"#,
            "the feature: a MultiPoint cannot be a place"
        ),
        (
            #"{"type":"Feature","id":"a","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"radius_m":"9 m"}}"#,
            "the feature: radius_m is no number: \"9 m\""
        ),
        (#"[{"id":1,"name":"a"}]"#, "element 0 has no area"),
        (#"[{"id":1,"area":"CIRCLE (1 2)"}]"#, "element 0: its area is no CIRCLE"),
        (#"[{"id":1,"area":"POLYGON ((1 2, 3 x))"}]"#, "element 0: 'x' in its area is no number"),
        (#"[{"id":1,"area":"POINT (1 2)"},{"id":1,"area":""}]"#, "element 0: its area is no"),
        (#"{"_type":"location","lat":1,"lon":2}"#, "it is OwnTracks' 'location'"),
        (#"{"_type":"waypoints","waypoints":[{"desc":"x"}]}"#, "waypoints[0] has no lat and lon"),
        ("id,lat,lon\na,1,2\na,1,2", "line 3: another place has the id 'a' too"),
        ("id,lat,lon,radius_m\na,1,2,wide", "line 2: radius_m is no number: 'wide'"),
        ("id,lat,lon\na,1,", "line 2 of its CSV has no lat and lon"),
        ("<gpx><wpt lat=\"1\"><name>x</name></wpt></gpx>", "waypoint 1 ('x') has no lat and lon"),
        ("<osm/>", "it is XML, but neither GPX nor KML"),
        ("<kml><Placemark></kml>", "line 1 of its XML: mismatched tag"),
        (
            "<kml><Placemark id='a'><Point><coordinates>1,x</coordinates></Point></Placemark></kml>",
            "placemark 1 has a point that is not longitude and latitude: '1,x'"
        ),
        (
            """
            <kml><Placemark id='a'><MultiGeometry><LineString><coordinates>1,1 2,2</coordinates></LineString>\
            <Point><coordinates>1,1</coordinates></Point></MultiGeometry></Placemark></kml>
            """, "placemark 1 has 1 points, 1 lines and 0 polygons"
        ),
    ])
    func namesWhatIsWrongAndWhere(_ text: String, _ message: String) {
        let error = #expect(throws: RouteFileError.self) {
            try PlaceFile.places(in: text, radius: nil)
        }
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    }

    /// A place with all that can be said of one.
    private static let full = #"""
        {"name":"Depot \u2022 \"North\"","category":"depot/cold","labels":["24h","gate 2"],"level":"1","parent":"campus",
         "description":"Two\nlines","color":"#00410c","rank":"high","geometry":{"rectangle":{"south":-1,"west":179.5,
         "north":1,"east":-179.25}},"vehicles":["van-*"],"active":{"tz":"Europe/Vienna","weekly":[{"days":["mo","su"],
         "from":"22:00","to":"06:00"}],"since":"2026-12-01T00:00:00Z","until":null},"tell":["exit","dwell"],"dwell_s":1800,
         "confirm_s":5,"exit_margin_m":0.1,"speed_limit_mps":8.3,"approach":{"distance_m":1000,"on_route":false},
         "roadblock":{"profiles":["truck"]},"attributes":{"phone":"+423","name":"another"}}
        """#

    @Test func whatIsExportedIsReadAgainAsItWas() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let file = folder.appending(path: "../Fixtures/places/geometry.json")
        let limits = PlaceLimits()
        var contents = try JSONParser().parse(String(contentsOf: file, encoding: .utf8)) { cases in
            try (cases.array.map(Array.init) ?? []).filter { $0["accepted"]?.bool == true }.map {
                try PlaceReader.content(of: try #require($0["place"]), limits: limits)
            }
        }
        #expect(contents.count > 10)
        contents.append(
            try JSONParser().parse(Self.full) { try PlaceReader.content(of: $0, limits: limits) })
        let features = contents.enumerated().map { index, content in
            var json = JSONWriter()
            let place = Place(
                id: "place-\(index)", revision: 3, putAt: Timestamp(seconds: 1000),
                content: content)
            PlaceEncoder.encode(definition: place, into: &json)
            return json.text
        }
        let export = """
            {"type":"FeatureCollection","features":[\(features.joined(separator: ",\n"))]}
            """
        let places = try PlaceFile.places(in: export, radius: nil)
        #expect(places.map(\.id) == contents.indices.map { "place-\($0)" })
        for (place, content) in zip(places, contents) {
            #expect(try place.content(limits) == content, "\(place.id)")
        }
    }

    @Test func polygonsOfOnePlacemarkAreOnePlace() throws {
        let ring = { (west: Int) in
            """
            <Polygon><outerBoundaryIs><LinearRing><coordinates>\(west),1 \(west + 1),1 \(west),2 \(west),1</coordinates>\
            </LinearRing></outerBoundaryIs></Polygon>
            """
        }
        let text = """
            <kml><Placemark><name>Isles</name><MultiGeometry>\(ring(1))\(ring(5))<Point><coordinates>3,1</coordinates>\
            </Point></MultiGeometry></Placemark><Placemark><name>a view, no place</name></Placemark></kml>
            """
        let places = try PlaceFile.places(in: text, radius: nil)
        #expect(places.map(\.id) == ["isles"])
        guard case .polygon(let parts) = try places[0].content(PlaceLimits()).area.shape else {
            Issue.record("no polygon")
            return
        }
        #expect(parts.map(\.count) == [1, 1])
    }

    @Test func anObjectOfIdsIsWhatIsPut() throws {
        let places = try PlaceFile.places(
            in: #"{"a":{"geometry":{"point":{"lat":1,"lon":2}},"command_id":"x","name":"A"}}"#,
            radius: nil)
        #expect(
            try Self.written(places) == [
                #"a {"geometry":{"point":{"lat":1,"lon":2}},"name":"A"}"#
            ])
    }
}

@Suite("waygate place, without a broker") struct PlaceUsageTests {
    @Test(arguments: [
        (["put"], "'place put' needs the place's ID"),
        (["put", "a"], "where is it? Give a FILE, --circle LAT,LON,METRES or --point LAT,LON"),
        (["put", "a", "--circle", "1,2"], "--circle must be LAT,LON,METRES, not '1,2'"),
        (["put", "a", "--point", "1,2", "--circle", "1,2,3"], "exclude each other"),
        (["put", "a/b", "--point", "1,2"], "ID must be 1 to 128 bytes"),
        (["put", "a", "--point", "1,2", "--tell", "entry"], "some of enter,exit,pass,dwell"),
        (["delete"], "'place delete' needs the place's ID"),
        (["delete", "a", "b"], "'b' is one argument too many"),
        (["list", "--wait"], "'place list' takes no --wait"),
        (["import"], "'place import' needs a FILE"),
        (["import", "a", "--delete-missing"], "--delete-missing needs --category"),
        (["import", "a", "--timeout", "5"], "--timeout needs --wait"),
        (["imprt", "a"], "did you mean 'import'?"),
    ])
    func refuses(_ words: [String], _ message: String) throws {
        let result = try Tool(["place"] + words).finish()
        #expect(result.status == 2)
        #expect(result.errors.contains(message), "\(result.errors)")
    }

    @Test func namesEveryPlaceThatWouldBeRefused() throws {
        let csv = "id,lat,lon,radius_m\na,1,2,3\nb,95,2,3\nc#,1,2,3\nd,1,2,0.5\n"
        let result = try Tool.run("place", "import", "-", input: csv)
        #expect(result.status == 1)
        #expect(
            result.errors == """
                waygate place: -: line 3, place 'b': invalid_geometry: geometry.circle.center.lat must be a number from \
                -90 to 90, not 95
                waygate place: -: line 4, place 'c#': invalid_place: 'c#' cannot be a place's id: 1 to 128 bytes without \
                / + # and control characters
                waygate place: -: line 5, place 'd': invalid_geometry: geometry.circle.radius_m must be a number from \
                1 to 100,000 metres, not 0.5
                waygate place: nothing was put

                """)
    }
}
