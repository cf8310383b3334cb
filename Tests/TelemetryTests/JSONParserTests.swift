import Telemetry
import Testing

@Suite("JSON")
struct JSONParserTests {
    /// A text and what it is when written again.
    struct Sample: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var text: String
        var written: String?

        init(_ description: String, _ text: String, _ written: String? = nil) {
            testDescription = description
            self.text = text
            self.written = written
        }
    }

    @Test(arguments: [
        Sample(
            "blanks go", "{ \"a\" : [ 1 , 2.5 , null , true , false ] }",
            #"{"a":[1,2.5,null,true,false]}"#),
        Sample("empty containers stay", #"{"a":{},"b":[]}"#),
        Sample("escapes are written short", #""\u0041\/\"\\\n""#, #""A/\"\\\u000A""#),
        Sample("U+0000 goes from strings and keys", #"{"a\u0000b":"c\u0000"}"#, #"{"ab":"c"}"#),
        Sample(
            "64 bits stay whole", "[9223372036854775807,-9223372036854775808,18446744073709551615]"),
        Sample(
            "an integer beyond 64 bits keeps its digits",
            #"{"a":123456789012345678901234567890,"b":"x"}"#),
        Sample(
            "so does a negative one", "[-9223372036854775809, \"123\", 18446744073709551616]",
            "[-9223372036854775809,\"123\",18446744073709551616]"),
        Sample("as the whole text", "18446744073709551616"),
        Sample(
            "an exponent beyond a double becomes text", "[1e400,-1.5E+999999]",
            #"["1e400","-1.5E+999999"]"#),
        Sample(
            "1,001 digits become text", "[\(String(repeating: "7", count: 1_001))]",
            "[\"\(String(repeating: "7", count: 1_001))\"]"),
        Sample(
            "numbers in strings are left alone", #"["[99999999999999999999]",99999999999999999999]"#
        ),
        Sample("behind an escaped quote too", #"["\",99999999999999999999",99999999999999999999]"#),
        Sample("a pair of surrogates is one character", #""\ud83d\ude9a""#, "\"🚚\""),
    ])
    func writesAgain(_ sample: Sample) throws {
        let written = try JSONParser().parse(sample.text) { $0.rawText }
        #expect(written == sample.written ?? sample.text)
    }

    @Test(arguments: [
        Sample("nothing", ""), Sample("blanks", "  "), Sample("cut off", #"{"a":1"#),
        Sample("a trailing comma", "[1,]"), Sample("a comment", "[1] // one"),
        Sample("NaN", "[NaN]"), Sample("a leading zero", "[01]"), Sample("a plus sign", "[+1]"),
        Sample("two roots", "1 2"), Sample("hexadecimal", "[0x34]"),
        Sample("a lone surrogate", #"["\ud83d"]"#), Sample("a low surrogate alone", #"["\ude9a"]"#),
        Sample("a huge number as key", "{99999999999999999999:1}"),
        Sample("a huge number with a leading zero", "[099999999999999999999]"),
        Sample("a huge number with a letter behind", "[99999999999999999999x]"),
        Sample("a huge number behind a string", #"["a"99999999999999999999]"#),
        Sample("a huge number without a comma", "[1 99999999999999999999]"),
        Sample("a huge number before a cut", "[99999999999999999999"),
        Sample("a control character", "\"\u{1}\""), Sample("a byte order mark", "\u{FEFF}1"),
    ])
    func refuses(_ sample: Sample) {
        #expect { try JSONParser().parse(sample.text) { $0.rawText } } throws: { error in
            (error as? JSONError)?.reason == .syntax
        }
    }

    @Test(
        "64 levels pass and 65 do not, whether or not the innermost is empty",
        arguments: ["", "1", "99999999999999999999", #""[[[[""#])
    func limitsDepth(_ innermost: String) throws {
        let parser = JSONParser()
        for open in ["[", "{\"a\":"] {
            let close = open == "[" ? "]" : "}"
            func nested(_ depth: Int) -> String {
                String(repeating: open, count: depth - 1) + "[" + innermost + "]"
                    + String(repeating: close, count: depth - 1)
            }
            #expect(try parser.parse(nested(64)) { $0.rawText } == nested(64))
            #expect(throws: JSONError.self) { try parser.parse(nested(65)) { $0.rawText } }
            #expect(throws: JSONError.self) { try parser.parse(nested(9_000)) { $0.rawText } }
            #expect(try parser.parse("[1]") { $0.rawText } == "[1]")
        }
    }

    @Test("bytes outside UTF-8 are told from broken grammar")
    func tellsEncoding() {
        let bytes: [UInt8] = [0x22, 0xE9, 0x22]
        #expect {
            try bytes.withUnsafeBytes { _ = try JSONParser().parse($0) }
        } throws: { error in
            (error as? JSONError)?.reason == .invalidUTF8
        }
    }

    @Test("a value gives only what it is")
    func isStrict() throws {
        let text =
            #"{"t":true,"n":null,"i":7,"w":7.0,"d":0.5,"u":18446744073709551615,"s":"1","#
            + #""b":1e400,"g":123456789012345678901,"a":[1],"i":8}"#
        try JSONParser().parse(text) { root in
            #expect(root["t"]?.double == nil && root["t"]?.bool == true)
            #expect(root["n"]?.isNull == true && root["n"]?.bool == nil && root["n"]?.string == nil)
            #expect(root["i"]?.int64 == 7 && root["i"]?.double == 7 && root["i"]?.bool == nil)
            #expect(root["w"]?.int64 == 7 && root["d"]?.int64 == nil && root["d"]?.double == 0.5)
            #expect(root["u"]?.int64 == nil && root["u"]?.double == 0x1p64)
            #expect(root["s"]?.double == nil && root["s"]?.string == "1")
            #expect(root["b"]?.double == .infinity && root["b"]?.kind == .number)
            #expect(root["g"]?.double == 1.2345678901234568e20 && root["g"]?.string == nil)
            #expect(root["a"]?["x"] == nil && root["a"]?.array?.count == 1)
            #expect(root["missing"] == nil && root.member(named: "d")?.double == 0.5)
            #expect(root.object?.map(\.key.string).joined() == "tniwdusbgai")
        }
    }

    @Test("a parser is as good after any text as before")
    func isReusable() throws {
        let parser = JSONParser()
        let long = "[" + (0..<20_000).map(String.init).joined(separator: ",") + "]"
        for text in ["[1]", long, "[2]"] {
            #expect(throws: JSONError.self) { try parser.parse("[1,") { $0.rawText } }
            #expect(try parser.parse(text) { $0.rawText } == text)
        }
    }
}
