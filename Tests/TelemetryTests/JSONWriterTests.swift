import Telemetry
import Testing
import Tracking

/// Something to write, and the JSON text it must become.
struct Writing: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: String
    var write: @Sendable (inout JSONWriter) -> Void

    init(
        _ text: String, _ testDescription: String,
        _ write: @escaping @Sendable (inout JSONWriter) -> Void
    ) {
        self.testDescription = testDescription
        self.text = text
        self.write = write
    }
}

@Test(arguments: [
    Writing("{}", "an empty object") { $0.object { _ in } },
    Writing(#"{"a":1,"b":[true,null,"x"],"c":{}}"#, "commas between members and elements") {
        $0.object { json in
            json.member("a", 1)
            json.key("b")
            json.array { json in
                json.bool(true)
                json.null()
                json.string("x")
            }
            json.key(text: "c")
            json.object { _ in }
        }
    },
    Writing(#"{"a":{"b":1},"c":2}"#, "raw JSON among members") {
        $0.object { json in
            json.key("a")
            json.raw(#"{"b":1}"#)
            json.member("c", 2)
        }
    },
    Writing(#""q\" b\\ n\n r\r t\t \u0001\u000b\u001f""#, "escapes") {
        $0.string("q\" b\\ n\n r\r t\t \u{1}\u{b}\u{1f}")
    },
    Writing(#""Zürich / 東京 🚚""#, "text beyond ASCII as it is") { $0.string("Zürich / 東京 🚚") },
    Writing(#""ab""#, "no U+0000, which a database refuses") { $0.string("a\0b\0") },
    Writing(#"{"a\"b":1}"#, "an escaped key") {
        $0.object { json in
            json.key(text: "a\"b")
            json.integer(1)
        }
    },
])
func writes(_ writing: Writing) {
    var json = JSONWriter()
    writing.write(&json)
    #expect(json.text == writing.text)
    json.reset()
    writing.write(&json)
    #expect(json.text == writing.text)
}

@Test(arguments: [
    (0, "0"), (-0.0, "0"), (1, "1"), (-7, "-7"), (0.5, "0.5"), (77.2102237, "77.2102237"),
    (-122.4194155, "-122.4194155"), (28.5999996, "28.5999996"), (0.1 + 0.2, "0.30000000000000004"),
    (13.88888888888889, "13.88888888888889"), (1e-9, "1e-09"), (1e21, "1e+21"),
    (900_719_925.0, "900719925"), (9_007_199_254_740_991, "9007199254740991"),
    (-.pi, "-3.141592653589793"), (.infinity, "null"), (.nan, "null"),
])
func writesNumbersThatReadBackTheSame(number: Double, text: String) {
    var json = JSONWriter()
    json.number(number)
    #expect(json.text == text)
    if number.isFinite { #expect(Double(json.text) == number) }
}

/// Numbers that look random and are the same for the same seed (SplitMix64).
private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}

@Test(arguments: [1, 2, 3] as [UInt64])
func writesAnyNumberSoThatItReadsBackTheSame(seed: UInt64) {
    var generator = SeededGenerator(state: seed)
    for _ in 0..<5000 {
        let number = Double(bitPattern: generator.next())
        let degrees = Double.random(in: -180...180, using: &generator)
        for value in [number, degrees, (degrees * 1e7).rounded() / 1e7] where value.isFinite {
            var json = JSONWriter()
            json.number(value)
            #expect(Double(json.text) == value)
        }
    }
}

@Test(arguments: [
    (2500.004, 2, "2500"), (2500.006, 2, "2500.01"), (12.5, 2, "12.5"), (0.004, 2, "0"),
    (-0.004, 2, "0"), (-1.505, 1, "-1.5"), (77.21022374, 7, "77.2102237"),
    (0.0000001, 7, "0.0000001"),
    (-0.05, 2, "-0.05"), (1999.7, 0, "2000"), (1e300, 2, "1e+300"), (.nan, 2, "null"),
    (100, 7, "100"),
])
func rounds(number: Double, decimals: Int, text: String) {
    var json = JSONWriter()
    json.number(number, decimals: decimals)
    #expect(json.text == text)
}

@Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (1_772_366_400_000_000, "2026-03-01T12:00:00.000Z"),
    (1_772_366_400_123_999, "2026-03-01T12:00:00.123Z"),
    (951_782_399_999_000, "2000-02-28T23:59:59.999Z"),
    (951_782_400_000_000, "2000-02-29T00:00:00.000Z"),
    (4_107_542_400_000_000, "2100-03-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
    (-86_400_000_000, "1969-12-31T00:00:00.000Z"),
    (253_402_300_799_999_999, "9999-12-31T23:59:59.999Z"),
    (253_402_300_800_000_000, "+10000-01-01T00:00:00.000Z"),
    (-62_135_596_800_000_000, "0001-01-01T00:00:00.000Z"),
    (.max, "+294247-01-10T04:00:54.775Z"), (.min, "-290308-12-21T19:59:05.224Z"),
])
func writesTimes(microseconds: Int64, text: String) {
    #expect(Timestamp(microseconds: microseconds).iso8601 == text)
}

@Test(arguments: [
    (Int.min, "-9223372036854775808"), (.max, "9223372036854775807"), (0, "0"), (-10, "-10"),
])
func writesIntegers(value: Int, text: String) {
    var json = JSONWriter()
    json.integer(value)
    #expect(json.text == text)
}
