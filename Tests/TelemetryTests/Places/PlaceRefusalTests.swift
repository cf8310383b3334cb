import Telemetry
import Testing
import Tracking

private let circle = #""geometry":{"circle":{"center":{"lat":47.14,"lon":9.52},"radius_m":120}}"#
private let gate = #""geometry":{"line":{"coordinates":[[7.0,46.0],[7.01,46.0]],"width_m":0}}"#
private let point = #""geometry":{"point":{"lat":47.14,"lon":9.52}}"#

private struct Refused: Sendable, CustomTestStringConvertible {
    var payload: String
    var reason: Refusal.Reason
    /// What the detail must name.
    var detail: String

    init(_ payload: String, _ detail: String, _ reason: Refusal.Reason = .invalidPlace) {
        self.payload = payload
        self.reason = reason
        self.detail = detail
    }

    var testDescription: String { String(payload.prefix(120)) }
}

private func shape(_ geometry: String, _ detail: String) -> Refused {
    Refused("{\"geometry\":\(geometry)}", detail, .invalidGeometry)
}

private func member(_ member: String, _ detail: String) -> Refused {
    Refused("{\(circle),\(member)}", detail)
}

@Test(arguments: [
    Refused("", "geometry is missing"), Refused("{}", "geometry is missing"),
    Refused("[]", "must be an object", .invalidCommand),
    Refused("{", "not JSON", .invalidCommand),
    member(#""colour":"red""#, "no member \"colour\""),
    member(#""name":7"#, "name must be a text"),
    member(#""name":"a\u0007b""#, "name must be a text"),
    member(#""name":"a\u0000b""#, "name must be a text"),
    member(#""name":"a\u0085b""#, "name must be a text"),
    member(#""name":"a\nb""#, "name must be a text"),
    member("\"name\":\"\(String(repeating: "n", count: 257))\"", "up to 256 bytes"),
    member("\"description\":\"\(String(repeating: "d", count: 2049))\"", "up to 2048 bytes"),
    member(##""color":"#12345""##, "color must be #rrggbb"),
    member(##""color":"#+12345""##, "color must be #rrggbb"),
    member(#""rank":"top""#, "rank must be one of low, medium, high, always"),
    member(#""category":"a//b""#, "category must be levels"),
    member(#""parent":"a/b""#, "parent must be a place's id"),
    member(#""labels":["a",""]"#, "labels[1] must be"),
    member(
        "\"labels\":[\(Array(repeating: "\"l\"", count: 17).joined(separator: ","))]",
        "labels has more than 16"),
    member(#""attributes":[1]"#, "attributes must be an object"),
    member(#""attributes":{"a":{"b":["\u001b"]}}"#, "attributes must be without control"),
    member(#""attributes":{"a\u0000":1}"#, "attributes must be without control"),
    member("\"attributes\":{\"a\":\"\(String(repeating: "x", count: 8200))\"}", "8,192 bytes"),
    member(#""level":[1]"#, "level must be"), member(#""level":true"#, "level must be"),
    member(#""vehicles":"van-1""#, "vehicles must be an array"),
    member(#""vehicles":["van-1","a/b"]"#, "vehicles[1] must be an id"),
    member(#""vehicles":[7]"#, "vehicles[0] must be"),
    member(
        "\"vehicles\":[\(Array(repeating: "\"v\"", count: 1001).joined(separator: ","))]",
        "vehicles has more than 1000"),
    member(#""tell":["enter","leave"]"#, "tell[1] must be enter, exit, pass or dwell"),
    member(#""tell":["dwell"]"#, "needs dwell_s"),
    member(#""dwell_s":9"#, "dwell_s must be a number of 10 to 604800"),
    member(#""confirm_s":-1"#, "confirm_s must be"), member(#""confirm_s":3601"#, "confirm_s"),
    member(#""exit_margin_m":1001"#, "exit_margin_m must be"),
    member(#""speed_limit_mps":0"#, "speed_limit_mps must be a number above 0"),
    member(#""speed_limit_mps":100.5"#, "speed_limit_mps must be"),
    member(#""approach":{}"#, "approach must have distance_m or seconds"),
    member(#""approach":{"distance_m":9}"#, "approach.distance_m must be"),
    member(#""approach":{"seconds":7201}"#, "approach.seconds must be"),
    member(#""approach":{"distance":50}"#, "approach has no member \"distance\""),
    member(#""approach":{"seconds":60,"on_route":1}"#, "approach.on_route must be true or false"),
    member(#""roadblock":true"#, "roadblock must be an object"),
    member(#""roadblock":{"profiles":["car"]}"#, "roadblock.profiles[0] must be"),
    member(#""roadblock":{"since":"2026-02-30T00:00:00Z"}"#, "roadblock.since must be a time"),
    member(
        #""roadblock":{"since":"2026-03-02T00:00:00Z","until":"2026-03-01T00:00:00Z"}"#,
        "roadblock.until must be later than roadblock.since"),
    member(
        #""active":{"weekly":[{"days":["mo"],"from":"08:00","to":"17:00"}]}"#,
        "active.tz is missing"),
    member(#""active":{"tz":"../etc/passwd"}"#, "active.tz must be"),
    member(#""active":{"tz":"Mars/Olympus"}"#, "active.tz must be"),
    member(
        #""active":{"tz":"UTC","weekly":[{"days":[],"from":"08:00","to":"17:00"}]}"#,
        "active.weekly[0].days must be"),
    member(
        #""active":{"tz":"UTC","weekly":[{"days":["xx"],"from":"08:00","to":"17:00"}]}"#,
        "active.weekly[0].days[0] must be"),
    member(
        #""active":{"tz":"UTC","weekly":[{"days":["mo"],"from":"24:00","to":"17:00"}]}"#,
        "active.weekly[0].from must be"),
    member(
        #""active":{"tz":"UTC","weekly":[{"days":["mo"],"from":"8:00","to":"17:00"}]}"#,
        "active.weekly[0].from must be"),
    member(
        #""active":{"tz":"UTC","weekly":[{"days":["mo"],"from":"08:00","to":"24:01"}]}"#,
        "active.weekly[0].to must be"),
    member(#""active":{"hours":[]}"#, "active has no member \"hours\""),
    Refused("{\(gate),\"tell\":[\"exit\"]}", "tell can only have \"pass\""),
    Refused("{\(point),\"tell\":[\"pass\",\"enter\"]}", "tell can only have \"pass\""),
    Refused("{\(gate),\"speed_limit_mps\":8.3}", "speed_limit_mps cannot be"),
    shape("7", "geometry must be an object"), shape("{}", "it has none"),
    shape(
        #"{"point":{"lat":1,"lon":2},"circle":{"center":{"lat":1,"lon":2},"radius_m":5}}"#,
        "it has several"),
    shape(#"{"ellipse":{}}"#, "no member \"ellipse\""),
    shape(#"{"point":{"lat":91,"lon":2}}"#, "geometry.point.lat must be"),
    shape(#"{"point":{"lon":2}}"#, "geometry.point.lat is missing"),
    shape(#"{"point":[2,1]}"#, "geometry.point must be an object"),
    shape(#"{"circle":{"radius_m":50}}"#, "geometry.circle.center is missing"),
    shape(#"{"circle":{"center":{"lat":1,"lon":2}}}"#, "geometry.circle.radius_m is missing"),
    shape(#"{"circle":{"center":{"lat":1,"lon":2},"radius_m":100001}}"#, "radius_m must be"),
    shape(#"{"rectangle":{"south":1,"west":2,"north":1,"east":3}}"#, "south and north are both"),
    shape(#"{"rectangle":{"south":1,"west":3,"north":2,"east":3}}"#, "one meridian"),
    shape(#"{"rectangle":{"south":1,"west":3,"north":2}}"#, "geometry.rectangle.east is missing"),
    shape(#"{"polygon":{"type":"Polygon"}}"#, "geometry.polygon must be the coordinates"),
    shape(#"{"polygon":[]}"#, "has no rings"), shape(#"{"polygon":[[]]}"#, "has no vertices"),
    shape(#"{"polygon":[7]}"#, "geometry.polygon[0] must be a ring"),
    shape(#"{"polygon":[[[7,46],[7.1,91],[7,47]]]}"#, "geometry.polygon[0][1] must be [lon, lat]"),
    shape(#"{"polygon":[[[[7,46],[7.1,46],[7,"x"]]]]}"#, "geometry.polygon[0][0][2] must be"),
    shape(
        #"{"polygon":[[[7.1,46.1],[7.11,46.11],[7.11,46.1],[7.1,46.11]]]}"#,
        "edge 0 from [7.1, 46.1] to [7.11, 46.11] and ring 0, edge 2"),
    shape(#"{"line":{"coordinates":[[7,46],[7,46]]}}"#, "fewer than 2 different vertices"),
    shape(#"{"line":{"coordinates":[[7,46],[8,46]],"width_m":1001}}"#, "width_m must be"),
    shape(#"{"line":{}}"#, "geometry.line.coordinates is missing"),
])
private func refusesPlaces(_ row: Refused) {
    let limits = PlaceLimits { $0 == "UTC" || $0 == "Europe/Vienna" }
    switch decodePut(row.payload, limits: limits).outcome {
    case .success: Issue.record("accepted")
    case .failure(let refusal):
        #expect(refusal.reason == row.reason, "\(refusal.detail)")
        #expect(refusal.detail.contains(row.detail), "\(refusal.detail)")
    }
}
