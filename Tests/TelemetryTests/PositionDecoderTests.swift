import Telemetry
import Testing
import Tracking

@Suite("Positions")
struct PositionDecoderTests {
    private static let now = "1772366370"

    @Test(arguments: [
        DecodeSample.time("1772366370.0004", #"{}"#),
        .time("1772366370123456", #"{"time":"2026-03-01T11:59:30.123Z"}"#),
        .time("1772366370123456789", #"{"time":"2026-03-01T11:59:30.123Z"}"#),
        .time(#""1772366370123""#, #"{"time":"2026-03-01T11:59:30.123Z"}"#),
        .time(#""1772366370123456789""#, #"{"time":"2026-03-01T11:59:30.123Z"}"#),
        .time(#"" 1772366370 ""#, "{}"),
        .time(#""2026-03-01 11:59:30""#, "{}"), .time(#""2026-03-01t11:59:30z""#, "{}"),
        .time(#""2026-03-01T11:59:30,000Z""#, "{}"), .time(#""20260301T115930Z""#, "{}"),
        .time(#""2026-03-01T06:29:30-0530""#, "{}"), .time(#""2026-03-01T13:59:30+02""#, "{}"),
        .time(#""2026-03-01T11:59Z""#, #"{"time":"2026-03-01T11:59:00.000Z"}"#),
        .time(#""2026-03-01T11:59:30.123456789123Z""#, #"{"time":"2026-03-01T11:59:30.123Z"}"#),
        .time(#""2026-02-28T24:00:00Z""#, "rejected invalid_time"),
        .time(#""2026-02-29T11:59:30Z""#, "rejected invalid_time"),
        .time(#""2026-02-30T11:59:30Z""#, "rejected invalid_time"),
        .time(#""2026-13-01T11:59:30Z""#, "rejected invalid_time"),
        .time(#""2026-00-01T11:59:30Z""#, "rejected invalid_time"),
        .time(#""2026-03-00T11:59:30Z""#, "rejected invalid_time"),
        .time(#""2026-03-01T11:60:30Z""#, "rejected invalid_time"),
        .time(#""2026-03-01T11:59:60Z""#, "rejected invalid_time"),
        .time(#""2026-03-01T11:59:30.Z""#, "rejected invalid_time"),
        .time(#""2026-03-01T11:59:30+24:00""#, "rejected invalid_time"),
        .time(#""2026-03-01T11:59:30 CET""#, "rejected invalid_time"),
        .time(#""2026-03-01""#, "rejected invalid_time"),
        .time(#""2026-0301T11:59:30Z""#, "rejected invalid_time"),
        .time(#""01.03.2026 11:59:30""#, "rejected invalid_time"),
        .time(#""""#, "rejected invalid_time"), .time(#""0x69a42b22""#, "rejected invalid_time"),
        .time(#""1.772e9""#, "rejected invalid_time"), .time(#""nan""#, "rejected invalid_time"),
        .time("true", "rejected invalid_time"), .time("[1772366370]", "rejected invalid_time"),
        .time("{}", "rejected invalid_time"), .time("-1", "rejected time_too_old"),
        .time("-9e18", "rejected time_too_old"), .time("1e300", "rejected time_in_future"),
        .time("1e400", "rejected time_in_future"),
        .time("99999999999999999999999", "rejected time_in_future"),
        .time("1772366700", #"{"time":"2026-03-01T12:05:00.000Z"}"#),
        .time("1772366700.001", "rejected time_in_future"),
        .time("1740744000", #"{"time":"2025-02-28T12:00:00.000Z"}"#),
        .time("1740743999.999", "rejected time_too_old"),
    ])
    func readsTimes(_ sample: DecodeSample) throws {
        #expect(try sample.decoded() == sample.expected)
    }

    @Test(arguments: [
        DecodeSample.latitude(#""52.5""#, "{}"), .latitude(#"" +52.50 ""#, "{}"),
        .latitude(#""52.500000000000000000001""#, "{}"), .latitude("5.25e1", "{}"),
        .latitude(#""-.5""#, #"{"lat":-0.5,"lon":13.4}"#),
        .latitude(#""5.25e1""#, "rejected coordinates_not_numeric"),
        .latitude(#""0x34""#, "rejected coordinates_not_numeric"),
        .latitude(#""inf""#, "rejected coordinates_not_numeric"),
        .latitude(#""""#, "rejected coordinates_not_numeric"),
        .latitude(#"".""#, "rejected coordinates_not_numeric"),
        .latitude(#""-""#, "rejected coordinates_not_numeric"),
        .latitude(#""5 2""#, "rejected coordinates_not_numeric"),
        .latitude(#""52.5.1""#, "rejected coordinates_not_numeric"),
        .latitude(#""52.5N""#, "rejected coordinates_not_numeric"),
        .latitude("true", "rejected coordinates_not_numeric"),
        .latitude("[52.5]", "rejected coordinates_not_numeric"),
        .latitude("{}", "rejected coordinates_not_numeric"),
        .latitude("90.0000001", "rejected coordinates_out_of_range"),
        .latitude("1e400", "rejected coordinates_out_of_range"),
        .latitude("123456789012345678901", "rejected coordinates_out_of_range"),
        DecodeSample(
            "nearly 0, 0", #"{"time":1772366370,"lat":-0.00009,"lon":0.00009}"#,
            "rejected zero_coordinates"),
        DecodeSample(
            "a little farther", #"{"time":1772366370,"lat":0.0001,"lon":0}"#,
            #"{"lat":0.0001,"lon":0}"#),
        DecodeSample(
            "a coordinate missing counts before another's fault",
            #"{"time":1772366370,"lat":"x"}"#, "rejected missing_coordinates"),
        DecodeSample(
            "coordinates count before the time", #"{"lat":91,"lon":13.4}"#,
            "rejected coordinates_out_of_range"),
        DecodeSample(
            "the first of a repeated key counts",
            #"{"time":1772366370,"lat":52.5,"lon":13.4,"lat":0}"#, "{}"),
    ])
    func readsCoordinates(_ sample: DecodeSample) throws {
        #expect(try sample.decoded() == sample.expected)
    }

    @Test(arguments: [
        DecodeSample.native("speed as text", #""speed_mps":"13.9""#, #"{"speed_mps":13.9}"#),
        .native("a huge speed", #""speed_mps":1e400"#, "{}"),
        .native("speed true", #""speed_mps":true"#, "{}"),
        .native("course 0", #""course_deg":0"#, #"{"course_deg":0}"#),
        .native("course beyond 360", #""course_deg":360.1"#, "{}"),
        .native("accuracy unknown", #""accuracy_m":65535"#, "{}"),
        .native("accuracy negative", #""accuracy_m":-1"#, "{}"),
        .native("altitude below the sea", #""altitude_m":-430.5"#, #"{"altitude_m":-430.5}"#),
        .native("altitude garbage", #""altitude_m":"high""#, "{}"),
        .native("a counted level", #""level":-1"#, #"{"level":-1}"#),
        .native("a named level", #""level":"P\u00002""#, #"{"level":"P2"}"#),
        .native("a level that is none", #""level":["P2"]"#, "{}"),
        .native("an empty level", #""level":"\u0000""#, "{}"),
        .native("provider", #""provider":"gps""#, #"{"provider":"gps"}"#),
        .native("another provider", #""provider":"wi\u0000fi""#, #"{"provider":"wifi"}"#),
        .native("provider 7", #""provider":7"#, "{}"),
        .native(
            "attributes", #""attributes":{"fuel": 81, "tags": ["a"], "n": null}"#,
            #"{"attributes":{"fuel":81,"tags":["a"],"n":null}}"#),
        .native(
            "U+0000 in attributes", #""attributes":{"dri\u0000ver":"a\u0000b"}"#,
            #"{"attributes":{"driver":"ab"}}"#),
        .native(
            "a big integer in attributes", #""attributes":{"id":123456789012345678901234567890}"#,
            #"{"attributes":{"id":123456789012345678901234567890}}"#),
        .native("attributes that are no object", #""attributes":[1]"#, "{}"),
        .native(
            "a big integer elsewhere", #""other":123456789012345678901234567890"#, "{}"),
    ])
    func keepsOrDropsOptionalFields(_ sample: DecodeSample) throws {
        #expect(try sample.decoded() == sample.expected)
    }

    @Test("a negative accuracy stays with the fix, which is not tracked then, and is not stored")
    func keepsNegativeAccuracy() throws {
        let table = try SourceTable(root: "fleet", sources: [])
        guard case .position(let source) = table.match("fleet/truck-17/position") else {
            Issue.record("the topic is not matched")
            return
        }
        let payload = #"{"time":1772366370,"lat":52.5,"lon":13.4,"accuracy_m":"-1"}"#
        let outcome = Array(payload.utf8).withUnsafeBytes {
            PositionDecoder().decode(
                $0, source: source, receivedAt: DecodeSample.receivedAt)
        }
        guard case .accepted(let reports, _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(reports.first?.fix.accuracy == -1)
        #expect(reports.first?.accuracy == nil)
    }

    @Test(arguments: [
        DecodeSample("blanks", " \n\t\r ", "ignored empty_payload"),
        DecodeSample("NULs", "\0\0", "ignored empty_payload"),
        DecodeSample("a NUL before the text", "\0{}", "rejected invalid_json"),
        DecodeSample("a byte order mark alone", "\u{FEFF}", "ignored empty_payload"),
        DecodeSample(
            "nothing for an invalid id", "", "ignored empty_payload", on: "fleet//position"),
        DecodeSample("broken text", bytes: [0x7B, 0xFF], "rejected invalid_utf8"),
        DecodeSample("a broken sentence", bytes: [0x24, 0xFF], "rejected invalid_utf8"),
        DecodeSample(
            "broken syntax before UTF-8", bytes: [0x7B, 0x7B, 0xC3], "rejected invalid_utf8"),
        DecodeSample("65 levels", String(repeating: "[", count: 65), "rejected invalid_json"),
        DecodeSample(
            "nested 65 deep",
            #"{"a":"# + String(repeating: "[", count: 64) + String(repeating: "]", count: 64) + "}",
            "rejected invalid_json"),
        DecodeSample(
            "nested 64 deep",
            #"{"time":1772366370,"lat":52.5,"lon":13.4,"a":"# + String(repeating: "[", count: 63)
                + String(repeating: "]", count: 63) + "}", "{}"),
        DecodeSample("a lone surrogate", #"{"a":"\ud83d"}"#, "rejected invalid_json"),
        DecodeSample("no position's text", "hello", "rejected invalid_json"),
        DecodeSample("null", "null", "rejected unsupported_format"),
        DecodeSample("an unknown object", #"{"foo":1}"#, "rejected unsupported_format"),
        DecodeSample("an empty object", "{}", "rejected unsupported_format"),
        DecodeSample("a time alone", #"{"time":1772366370}"#, "rejected missing_coordinates"),
        DecodeSample(
            "an array in an array", "[[]]", "rejected unsupported_format !0 unsupported_format"),
        DecodeSample(
            "a batch of two formats and other things",
            #"[{"_type":"lwt"},{"_type":"location","lat":52.5,"lon":13.4,"tst":1772366370},null,"#
                + #"{"time":1772366370,"lat":52.5,"lon":13.4,"speed_mps":1},{"_type":"encrypted"}]"#,
            #"{} {"speed_mps":1} !2 unsupported_format !4 encrypted_payload"#),
        DecodeSample(
            "a batch without fixes", #"[{"_type":"lwt"},{"ident":"1","timestamp":1}]"#,
            "ignored no_fix"),
        DecodeSample(
            "an invalid id", #"{"time":1,"lat":91,"lon":13.4}"#, "rejected invalid_vehicle_id",
            on: "fleet//position"),
        DecodeSample(
            "an invalid id where there is no position", #"{"_type":"lwt"}"#,
            "ignored not_a_location", on: "fleet//position"),
        DecodeSample(
            "an invalid id of a batch", #"[{"lat":52.5,"lon":13.4,"time":1772366370}]"#,
            "rejected invalid_vehicle_id !0 invalid_vehicle_id", on: "fleet//position"),
    ])
    func framesAndOrdersChecks(_ sample: DecodeSample) throws {
        #expect(try sample.decoded() == sample.expected)
    }

    @Test("the retention limits the age, and 366 days the retention")
    func limitsAge() throws {
        let limits = DecodeLimits(maxAgeDays: 90)
        let sample = DecodeSample.time(#""2025-12-01T11:59:59Z""#, "rejected time_too_old")
        #expect(try sample.decoded(limits: limits) == sample.expected)
        #expect(try sample.decoded() == #"{"time":"2025-12-01T11:59:59.000Z"}"#)
        #expect(DecodeLimits(maxAgeDays: 4_000).maxAgeDays == 366)
    }

    @Test("the size counts before anything else")
    func limitsSize() throws {
        let position = #"{"time":1772366370,"lat":52.5,"lon":13.4}"#
        let blanks = String(repeating: " ", count: 262_144 - position.utf8.count)
        let longest = DecodeSample("longest", blanks + position, "{}")
        #expect(try longest.decoded() == longest.expected)
        let longer = DecodeSample("longer", blanks + " " + position, "rejected payload_too_large")
        #expect(try longer.decoded() == longer.expected)
        let empty = DecodeSample("", String(repeating: "\0", count: 262_145), longer.expected)
        #expect(try empty.decoded() == empty.expected)
    }
}
