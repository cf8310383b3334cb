import Foundation
import Store
import TestServers

/// The server that all tests share which do not harm it; the process's end stops it.
enum SharedServer {
    private static let started = Result { try PostgresServer() }

    static var server: PostgresServer {
        get throws { try started.get() }
    }

    /// A new database with the tables in it.
    static func migrated() throws -> Database {
        let database = Database(uri: try server.makeDatabase())
        _ = try Migrator.migrate(database.settings)
        return database
    }
}

/// A database of a test's own.
struct Database {
    var uri: String

    var settings: StoreSettings { StoreSettings(connection: uri, workerID: "w1") }

    /// Runs SQL with psql, past the code under test.
    @discardableResult
    func psql(_ sql: String) throws -> String { try PostgresServer.psql(sql, uri: uri) }

    /// Connects and claims the database.
    func owner(_ spoolID: String = "s1", change: (inout StoreSettings) -> Void = { _ in }) throws
        -> StoreConnection
    {
        var settings = settings
        change(&settings)
        let connection = try StoreConnection(settings)
        _ = try connection.claim(spoolID: spoolID, takeOver: false)
        return connection
    }
}

/// Now, to the second.
let now = Microseconds(Date().timeIntervalSince1970) * 1_000_000
let day: Microseconds = 86_400_000_000

extension StoreBatch {
    /// A batch of spool "s1".
    static func moving(_ from: Int64, _ to: Int64, fill: (inout StoreBatch) -> Void = { _ in })
        -> StoreBatch
    {
        var batch = StoreBatch(spoolID: "s1", from: from, to: to, published: from)
        fill(&batch)
        return batch
    }
}

extension PositionRow {
    /// A fix, `second` seconds from now.
    static func fix(_ vehicleID: String = "v1", _ second: Int = 0, tripID: String? = nil)
        -> PositionRow
    {
        PositionRow(
            vehicleID: vehicleID, fixTime: now + Microseconds(second) * 1_000_000, latitude: 47.1,
            longitude: 9.5, accuracy: 5, tripID: tripID, tracked: true, receivedAt: now)
    }
}

/// Runs something that must fail and returns its error.
func failure(_ body: () throws -> Void) -> StoreError? {
    do {
        try body()
        return nil
    } catch {
        return error as? StoreError
    }
}
