import Foundation
import Synchronization
import Testing

@testable import Store

struct MigratorTests {
    static let names = [
        "0001-tables", "0002-partitions", "0003-map-views", "0004-places", "0005-reports",
        "0006-roadblocks", "0007-faster-days",
    ]

    @Test func `migrating twice does it once`() throws {
        let database = try SharedServer.empty()
        #expect(try Migrator.migrate(database.settings) == Self.names)
        #expect(try Migrator.migrate(database.settings) == [])
        #expect(
            try database.psql(
                "select string_agg(version || name, ',') from waygate.schema_migrations")
                == "10001-tables,20002-partitions,30003-map-views,40004-places,50005-reports,60006-roadblocks,70007-faster-days"
        )
    }

    @Test func `four that migrate at once share the work`() throws {
        let database = try SharedServer.empty()
        let settings = database.settings
        let applied = Mutex<[[String]]>([])
        concurrently(4) { _ in
            let names = (try? Migrator.migrate(settings)) ?? ["failed"]
            applied.withLock { $0.append(names) }
        }
        #expect(applied.withLock { $0.flatMap(\.self).sorted() } == Self.names)
    }

    @Test func `a migration that fails leaves nothing behind and is named`() throws {
        let database = try SharedServer.empty()
        let broken = Migrator.Migration(
            version: 2, name: "0002-broken",
            sql: Array("create table waygate.half (a int); select 1/0;".utf8))
        let error = failure {
            _ = try Migrator.migrate(database.settings, to: [Migrator.migrations[0], broken])
        }
        #expect(error?.message == "sql/0002-broken.sql: division by zero")
        #expect(
            try database.psql(
                "select max(version), to_regclass('waygate.half') is null "
                    + "from waygate.schema_migrations") == "1|t")
        // The next release's may then go in.
        #expect(try Migrator.migrate(database.settings) == Array(Self.names.dropFirst()))
    }

    @Test(arguments: [
        ("drop schema waygate cascade", StoreError.Reason.schemaMissing, "waygate migrate"),
        ("delete from waygate.schema_migrations", .schemaMissing, "waygate migrate"),
        (
            "delete from waygate.schema_migrations where version > 1", .schemaOlder,
            "waygate migrate"
        ),
        (
            "insert into waygate.schema_migrations values (99, '0099-later')", .schemaNewer,
            "install the release"
        ),
    ])
    func `a worker refuses other tables than its own`(
        change: String, reason: StoreError.Reason, hint: String
    ) throws {
        let database = try SharedServer.migrated()
        try database.psql(change)
        let error = try #require(failure { _ = try StoreConnection(database.settings) })
        #expect(error.reason == reason && !error.isTransient)
        #expect(error.hint.contains(hint))
    }

    @Test func `tables from before the first release are named as such, and left alone`() throws {
        let database = try SharedServer.migrated()
        try database.psql("alter table waygate.checkpoints rename log_id to spool_id")
        for attempt in [
            { _ = try StoreConnection(database.settings) },
            { _ = try Migrator.migrate(database.settings) },
        ] {
            let error = try #require(failure(attempt))
            #expect(error.reason == .schemaUnreleased && !error.isTransient)
            #expect(error.hint.contains("drop schema waygate cascade"))
        }
    }

    @Test func `tables of a newer release are not touched`() throws {
        let database = try SharedServer.migrated()
        try database.psql("insert into waygate.schema_migrations values (99, '0099-later')")
        let error = failure { _ = try Migrator.migrate(database.settings) }
        #expect(error?.reason == .schemaNewer)
    }

    @Test func `the program carries the files of sql, all of them and as they are`() throws {
        let folder = URL(filePath: #filePath).appending(path: "../../../sql").standardized
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .filter { $0.first?.isNumber ?? false }
        #expect(files == Migrator.migrations.map { $0.name + ".sql" })
        for migration in Migrator.migrations {
            let file = try Data(contentsOf: folder.appending(path: migration.name + ".sql"))
            #expect(Array(file) == migration.sql)
        }
        #expect(Migrator.migrations.map(\.version) == Array(1...Migrator.currentVersion))
    }

    private static let tables = Result { try SharedServer.migrated() }

    @Test func `the keys of all that a trip has begin with its vehicle`() throws {
        let keys = try Self.tables.get().psql(
            """
            select conrelid::regclass || ' ' || string_agg(attname, ' ' order by place)
            from pg_constraint, unnest(conkey) with ordinality as k (number, place)
                join pg_attribute a on a.attnum = number
            where a.attrelid = conrelid and contype in ('p', 'u')
                and conrelid::regclass::text ~ 'trip|commands|checkpoints'
            group by oid, conrelid order by 1
            """)
        #expect(
            keys.split(separator: "\n") == [
                "waygate.checkpoints worker_id partition log_id",
                "waygate.commands vehicle_id id", "waygate.place_commands id",
                "waygate.trip_events vehicle_id event_id",
                "waygate.trip_events vehicle_id trip_id sequence",
                "waygate.trip_progress vehicle_id trip_id",
                "waygate.trip_waypoints vehicle_id trip_id waypoint_index",
                "waygate.trips vehicle_id trip_id", "waygate.used_trip_ids vehicle_id trip_id",
            ])
    }

    /// SPEC section 9, to the letter.
    @Test(arguments: [
        (
            "vehicles",
            "vehicle_id, fix_time, lat, lon, speed_mps, course_deg, trip_id, updated_at"
        ),
        (
            "trips",
            "trip_id, vehicle_id, state, assigned_at, ended_at, route, route_revision, options"
        ),
        (
            "trip_waypoints",
            "vehicle_id, trip_id, waypoint_index, lat, lon, name, status, reached_at, resumed_at"
        ),
        (
            "trip_progress",
            "trip_id, vehicle_id, state, fix_time, lat, lon, reported_lat, reported_lon, deviation_m, "
                + "travelled_distance_m, remaining_distance_m, active_waypoint_index, "
                + "remaining_waypoints, waiting_at_waypoint, eta, route_revision, updated_at"
        ),
        (
            "trip_events",
            "event_id, trip_id, vehicle_id, sequence, type, occurred_at, body, published_at"
        ),
        (
            "positions",
            "vehicle_id, fix_time, lat, lon, accuracy_m, speed_mps, course_deg, altitude_m, level, "
                + "provider, attributes, trip_id, tracked, received_at"
        ),
        ("commands", "vehicle_id, command_id, name, trip_id, received_at, outcome, reason"),
        (
            "rejected_messages",
            "received_at, topic, payload, payload_bytes, reason, element_index"
        ),
        ("checkpoints", "worker_id, partition, log_id, position"),
    ])
    func `every promised column is there`(table: String, columns: String) throws {
        let database = try Self.tables.get()
        #expect(try database.psql("select \(columns) from waygate.\(table) limit 0") == "")
    }
}
