import Telemetry
import Testing

@Suite("Filters that collide")
struct FilterConflictsTests {
    /// Two filters, and whether a topic can match both.
    struct Pair: CustomTestStringConvertible, Sendable {
        var one: String
        var another: String
        var overlap: Bool
        var testDescription: String { "\(one) and \(another)" }

        init(_ one: String, _ another: String, _ overlap: Bool) {
            (self.one, self.another, self.overlap) = (one, another, overlap)
        }
    }

    @Test(arguments: [
        Pair("a", "a", true), Pair("a", "b", false), Pair("a", "a/b", false), Pair("A", "a", false),
        Pair("a/+", "a/b", true), Pair("a/+", "a", false), Pair("a/+", "a/", true),
        Pair("a/+", "a/b/c", false), Pair("+/b", "a/+", true), Pair("+/b", "a/c", false),
        Pair("+", "/", false), Pair("+/+", "/", true), Pair("+/+", "/a", true),
        Pair("#", "a", true), Pair("#", "a/+/c", true), Pair("#", "#", true), Pair("#", "/", true),
        Pair("a/#", "a", true), Pair("a/#", "a/b/c", true), Pair("a/#", "b/#", false),
        Pair("a/#", "+", true), Pair("a/#", "+/+", true), Pair("a/b/#", "a", false),
        Pair("a/b/#", "a/+", true), Pair("a/+/#", "a", false), Pair("a/+/#", "+/b", true),
        Pair("+/b/#", "a/+/c", true), Pair("+/b/#", "a/c/#", false),
        Pair("#", "$SYS/a", false), Pair("+/a", "$SYS/a", false), Pair("$SYS/#", "$SYS/+", true),
        Pair("$SYS/#", "#", false), Pair("$SYS/+", "$SYS/a", true),
        Pair("a/$x", "a/+", true), Pair("a/$x", "a/#", true),
        Pair("$share/g/a/+", "a/b", true), Pair("$share/g/a/+", "$share/h/+/b", true),
        Pair("$share/g/a/+", "b/#", false), Pair("$share/g/#", "$SYS/a", false),
        Pair("$share/g/$SYS/+", "$SYS/a", true), Pair("$share/a/b", "a/b", false),
        Pair("a/#/b", "a/b", false), Pair("", "#", false),
    ])
    func overlap(_ pair: Pair) {
        #expect(FilterConflicts.overlap(pair.one, pair.another) == pair.overlap)
        #expect(FilterConflicts.overlap(pair.another, pair.one) == pair.overlap)
    }

    @Test("a source of its own is no mistake")
    func areQuiet() {
        let filters = [
            "owntracks/+/+/#", "+/data", "+/commands", "traccar/positions", "fleets/+/pos/#",
            "fleet/+/location", "fleet/+/position/raw", "$aws/things/+/shadow/update", "+/data",
        ]
        #expect(FilterConflicts.mistakes(root: "fleet", filters: filters).isEmpty)
    }

    @Test(
        "a filter that is too wide is named with what it collides with",
        arguments: [
            ("fleet/+/position", ["fleet/+/position"], false),
            ("fleet/van-7/position", ["fleet/+/position"], false),
            ("+/+/position", ["fleet/+/position"], false),
            ("fleet/+/command/skip", ["fleet/+/command/+"], false),
            ("fleet-place/+/command/put", ["fleet-place/+/command/+"], false),
            ("fleet/+/event/#", ["fleet/+/event/+"], true),
            ("fleet/+/alarm/speeding", ["fleet/+/alarm/+"], true),
            ("fleet/+/progress", ["fleet/+/progress"], true),
            ("+/+/route", ["fleet/+/route"], true),
            ("fleet-place/+/definition", ["fleet-place/+/definition"], true),
            ("+/waygate/status", ["fleet-worker/+/status"], true),
        ])
    func areNamed(_ filter: String, _ topics: [String], _ bringsBack: Bool) throws {
        let mistakes = FilterConflicts.mistakes(root: "fleet", filters: ["x/+", filter])
        try #require(mistakes.count == 1)
        #expect(mistakes[0].index == 1)
        #expect(mistakes[0].message.hasPrefix("'\(filter)' is too wide: "))
        for topic in topics { #expect(mistakes[0].message.contains("'\(topic)'")) }
        #expect(mistakes[0].message.contains("bring back") == bringsBack)
        #expect(mistakes[0].message.contains("come twice") == !bringsBack)
    }

    @Test("a filter that takes everything collides with everything")
    func tellAll() throws {
        let mistakes = FilterConflicts.mistakes(root: "a/b", filters: ["boat/+", "a/b/+/#", "#"])
        #expect(mistakes.map(\.index) == [1, 2])
        for topic in ["a/b/+/position", "a/b/+/command/+", "a/b/+/event/+", "a/b/+/progress"] {
            #expect(mistakes[0].message.contains("'\(topic)'"))
        }
        #expect(!mistakes[0].message.contains("boat/+"))
        #expect(mistakes[1].message.contains("the source 'boat/+'"))
        #expect(mistakes[1].message.contains("'a/b-worker/+/status'"))
    }

    @Test("of two sources that overlap the second is named, with the first")
    func nameBothSources() throws {
        let mistakes = FilterConflicts.mistakes(
            root: "fleet", filters: ["owntracks/+/+", "boat/+", "owntracks/#", "owntracks/+/+"])
        #expect(mistakes.map(\.index) == [2, 3])
        #expect(mistakes[0].message.contains("the source 'owntracks/+/+'"))
        #expect(mistakes[1].message.contains("the source 'owntracks/#'"))
    }
}
