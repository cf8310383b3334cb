/// Brings the tables to this release's version: the files `sql/0001-….sql`, `0002-….sql` … in order.
package enum Migrator {
    /// One numbered file.
    struct Migration {
        var version: Int
        var name: String
        var sql: [UInt8]
    }

    /// The files of this release; a new one is also named in Package.swift.
    static let migrations = [
        Migration(version: 1, name: "0001-tables", sql: PackageResources._001_tables_sql),
        Migration(version: 2, name: "0002-partitions", sql: PackageResources._002_partitions_sql),
        Migration(version: 3, name: "0003-map-views", sql: PackageResources._003_map_views_sql),
        Migration(version: 4, name: "0004-places", sql: PackageResources._004_places_sql),
        Migration(version: 5, name: "0005-reports", sql: PackageResources._005_reports_sql),
        Migration(version: 6, name: "0006-roadblocks", sql: PackageResources._006_roadblocks_sql),
        Migration(version: 7, name: "0007-faster-days", sql: PackageResources._007_faster_days_sql),
    ]

    /// The version of the tables that this release works with.
    package static var currentVersion: Int { migrations.count }

    /// Seconds that one migration may take: it may have to rewrite large tables.
    private static let patience = 6.0 * 3600

    /// Applies the migrations that the database lacks, each in a transaction.
    ///
    /// Two may run at once: the second waits, and finds nothing left to do.
    ///
    /// - Returns: The names of those applied, in order.
    /// - Throws: `StoreError.Reason` `schemaNewer` when the tables are of a newer release, `wrongEncoding`
    ///   when the database cannot hold any text.
    package static func migrate(_ settings: StoreSettings) throws(StoreError) -> [String] {
        try migrate(settings, to: migrations)
    }

    /// Applies those of the given migrations that the database lacks.
    static func migrate(
        _ settings: StoreSettings, to migrations: [Migration]
    ) throws(StoreError) -> [String] {
        let postgres = try PostgresConnection(settings)
        try postgres.checkEncoding()
        postgres.patience = patience
        try inTransaction(postgres) { () throws(StoreError) in
            try postgres.script(
                """
                create schema if not exists waygate;
                create table if not exists waygate.schema_migrations (
                    version integer primary key,
                    name text not null,
                    applied_at timestamptz not null default clock_timestamp())
                """)
        }
        try refuseUnreleased(postgres)
        var applied: [String] = []
        for migration in migrations {
            try inTransaction(postgres) { () throws(StoreError) in
                let version = try version(postgres)
                guard version <= migrations.count else { throw newer(version) }
                guard version < migration.version else { return }
                do throws(StoreError) {
                    try postgres.script(String(decoding: migration.sql, as: UTF8.self))
                } catch {
                    var error = error
                    error.message = "sql/\(migration.name).sql: " + error.message
                    throw error
                }
                try postgres.run(
                    "insert into waygate.schema_migrations (version, name) values ($1, $2)",
                    [.bigint(Int64(migration.version)), .text(migration.name)])
                applied.append(migration.name)
            }
        }
        return applied
    }

    private static func inTransaction(
        _ postgres: PostgresConnection, _ body: () throws(StoreError) -> Void
    ) throws(StoreError) {
        try postgres.script(
            """
            begin;
            select set_config('statement_timeout', '0', true),
                pg_advisory_xact_lock(hashtext('waygate.schema_migrations'));
            """)
        do {
            try body()
            try postgres.run("commit")
        } catch {
            if postgres.isAlive {
                try? postgres.script("rollback")
            }
            throw error
        }
    }

    /// Checks that the tables are those of this release.
    ///
    /// - Throws: `StoreError.Reason` `schemaMissing`, `schemaOlder`, `schemaNewer` or `schemaUnreleased`.
    static func checkVersion(_ postgres: PostgresConnection) throws(StoreError) {
        let version: Int
        do {
            version = try self.version(postgres)
        } catch {
            guard error.reason == .schemaMissing else { throw error }
            throw StoreError(
                .schemaMissing, "the database has no schema 'waygate'", sqlState: error.sqlState)
        }
        if version > currentVersion { throw newer(version) }
        try refuseUnreleased(postgres)
        guard version == currentVersion else {
            throw StoreError(
                version == 0 ? .schemaMissing : .schemaOlder,
                "the schema 'waygate' has version \(version), and this release needs "
                    + "\(currentVersion)")
        }
    }

    private static func version(_ postgres: PostgresConnection) throws(StoreError) -> Int {
        try postgres.run("select coalesce(max(version), 0) from waygate.schema_migrations").int(
            0, 0)
            ?? 0
    }

    /// Before the first release the first files were written anew, under the same numbers.
    private static func refuseUnreleased(_ postgres: PostgresConnection) throws(StoreError) {
        let found = try postgres.run(
            """
            select from pg_attribute
            where attrelid = to_regclass('waygate.checkpoints') and attname = 'spool_id'
            """)
        guard found.rows == 0 else {
            throw StoreError(
                .schemaUnreleased,
                "the schema 'waygate' was made by a build from before the first release")
        }
    }

    private static func newer(_ version: Int) -> StoreError {
        StoreError(
            .schemaNewer,
            "the schema 'waygate' has version \(version), and this release knows only "
                + "\(currentVersion)")
    }
}
