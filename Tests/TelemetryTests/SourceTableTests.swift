import Telemetry
import Testing

@Suite("Topics")
struct SourceTableTests {
    /// A topic, and what it is for: `position ID`, `command ID NAME`, `invalid`, `from payload`, `nothing`.
    struct Topic: CustomTestStringConvertible, Sendable {
        var topic: String
        var meaning: String
        var testDescription: String { topic.count < 60 ? topic : "\(topic.utf8.count) bytes" }

        init(_ topic: String, _ meaning: String) {
            self.topic = topic
            self.meaning = meaning
        }
    }

    private func table(root: String = "fleet") throws -> SourceTable {
        try SourceTable(
            root: root,
            sources: [
                SourceDefinition(
                    filter: "owntracks/+/+", format: "owntracks", vehicleID: "{1}-{2}"),
                SourceDefinition(filter: "owntracks/#", vehicleID: "other-{1}"),
                SourceDefinition(filter: "/leading/+", vehicleID: "{2}"),
                SourceDefinition(filter: "traccar", vehicleID: "{device.uniqueId}"),
                SourceDefinition(filter: "boat", format: "own_json", vehicleID: "boat-1"),
                SourceDefinition(filter: "deep/#", vehicleID: "{3}"),
                SourceDefinition(filter: "+/data", vehicleID: "{0}"),
                SourceDefinition(filter: "fleet/#", vehicleID: "{1}-any"),
            ])
    }

    private func meaning(_ match: TopicMatch) -> String {
        switch match {
        case .position(let source):
            source.vehicleID.map { "position \($0)" } ?? "position of nobody"
        case .command(let vehicleID, let name): "command \(vehicleID) \(name)"
        case .placeCommand(let placeID, let name): "place \(placeID) \(name)"
        case .invalidVehicleID: "invalid"
        case .nothing: "nothing"
        }
    }

    @Test(arguments: [
        Topic("fleet/truck-17/position", "position truck-17"),
        Topic("fleet/Truck 17/position", "position Truck 17"),
        Topic("fleet-place/depot north/command/put", "place depot north put"),
        Topic("fleet-place/depot/command/delete", "place depot delete"),
        Topic("fleet-place//command/put", "invalid"),
        Topic("fleet-place/depot/definition", "nothing"),
        Topic("fleet-place/depot/event/place_put", "nothing"),
        Topic("fleet/van-7/alarm/place_entered", "nothing"),
        Topic("fleet/камион-№5/position", "position камион-№5"),
        Topic("fleet/50%/position", "position 50%"),
        Topic(
            "fleet/" + String(repeating: "x", count: 128) + "/position",
            "position " + String(repeating: "x", count: 128)),
        Topic("fleet/" + String(repeating: "x", count: 129) + "/position", "position of nobody"),
        Topic(
            "fleet/" + String(repeating: "é", count: 64) + "/position",
            "position " + String(repeating: "é", count: 64)),
        Topic("fleet/" + String(repeating: "é", count: 65) + "/position", "position of nobody"),
        Topic("fleet//position", "position of nobody"),
        Topic("fleet/a\u{7}b/position", "position of nobody"),
        Topic("fleet/a\u{7F}b/position", "position of nobody"),
        Topic("fleet/a\u{85}b/position", "position of nobody"),
        Topic("fleet/truck-17/command/assign", "command truck-17 assign"),
        Topic("fleet/truck-17/command/", "command truck-17 "),
        Topic("fleet//command/assign", "invalid"),
        Topic("fleet/truck-17/event/arrived", "nothing"),
        Topic("fleet/truck-17/progress", "nothing"),
        Topic("fleet/truck-17/route", "nothing"),
        Topic("fleet-worker/waygate/status", "nothing"),
        Topic("fleet/truck-17/position/x", "position truck-17-any"),
        Topic("fleet/truck-17", "position truck-17-any"),
        Topic("fleet", "position of nobody"),
        Topic("fleets/truck-17/position", "nothing"),
        Topic("owntracks/demo/phone", "position demo-phone"),
        Topic("owntracks/a+b/50%#", "position a%2Bb-50%25%23"),
        Topic("owntracks/a\u{1}\u{85}b/é", "position a%01%C2%85b-é"),
        Topic("owntracks/demo/phone/event", "position other-demo"),
        Topic("owntracks/demo", "position other-demo"),
        Topic("owntracks", "position of nobody"),
        Topic("owntracks//phone", "position of nobody"),
        Topic("owntracks/" + String(repeating: "+", count: 43) + "/x", "position of nobody"),
        Topic("/leading/x", "position x"),
        Topic("leading/x", "nothing"),
        Topic("traccar", "position of nobody"),
        Topic("boat", "position boat-1"),
        Topic("deep/1/2", "position of nobody"),
        Topic("deep/1/2/3/4", "position 3"),
        Topic("864000000000077/data", "position 864000000000077"),
        Topic("$SYS/data", "nothing"),
        Topic("", "nothing"),
        Topic("/", "nothing"),
    ])
    func tells(_ topic: Topic) throws {
        #expect(meaning(try table().match(topic.topic)) == topic.meaning)
    }

    @Test("a root may have several levels")
    func hasDeepRoot() throws {
        let table = try table(root: "a/b")
        #expect(meaning(table.match("a/b/c/position")) == "position c")
        #expect(meaning(table.match("a/b/c/command/stop")) == "command c stop")
        #expect(table.subscriptions.prefix(2) == ["a/b/+/position", "a/b/+/command/+"])
    }

    @Test("every filter is subscribed to once")
    func subscribes() throws {
        let twice = SourceDefinition(filter: "x/+", vehicleID: "{1}")
        let native = SourceDefinition(filter: "fleet/+/position", vehicleID: "{1}")
        let table = try SourceTable(root: "fleet", sources: [twice, twice, native])
        #expect(
            table.subscriptions == [
                "fleet/+/position", "fleet/+/command/+", "fleet-place/+/command/+", "x/+",
            ])
    }

    @Test("a source fixes its format")
    func fixesFormat() throws {
        let table = try table()
        for (topic, format) in [
            ("owntracks/a/b", PositionFormat.owntracks), ("boat", .native), ("traccar", nil),
        ] {
            guard case .position(let source) = table.match(topic) else {
                Issue.record("\(topic) is not matched")
                continue
            }
            #expect(source.format == format)
        }
    }

    @Test("all mistakes are reported together, by key")
    func reportsMistakes() {
        let sources = [
            SourceDefinition(filter: "a/#/b", format: "xml", vehicleID: "{"),
            SourceDefinition(filter: "a/b+", vehicleID: "{}"),
            SourceDefinition(filter: "", vehicleID: ""),
            SourceDefinition(filter: "a/+", vehicleID: "{2}"),
            SourceDefinition(filter: "a/+", vehicleID: "}"),
            SourceDefinition(filter: "a/+", vehicleID: "{a{b}}"),
            SourceDefinition(filter: "$share/g/a/+", vehicleID: "{1}"),
            SourceDefinition(filter: "fine/#", vehicleID: "{7}"),
        ]
        #expect {
            try SourceTable(root: "fl+eet", sources: sources)
        } throws: { error in
            (error as? SourceError)?.mistakes.map(\.key) == [
                "topic_root", "sources[0].format", "sources[0].filter", "sources[0].vehicle_id",
                "sources[1].filter", "sources[1].vehicle_id", "sources[2].filter",
                "sources[2].vehicle_id", "sources[3].vehicle_id", "sources[4].vehicle_id",
                "sources[5].vehicle_id", "sources[6].filter",
            ]
        }
    }

    @Test(
        "a root that no topic can begin with is refused", arguments: ["", "#", "a/", "$SYS", "a\0"])
    func refusesRoot(_ root: String) {
        #expect(throws: SourceError.self) { try SourceTable(root: root, sources: []) }
    }
}
