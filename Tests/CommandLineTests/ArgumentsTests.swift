import Testing

@testable import waygate

/// A command line that the sample manual does not allow, and what is said of it.
struct RefusedArguments: CustomTestStringConvertible, Sendable {
    var words: [String]
    var message: String

    var testDescription: String { words.joined(separator: " ") }
}

struct ArgumentsTests {
    private static let trip = Option.value("trip", "ID", "the trip")
    private static let via = Option.value("via", "LAT,LON", "a via point", repeats: true)
    private static let wait = Option.flag("wait", "wait for the answer")
    private static let manual = Manual(
        name: "sample", summary: "is a sample",
        operands: [
            Operand(placeholder: "VEHICLE", help: "the vehicle"),
            Operand(placeholder: "FILE", help: "a file", isOptional: true),
        ],
        options: [trip, via, wait], example: "waygate sample van-7")

    @Test func takesOptionsInEveryForm() throws {
        let arguments = try Arguments(
            ["--trip", "t1", "van-7", "--via=1,2", "--wait", "--via", "-3,4", "--", "--file"],
            for: Self.manual)
        #expect(arguments.operands == ["van-7", "--file"])
        #expect(arguments.text(Self.trip) == "t1")
        #expect(arguments.texts(Self.via) == ["1,2", "-3,4"])
        #expect(arguments.has(Self.wait))
        #expect(!arguments.has(.help))
    }

    @Test func takesADashForStandardInput() throws {
        #expect(try Arguments(["van-7", "-"], for: Self.manual).operands == ["van-7", "-"])
    }

    @Test func asksNothingOfWhoWantsHelp() throws {
        #expect(try Arguments(["--help"], for: Self.manual).has(.help))
        #expect(try Arguments(["-h"], for: Self.manual).has(.help))
        #expect(try Arguments(["--version"], for: Self.manual).has(.version))
    }

    @Test(arguments: [
        RefusedArguments(
            words: [], message: "VEHICLE is missing: waygate sample VEHICLE [FILE] [options]"),
        RefusedArguments(
            words: ["a", "b", "c"],
            message: "'c' is too much: waygate sample VEHICLE [FILE] [options]"),
        RefusedArguments(
            words: ["a", "--tripp", "x"],
            message: "unknown option '--tripp'; did you mean '--trip'?"),
        RefusedArguments(words: ["a", "-x"], message: "unknown option '-x'"),
        RefusedArguments(words: ["a", "--trip"], message: "--trip needs a value: --trip ID"),
        RefusedArguments(
            words: ["a", "--trip", "--wait"], message: "--trip needs a value: --trip ID"),
        RefusedArguments(words: ["a", "--wait=yes"], message: "--wait takes no value"),
        RefusedArguments(
            words: ["a", "--trip", "x", "--trip=y"], message: "--trip is there twice"),
    ])
    func refuses(_ row: RefusedArguments) {
        #expect(throws: UsageError(row.message)) {
            _ = try Arguments(row.words, for: Self.manual)
        }
    }

    @Test func readsPlainNumbersOnly() throws {
        func number(_ text: String) throws(UsageError) -> Double? {
            try Arguments(["v", "--trip", text], for: Self.manual).number(Self.trip, in: 0...10)
        }
        #expect(try number("2.5") == 2.5)
        for text in ["0x1", "nan", "inf", "", "11", "-1", "1 "] {
            #expect(throws: UsageError("--trip must be a number from 0 to 10, not '\(text)'")) {
                _ = try number(text)
            }
        }
    }

    @Test func printsAHelpThatFitsATerminal() {
        let text = Self.manual.text
        #expect(text.contains("Usage: waygate sample VEHICLE [FILE] [options]"))
        #expect(text.contains("  --via LAT,LON  a via point\n"))
        #expect(text.hasSuffix("Example:\n  waygate sample van-7\n"))
        for command in Entry.commands {
            for line in command.manual.text.split(separator: "\n") {
                #expect(line.count <= 80, "\(command.manual.name): \(line)")
            }
        }
    }
}
