import Foundation
import Geometry
import Telemetry
import Testing
import Tracking
import Watching

private let circle = #""geometry":{"circle":{"center":{"lat":47.14,"lon":9.52},"radius_m":120}}"#
private let gate = #""geometry":{"line":{"coordinates":[[7.0,46.0],[7.01,46.0]],"width_m":0}}"#
private let point = #""geometry":{"point":{"lat":47.14,"lon":9.52}}"#

/// The whole example of the contract.
private let everything = """
    {"command_id":"c7","name":"Depot North","category":"depot/cold","labels":["24h"],"level":"1",
     "parent":"campus-1","description":"Two gates,\\nno trailers","color":"#c2410c","rank":"high",
     \(circle),"vehicles":["van-*","truck-7"],
     "active":{"tz":"Europe/Vienna","weekly":[{"days":["mo","tu","we","th","fr"],"from":"22:00","to":"06:00"}],
               "since":"2026-12-01T00:00:00Z","until":null},
     "tell":["enter","exit","dwell"],"dwell_s":1800,"confirm_s":0,"exit_margin_m":20,
     "speed_limit_mps":8.3,"approach":{"distance_m":1000,"seconds":120,"on_route":true},
     "roadblock":{"since":"2026-12-24T00:00:00Z","profiles":["truck"]},"attributes":{"phone":"+423…"}}
    """

@Test func readsAWholePlace() throws {
    #expect(decodePut(everything).commandID == "c7")
    let place = try content(everything)
    #expect(
        place.area.shape
            == .circle(center: Coordinate(latitude: 47.14, longitude: 9.52), radius: 120))
    #expect(place.name == "Depot North" && place.category == "depot/cold")
    #expect(place.level == .text("1") && place.tells == [.enter, .exit, .dwell])
    let profile = try #require(place.profile)
    #expect(profile.labels == ["24h"] && profile.parent == "campus-1")
    #expect(profile.description == "Two gates,\nno trailers" && profile.color == 0xc2410c)
    #expect(profile.rank == .high && profile.attributes == #"{"phone":"+423…"}"#)
    let terms = place.terms
    #expect(terms.vehicles?.patterns == ["van-*", "truck-7"])
    #expect(terms.dwell == 1800 && terms.confirmation == 0 && terms.exitMargin == 20)
    #expect(terms.speedLimit == 8.3)
    #expect(terms.approach == ApproachTerms(distance: 1000, seconds: 120, isOnRoute: true))
    let winter = Timestamp(seconds: 1_796_083_200)
    #expect(
        terms.hours
            == ActiveHours(
                zone: "Europe/Vienna",
                weekly: [ActiveHours.Window(days: 0b11111, from: 1320, to: 360)], since: winter))
    #expect(
        terms.roadblock
            == Roadblock(since: winter.advanced(by: 23 * 86_400), profiles: ["truck"]))
}

@Test func takesTheDefaults() throws {
    let place = try content("{\(circle)}")
    #expect(place == PlaceContent(area: place.area) && place.tells == [.enter, .exit])
    #expect(place.name == nil && place.profile == nil && place.terms == PlaceTerms())
    #expect(try content("{\(gate)}").tells == [.pass])
    #expect(try content("{\(point)}").tells == [.pass])
    let line = #"{"geometry":{"line":{"coordinates":[[7,46],[7.01,46]]}}}"#
    #expect(try content(line).area.size == 20 && content(line).tells == [.enter, .exit])
    // What is null or empty is as if it were not there.
    let empty = "{\(circle),\"name\":\"\",\"roadblock\":null,\"labels\":[],\"attributes\":{}}"
    #expect(try content(empty) == place)
}

@Test func countsVerticesWithoutRepeatedOnes() throws {
    func polygon(_ count: Int, repeats: Bool) -> String {
        let ring = (0..<count).flatMap { index -> [String] in
            let angle = 2 * Double.pi * Double(index) / Double(count)
            let vertex = "[\(7 + 0.01 * cos(angle)),\(46 + 0.01 * sin(angle))]"
            return repeats ? [vertex, vertex] : [vertex]
        }
        return "{\"geometry\":{\"polygon\":[[\((ring + ring.prefix(1)).joined(separator: ","))]]}}"
    }
    var limits = PlaceLimits()
    limits.maxVertices = 50
    #expect(throws: Never.self) {
        try decodePut(polygon(50, repeats: true), limits: limits).outcome.get()
    }
    #expect(throws: Refusal(.invalidGeometry, "geometry has more than 50 vertices")) {
        try decodePut(polygon(51, repeats: false), limits: limits).outcome.get()
    }
}

@Test func decodesTheOtherCommands() {
    func decode(_ name: String, _ payload: String, isRetained: Bool = false) -> PlaceCommandMessage
    {
        Array(payload.utf8).withUnsafeBytes {
            PlaceCommandDecoder().decode(
                name: name, payload: $0, isRetained: isRetained, limits: PlaceLimits())
        }
    }
    func reason(_ message: PlaceCommandMessage) -> Refusal.Reason? {
        guard case .failure(let refusal) = message.outcome else { return nil }
        return refusal.reason
    }
    #expect(decode("delete", "").outcome == .success(.delete))
    let named = decode("delete", #"{"command_id":"d1"}"#)
    #expect(named.outcome == .success(.delete) && named.commandID == "d1")
    #expect(reason(decode("move", "{}")) == .unknownCommand)
    #expect(reason(decode("put", "{\(circle)}", isRetained: true)) == .retainedCommand)
    #expect(reason(decode("put", String(repeating: " ", count: 262_145))) == .invalidCommand)
}

@Test func readsTheGeometryCases() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    let text = try String(
        contentsOf: folder.appending(path: "Fixtures/places/geometry.json"), encoding: .utf8)
    let rows = try JSONParser().parse(text) { root in
        (root.array.map(Array.init) ?? []).map { row in
            (
                row["name"]?.string ?? "", row["place"]?.rawText ?? "",
                row["reason"]?.string
            )
        }
    }
    #expect(rows.count > 30)
    for (name, place, reason) in rows {
        switch decodePut(place).outcome {
        case .success: #expect(reason == nil, "\(name)")
        case .failure(let refusal): #expect(reason == refusal.reason.rawValue, "\(name)")
        }
    }
}

@Test func readsItsOwnPutsAndDefinitions() throws {
    let shapes = [
        circle, gate, point,
        #""geometry":{"rectangle":{"south":51,"west":179.8,"north":51.5,"east":-179.8}}"#,
        #""geometry":{"rectangle":{"south":-10,"west":-180,"north":10,"east":180}}"#,
        #""geometry":{"polygon":[[[7.1,46.1],[7.11,46.1],[7.11,46.11],[7.1,46.105]]]}"#,
        #""geometry":{"polygon":[[[179.98,-16.9],[-179.98,-16.9],[-179.98,-16.88]],[[179.99,-16.895],[180,-16.895],[180,-16.89]]]}"#,
        #""geometry":{"polygon":[[[[4.0,52.0],[4.01,52.0],[4.01,52.01]]],[[[4.01,52.0],[4.123456789,52.0],[4.02,52.01]]]]}"#,
        #""geometry":{"line":{"coordinates":[[7.123456789012,46.0],[7.01,46.0]],"width_m":7.5}}"#,
    ]
    let members = [
        "", ",\"level\":2", ",\"level\":\"2\"", ",\"name\":\"Ä \\\"b\\\"\"",
        ",\"exit_margin_m\":0.1,\"attributes\":{\"b\":1,\"a\":[1.50,{\"z\":null,\"y\":1e3}],\"ab\":0}",
    ]
    var puts = [everything]
    for shape in shapes { puts += members.map { "{\(shape)\($0)}" } }
    for text in puts {
        let content = try content(text)
        #expect(try TelemetryTests.content(put(content)) == content, "\(text)")
        let place = Place(
            id: "p/1", revision: 7, putAt: Timestamp(seconds: 1_772_366_400), content: content)
        let read = try JSONParser().parse(definition(place)) {
            try PlaceReader.place(ofDefinition: $0, id: "p/1", limits: PlaceLimits())
        }
        #expect(read == place, "\(definition(place))")
    }
}

@Test func writesDefinitions() throws {
    let place = Place(
        id: "depot", revision: 3, putAt: Timestamp(seconds: 1_772_366_400),
        content: try content("{\(circle),\"name\":\"Depot\"}"))
    #expect(
        definition(place)
            == #"{"type":"Feature","id":"depot","geometry":{"type":"Point","coordinates":[9.52,47.14]},"#
            + #""properties":{"name":"Depot","tell":["enter","exit"],"radius_m":120,"revision":3,"#
            + #""put_at":"2026-03-01T12:00:00.000Z","area_m2":45238.9}}"#)
}
