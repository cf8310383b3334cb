import Testing

@testable import Store

struct StoredJSONTests {
    @Test(arguments: [
        (#"{"a":1,"b":[true,null,"x"]}"#, #"{"a":1,"b":[true,null,"x"]}"#),
        (#"{"a":"x\u0000y"}"#, #"{"a":"xy"}"#),
        (#"{"a":"\\u0000"}"#, #"{"a":"\\u0000"}"#),
        (#"{"a":"\\\u0000"}"#, #"{"a":"\\"}"#),
        ("{\"a\":\"x\u{0}\"}", #"{"a":"x"}"#),
        (#"{"a":"\ud83d\ude00"}"#, #"{"a":"\ud83d\ude00"}"#),
        (#"{"a":"\uD83D"}"#, #"{"a":"\ufffd"}"#),
        (#"{"a":"\ud83d\ud83d\ude00"}"#, #"{"a":"\ufffd\ud83d\ude00"}"#),
        (#"{"a":"\ude00x"}"#, #"{"a":"\ufffdx"}"#),
        (#"{"a":"\ud83dA"}"#, #"{"a":"\ufffdA"}"#),
        (#"{"a":"\u00e9\n\"1e999\""}"#, #"{"a":"\u00e9\n\"1e999\""}"#),
        (#"{"a":1e308}"#, #"{"a":1e308}"#),
        (#"{"a":1e401,"b":-1.5E-0401}"#, #"{"a":null,"b":null}"#),
        (#"[1e00000000000000000000000000400]"#, #"[1e00000000000000000000000000400]"#),
        ("[1e99999999999999999999999]", "[null]"),
        (
            "[" + String(repeating: "1", count: 400) + "]",
            "[" + String(repeating: "1", count: 400) + "]"
        ),
        ("[" + String(repeating: "1", count: 401) + "]", "[null]"),
        // Not JSON: passed on, for the database to refuse.
        (#"{"a":"\"#, #"{"a":"\"#),
        (#"{"a":"\u00"#, #"{"a":"\u00"#),
        ("", ""),
    ])
    func `only what jsonb refuses is changed`(text: String, stored: String) {
        var bytes: [UInt8] = []
        StoredJSON.append(text, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == stored)
    }
}
