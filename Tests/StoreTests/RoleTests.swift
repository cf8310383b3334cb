import Foundation
import Store
import TestServers
import Testing

/// The role of sql/roles.sql: enough for a worker, and not more.
struct RoleTests {
    private static let script = Result {
        try String(
            contentsOf: URL(filePath: #filePath).appending(path: "../../../sql/roles.sql")
                .standardized, encoding: .utf8)
    }

    /// A database whose worker has the role and nothing else.
    private static func database() throws -> (Database, StoreSettings) {
        let database = try SharedServer.migrated()
        let user = "fleet_" + database.name
        try database.psql(try script.get())
        try database.psql(try script.get())  // it may be repeated
        try database.psql("create role \(user) login; grant waygate_worker to \(user)")
        var settings = database.settings
        settings.connection = database.server.uri(user: user, database: database.name)
        return (database, settings)
    }

    @Test func `a worker with the role can do all it does`() throws {
        let (database, settings) = try Self.database()
        let connection = try StoreConnection(settings)
        _ = try connection.claim(spoolID: "s1", takeOver: false)
        var batch = StoreBatch.full(0, 10)
        batch.positions[0].fixTime = now - 200 * day
        try connection.commit(batch)
        var next = StoreBatch.full(10, 20)
        next.trips = [.changed("t1", "arrived", endedAt: now - 400 * day)]
        next.acknowledged = batch.events.map {
            AcknowledgedEvent(vehicleID: "v1", eventID: $0.eventID, publishedAt: now)
        }
        try connection.commit(next)
        try connection.heartbeat()
        try connection.loadState { _ in }
        try connection.positions(ofTrip: "t1", of: "v1") { _ in }
        #expect(try connection.trip("t1", of: "v1") != nil)
        let report = try connection.maintain(now: now)
        #expect(report.partitionsDropped == 1 && report.rowsDeleted == 2)
        #expect(try connection.trip("t1", of: "v1") == nil)
        try connection.release()
        #expect(try connection.missingRights() == [])
        #expect(try database.psql("select count(*) from waygate.trip_events") == "0")
    }

    @Test(arguments: [
        "drop table waygate.positions", "truncate waygate.positions",
        "delete from waygate.positions", "update waygate.positions set lat = 0",
        "drop table waygate.positions_20260101", "create table waygate.mine ()",
        "create table public.mine ()", "create schema mine",
        "alter table waygate.trips add column mine int",
        "delete from waygate.checkpoints", "delete from waygate.vehicles",
        "update waygate.trip_events set body = '{}'",
        "update waygate.commands set outcome = 'done'",
        "insert into waygate.schema_migrations values (99, 'x')",
        "create or replace function waygate.drop_positions_day(before date) returns date "
            + "language sql as 'select null::date'",
        "create role mine", "select * from pg_authid",
    ])
    func `a worker with the role can do no more`(statement: String) throws {
        let settings = try Self.limited.get()
        let error = #expect(throws: (any Error).self) {
            try settings.0.psql(statement, user: "fleet_" + settings.0.name)
        }
        let words = String(describing: error)
        #expect(words.contains("permission denied") || words.contains("must be owner"), "\(words)")
    }

    private static let limited = Result { () throws -> (Database, StoreSettings) in
        let made = try database()
        try made.0.psql("select waygate.make_positions_days(array[date '2026-01-01'])")
        return made
    }

    @Test(arguments: [
        "select waygate.drop_positions_day(current_date)",
        "select waygate.drop_positions_day(current_date + 1)",
        "select waygate.make_positions_days(array[current_date + 40])",
        "select waygate.make_positions_days(array[date '0001-01-01'])",
    ])
    func `the owner's functions keep to their purpose`(statement: String) throws {
        let database = try Self.limited.get().0
        #expect(throws: (any Error).self) { try database.psql(statement) }
    }

    @Test func `a worker with the role reads every report`() throws {
        let (_, settings) = try Self.database()
        let connection = try StoreConnection(settings)
        for name in ReportName.allCases {
            try connection.report(ReportQuery(name: name, from: now - day, to: now)) { _ in }
        }
        try connection.track(of: "v", from: now - day, to: now, atMost: 1) { _ in }
    }

    @Test func `a reader sees every view and table and writes none`() throws {
        let (database, _) = try Self.database()
        let user = "dashboard_" + database.name
        try database.psql("create role \(user) login; grant waygate_reader to \(user)")
        let views = try database.psql(
            "select viewname from pg_views where schemaname = 'waygate'"
        ).split(separator: "\n")
        #expect(views.count >= 7)
        for source in views + [
            "vehicle_days(now() - interval '1 day', now(), 'UTC')",
            "place_days(now() - interval '1 day', now(), 'UTC')", "positions",
        ] {
            _ = try database.psql("select count(*) from waygate.\(source)", user: user)
        }
        #expect(throws: (any Error).self) {
            try database.psql("delete from waygate.stops", user: user)
        }
    }

    @Test func `a right that is missing is named before a row needs it`() throws {
        let (database, settings) = try Self.database()
        try database.psql(
            """
            revoke insert on waygate.commands from waygate_worker;
            revoke execute on function waygate.drop_positions_day(date) from waygate_worker;
            """)
        #expect(
            try StoreConnection(settings).missingRights() == [
                "execute on drop_positions_day(date)", "insert on commands",
            ])
    }

    @Test func `a user without the role is told what to run`() throws {
        let database = try SharedServer.migrated()
        let user = "stranger_" + database.name
        try database.psql("create role \(user) login")
        var settings = database.settings
        settings.connection = database.server.uri(user: user, database: database.name)
        let error = try #require(failure { _ = try StoreConnection(settings) })
        #expect(error.reason == .permission && !error.isTransient)
        #expect(error.hint.contains("sql/roles.sql"))
    }
}
