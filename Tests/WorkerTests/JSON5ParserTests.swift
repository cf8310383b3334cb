import Testing

@testable import Worker

/// A text and what it holds.
struct JSON5Case: CustomTestStringConvertible, Sendable {
    var text: String
    var content: JSON5Value.Content

    var testDescription: String { text }
}

/// A text that is not JSON5, and what the message says.
struct BrokenJSON5Case: CustomTestStringConvertible, Sendable {
    var text: String
    var line: Int
    var message: String

    var testDescription: String { text }
}

struct JSON5ParserTests {
    @Test(arguments: [
        JSON5Case(text: "null", content: .null),
        JSON5Case(text: " true // yes", content: .bool(true)),
        JSON5Case(text: "/* a\n b */ false", content: .bool(false)),
        JSON5Case(text: "12", content: .number(12)),
        JSON5Case(text: "-0.5e+2", content: .number(-50)),
        JSON5Case(text: "+.5", content: .number(0.5)),
        JSON5Case(text: "5.", content: .number(5)),
        JSON5Case(text: "0xFf", content: .number(255)),
        JSON5Case(text: "-Infinity", content: .number(-.infinity)),
        JSON5Case(text: "'it\\'s \"so\"'", content: .text("it's \"so\"")),
        JSON5Case(text: #""\u00e9\x41\n\uD83D\uDE9A""#, content: .text("éA\n🚚")),
        JSON5Case(text: "'one \\\nline'", content: .text("one line")),
        JSON5Case(text: "\u{FEFF}''", content: .text("")),
        JSON5Case(text: "[]", content: .list([])),
        JSON5Case(text: "{}", content: .object([])),
    ])
    func reads(_ row: JSON5Case) throws {
        #expect(try JSON5Value(parsing: row.text).content == row.content)
    }

    @Test func keepsOrderAndLines() throws {
        let value = try JSON5Value(parsing: "{\n  b: [1,\n 2,],\n  'a-c': { $x_1: null },\n}\n")
        guard case .object(let members) = value.content else {
            Issue.record("no object: \(value)")
            return
        }
        #expect(members.map(\.key) == ["b", "a-c"])
        #expect(members.map(\.line) == [2, 4])
        guard case .list(let elements) = members[0].value.content else {
            Issue.record("no list: \(members)")
            return
        }
        #expect(elements.map(\.line) == [2, 3])
    }

    @Test(arguments: [
        BrokenJSON5Case(text: "", line: 1, message: "expected a value, found the end of the file"),
        BrokenJSON5Case(
            text: "{a: 1", line: 1, message: "expected ',' or '}', found the end of the file"),
        BrokenJSON5Case(
            text: "{\n a: 1\n b: 2}", line: 3, message: "expected ',' or '}', found 'b'"),
        BrokenJSON5Case(text: "{a 1}", line: 1, message: "expected ':' after 'a', found '1'"),
        BrokenJSON5Case(text: "{a: 1,\na: 2}", line: 2, message: "the key 'a' is there twice"),
        BrokenJSON5Case(text: "{,}", line: 1, message: "expected a key, found ','"),
        BrokenJSON5Case(text: "[1,,2]", line: 1, message: "expected a value, found ','"),
        BrokenJSON5Case(text: "{a: foo}", line: 1, message: "'foo' is no value; text needs quotes"),
        BrokenJSON5Case(text: "{a: 'x\n'}", line: 1, message: "the text has no closing '"),
        BrokenJSON5Case(text: "'x", line: 1, message: "the text has no closing '"),
        BrokenJSON5Case(text: "1.2.3", line: 1, message: "'1.2.3' is no number"),
        BrokenJSON5Case(text: "01", line: 1, message: "'01' is no number"),
        BrokenJSON5Case(text: "0x", line: 1, message: "'0x' is no number"),
        BrokenJSON5Case(text: "-", line: 1, message: "'-' is no number"),
        BrokenJSON5Case(text: "1e", line: 1, message: "'1e' is no number"),
        BrokenJSON5Case(text: "10px", line: 1, message: "'10px' is no number"),
        BrokenJSON5Case(text: "/* x", line: 1, message: "the comment has no end"),
        BrokenJSON5Case(text: "{} {}", line: 1, message: "expected the end of the file, found '{'"),
        BrokenJSON5Case(text: #"'\uD800'"#, line: 1, message: "half of a surrogate pair"),
        BrokenJSON5Case(
            text: String(repeating: "[", count: 65), line: 1, message: "nested too deeply"),
    ])
    func saysWhereItBreaks(_ row: BrokenJSON5Case) {
        #expect(throws: JSON5Error(line: row.line, message: row.message)) {
            try JSON5Value(parsing: row.text)
        }
    }
}
