import Foundation
import TestServers
import Testing

/// Databases that let a worker in, and then do not do what it asks.
@Suite(.serialized, .timeLimit(.minutes(3))) struct DatabaseTroubleTests {
    private func publish(_ range: Range<Int>, _ test: WorkerUnderTest) throws {
        let begin = Int(Date.now.timeIntervalSince1970) - 10_000
        for second in range {
            test.client.publish(
                "fleet/v\(second % 5)/position",
                "{\"time\":\(begin + second),\"lat\":47.1,\"lon\":9.5}")
        }
        try test.client.settle()
    }

    private func assign(_ vehicle: String, _ test: WorkerUnderTest) throws {
        test.client.publish(
            "fleet/\(vehicle)/command/assign",
            """
            {"trip_id":"t","route":{"coordinates":[[9.5,47.1],[9.54,47.1]]}}
            """)
        try test.client.event("trip_assigned", of: vehicle)
    }

    private func setReadOnly(_ isReadOnly: Bool, _ test: WorkerUnderTest) throws {
        let value = isReadOnly ? "on" : "off"
        try test.database.psql(
            """
            set default_transaction_read_only = off;
            alter system set default_transaction_read_only = \(value);
            """, database: "postgres")
        try test.database.psql("select pg_reload_conf()", database: "postgres")
    }

    private func expectAllStored(_ count: Int, _ test: WorkerUnderTest) throws {
        try test.expect(
            ["\(count)|\(count)|0"],
            from: """
                select (select count(*) from waygate.positions),
                    (select count(distinct (vehicle_id, fix_time)) from waygate.positions),
                    (select count(*) from waygate.rejected_messages)
                """, within: 10)
    }

    @Test func trackingGoesOnWhileTheServerTakesNoWrites() throws {
        let test = try WorkerUnderTest()
        try publish(0..<500, test)
        try setReadOnly(true, test)
        try publish(500..<1000, test)
        try assign("v1", test)
        _ = try test.client.wait("the worker to say what is so") {
            test.log().contains("the database does not take writes") ? true : nil
        }
        // Its state can be read, so that a start need not wait for the writes either.
        test.kill()
        try test.start()
        try assign("v2", test)
        try publish(1000..<1500, test)
        try setReadOnly(false, test)
        try expectAllStored(1500, test)
        #expect(test.log().components(separatedBy: "\n").count < 60)
        #expect(!test.log().contains("the database is away"))
        #expect(try test.stop() == 0)
    }

    @Test func aTableThatIsGoneIsSaidAndWaitedFor() throws {
        let test = try WorkerUnderTest()
        try test.database.psql(
            "alter table waygate.positions rename to positions_elsewhere", database: test.name)
        try publish(0..<100, test)
        try assign("v1", test)
        _ = try test.client.wait("the worker to say what is so") {
            test.log().contains("the database does not do its work") ? true : nil
        }
        try test.database.psql(
            "alter table waygate.positions_elsewhere rename to positions", database: test.name)
        try expectAllStored(100, test)
        #expect(test.log().components(separatedBy: "\n").count < 40)
        #expect(try test.stop() == 0)
    }

    @Test(arguments: ["commands", "rejected_messages", "vehicles", "trip_events"])
    func aRowThatIsRefusedHoldsNobodyUp(table: String) throws {
        let test = try WorkerUnderTest()
        let condition =
            table == "rejected_messages"
            ? "topic not like '%bad%' or reason = 'store_refused'" : "vehicle_id <> 'bad'"
        try test.database.psql(
            "alter table waygate.\(table) add check (\(condition))", database: test.name)
        test.client.publish("fleet/bad/position", "not json")
        test.client.publish("fleet/bad/command/nonsense", "{\"command_id\":\"смена-1\"}")
        let now = Int(Date.now.timeIntervalSince1970)
        test.client.publish("fleet/bad/position", "{\"time\":\(now),\"lat\":47.1,\"lon\":9.5}")
        try publish(0..<50, test)
        try test.expect(
            ["50"],
            from: "select count(*) from waygate.positions where vehicle_id <> 'bad'", within: 10)
        let message =
            switch table {
            case "vehicles": "fleet/bad/position|{\"time\":\(now),\"lat\":47.1,\"lon\":9.5}"
            case "rejected_messages": "fleet/bad/position|not json"
            default: "fleet/bad/command/nonsense|{\"command_id\":\"смена-1\"}"
            }
        try test.expect(
            [message],
            from: """
                select topic, convert_from(payload, 'UTF8') from waygate.rejected_messages
                where reason = 'store_refused'
                """)
        #expect(try test.stop() == 0)
    }
}
