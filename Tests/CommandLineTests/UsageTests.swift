import Testing

@testable import waygate

/// A command line, and what comes of it.
struct UsageCase: CustomTestStringConvertible, Sendable {
    var words: [String]
    var status: Int32
    var message: String

    var testDescription: String { words.joined(separator: " ") }

    init(_ words: String..., status: Int32, message: String) {
        self.words = words
        self.status = status
        self.message = message
    }
}

struct UsageTests {
    @Test(arguments: [
        UsageCase(
            "frobnicate", status: 2,
            message: "waygate: unknown command 'frobnicate'; see 'waygate --help'"),
        UsageCase(
            "asign", status: 2,
            message:
                "waygate: unknown command 'asign'; did you mean 'assign'?; see 'waygate --help'"),
        UsageCase(
            "proceed", status: 2,
            message: "waygate proceed: VEHICLE is missing: waygate proceed VEHICLE [options]; "
                + "see 'waygate proceed --help'"),
        UsageCase(
            "proceed", "a/b", status: 2,
            message:
                "waygate proceed: VEHICLE must be 1 to 128 bytes without '/', '+', '#' and control "
                + "characters, not 'a/b'; see 'waygate proceed --help'"),
        UsageCase(
            "proceed", "van", "--timeout", "5", status: 2,
            message: "waygate proceed: --timeout needs --wait; see 'waygate proceed --help'"),
        UsageCase(
            "assign", "van", status: 2,
            message:
                "waygate assign: a trip needs --route FILE or --destination LAT,LON (or --file); "
                + "see 'waygate assign --help'"),
        UsageCase(
            "assign", "van", "--destination", "91,0", status: 2,
            message:
                "waygate assign: --destination must be a latitude and a longitude in degrees, as in "
                + "47.14,9.52, not '91,0'; see 'waygate assign --help'"),
        UsageCase(
            "assign", "van", "--destination", "1,2", "--option", "arrival_radius_m=-1", status: 2,
            message:
                "waygate assign: --option: arrival_radius_m must be a number above 0 and at most "
                + "1000000000, not -1; see 'waygate assign --help'"),
        UsageCase(
            "assign", "van", "--route", "/nowhere.gpx", status: 1,
            message: "waygate assign: /nowhere.gpx: No such file or directory"),
        UsageCase(
            "stop", "van", "--config", "/nowhere.json5", status: 1,
            message: "waygate stop: /nowhere.json5: cannot be read: No such file or directory"),
        UsageCase(
            "watch", "--type", "arived", status: 2,
            message:
                "waygate watch: --type: no event or alarm is called 'arived'; did you mean 'arrived'?; "
                + "see 'waygate watch --help'"),
    ])
    func refuses(_ row: UsageCase) throws {
        let result = try Tool(row.words).finish()
        #expect(result.status == row.status)
        #expect(result.errors == row.message + "\n")
        #expect(result.output.isEmpty)
    }

    @Test func explainsEveryCommand() throws {
        let overview = try Tool.run("--help")
        #expect(overview.status == 0)
        for command in Entry.commands {
            let name = command.manual.name
            #expect(overview.output.contains("\n  \(name) "))
            let help = try Tool.run(name, "--help")
            #expect(help.status == 0)
            #expect(help.output == command.manual.text)
            #expect(help.errors.isEmpty)
        }
    }

    @Test func tellsItsVersionEverywhere() throws {
        for words in [["--version"]] + Entry.commands.map({ [$0.manual.name, "--version"] }) {
            let result = try Tool(words).finish()
            #expect(result.status == 0)
            #expect(result.output == "waygate 0.1.0\n")
        }
    }

    @Test func saysThatNoBrokerIsThere() throws {
        let result = try Tool.run(
            "proceed", "van-7", environment: ["WAYGATE_MQTT_URL": "mqtt://u:hunter2@127.0.0.1:1"])
        #expect(result.status == 1)
        #expect(
            result.errors
                == "waygate proceed: no connection to the broker at 127.0.0.1:1: Connection refused; "
                + "mqtt.url or WAYGATE_MQTT_URL says where it is\n")
    }
}
