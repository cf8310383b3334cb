import Foundation
import Testing

/// Places, alarms and what is written of them, on real servers.
@Suite(.serialized, .timeLimit(.minutes(2))) struct PlaceTests {
    private static let depot = """
        "name":"Depot","geometry":{"circle":{"center":{"lat":47.1,"lon":9.52},"radius_m":120}}
        """

    private func drive(_ test: WorkerUnderTest, to longitude: Double, at time: Double) {
        test.client.publish(
            "fleet/van-7/position", "{\"time\":\(time),\"lat\":47.1,\"lon\":\(longitude)}")
    }

    private func alarm(_ type: String, _ test: WorkerUnderTest) throws -> String {
        try test.client.wait("the alarm \(type)") {
            test.client.last("fleet/van-7/alarm/\(type)")
        }
    }

    @Test func aVisitIsToldAndWrittenThroughAKillAndAnOutage() throws {
        let test = try WorkerUnderTest()
        let begin = Date.now.timeIntervalSince1970 - 600
        test.client.publish("fleet-place/depot/command/put", "{\"command_id\":\"p\",\(Self.depot)}")
        let definition = try test.client.wait("the definition") {
            test.client.last("fleet-place/depot/definition")
        }
        #expect(definition.contains("\"radius_m\":120") && definition.contains("\"revision\":1"))
        drive(test, to: 9.51, at: begin)
        drive(test, to: 9.52, at: begin + 60)
        let entered = try alarm("place_entered", test)
        #expect(entered.contains("\"sequence\":1") && entered.contains("\"reason\":\"moved\""))
        try test.expect(
            ["van-7|depot|moved|f|t"],
            from: """
                select vehicle_id, place_id, entered_by, passed, left_at is null from waygate.visits
                """)
        test.kill()
        try test.start()
        drive(test, to: 9.53, at: begin + 120)
        let exited = try alarm("place_exited", test)
        #expect(exited.contains("\"sequence\":2") && exited.contains("\"entered_told\":true"))
        #expect(exited.contains("\"inside_s\":60"))
        try test.expect(
            ["place_put|t", "place_entered|t", "place_exited|t"],
            from: """
                select type, published_at is not null from waygate.alarms
                order by sequence nulls first
                """)
        try test.expect(
            ["moved|00:01:00"], from: "select left_by, left_at - entered_at from waygate.visits")
        test.client.publish("fleet-place/depot/command/delete", "{}")
        try test.client.wait("the empty definition") {
            test.client.last("fleet-place/depot/definition") == "" ? true : nil
        }
        try test.expect(
            ["depot|t"], from: "select place_id, deleted_at is not null from waygate.places")
    }

    @Test func aRefusalIsToldOnThePlacesTopic() throws {
        let test = try WorkerUnderTest()
        test.client.publish(
            "fleet-place/bow/command/put",
            "{\"geometry\":{\"polygon\":[[[9,47],[9.1,47.1],[9.1,47],[9,47.1]]]}}")
        let refusal = try test.client.wait("the refusal") {
            test.client.last("fleet-place/bow/event/command_rejected")
        }
        #expect(refusal.contains("\"reason\":\"invalid_geometry\"") && refusal.contains("cross"))
    }

    @Test func theCommandLinePutsShowsMovesAndDeletes() throws {
        let test = try WorkerUnderTest()
        let file = test.folder.appending(path: "places.csv")
        let rows = (1...300).map { "yard-\($0),Yard \($0),47.\($0),9.5,80,yard\n" }
        try Data(("id,name,lat,lon,radius_m,category\n" + rows.joined()).utf8).write(to: file)
        let tool = { (words: [String]) in
            try WorkerUnderTest.finish(try test.launch(["place"] + words))
        }
        try tool(["put", "gate", "--point", "47.2,9.5", "--category", "gate", "--wait"])
        try tool(["import", file.path, "--tell", "none", "--wait"])
        #expect(test.log().contains("300 put, 0 deleted, 300 of them a change"))
        try test.expect(["gate|1", "yard|300"], from: Self.byCategory)
        // What is exported is what is there: putting it again changes nothing.
        let export = test.folder.appending(path: "export.json")
        try Data().write(to: export)
        let written = try FileHandle(forWritingTo: export)
        try WorkerUnderTest.finish(try test.launch(["place", "export"], output: written))
        #expect(try String(contentsOf: export, encoding: .utf8).contains("\"name\":\"Yard 300\""))
        try tool(["import", export.path, "--dry-run"])
        #expect(test.log().contains("301 of 301 are as they should be"))
        // The file is the truth of its category, and of no other.
        try Data(("id,name,lat,lon,radius_m,category\n" + rows[0]).utf8).write(to: file)
        try tool([
            "import", file.path, "--category", "yard", "--delete-missing", "--tell", "none",
            "--wait",
        ])
        #expect(test.log().contains("1 put, 299 deleted, 299 of them a change"))
        try test.expect(["gate|1", "yard|1"], from: Self.byCategory)
        let refused = try test.launch(["place", "show", "yard-2"])
        refused.waitUntilExit()
        #expect(refused.terminationStatus == 1)
        #expect(test.log().contains("there is no place 'yard-2'"))
        try tool(["delete", "gate", "--wait"])
        try test.expect(["yard|1"], from: Self.byCategory)
    }

    @Test func theSimulatedFleetDrivesThroughItsPlaces() throws {
        let test = try WorkerUnderTest()
        let summary = test.folder.appending(path: "summary.json")
        try Data().write(to: summary)
        try WorkerUnderTest.finish(
            try test.launch(
                [
                    "simulate", "--vehicles", "4", "--places", "60", "--no-assign", "--speed",
                    "200",
                    "--interval", "0.25", "--seconds", "12",
                ],
                output: try FileHandle(forWritingTo: summary)))
        let text = try String(contentsOf: summary, encoding: .utf8)
        #expect(text.contains("\"alarms\":") && !text.contains("\"alarms\":0"), "\(text)")
        try test.expect(["simulated|60"], from: Self.byCategory)
        try test.expect(
            ["t"], from: "select count(*) > 0 from waygate.visits where place_id like 'sim-place-%'"
        )
    }

    private static let byCategory = """
        select category, count(*) from waygate.places where deleted_at is null group by 1 order by 1
        """
}
