import Store
import TestServers
import Testing

/// Servers that are there, and not fit for a worker.
struct ServerCheckTests {
    /// A new database of an encoding.
    private func database(_ encoding: String) throws -> Database {
        let server = try SharedServer.server
        let name = "encoded_" + encoding.lowercased()
        try server.psql(
            "create database \(name) template template0 encoding '\(encoding)' locale 'C'",
            database: "postgres")
        return Database(server: server, name: name)
    }

    @Test(arguments: ["LATIN1", "WIN1252", "SQL_ASCII", "EUC_JP"])
    func `a database that cannot hold any text is refused before anything is in it`(
        encoding: String
    ) throws {
        let database = try database(encoding)
        let migrating = try #require(failure { _ = try Migrator.migrate(database.settings) })
        let connecting = failure { _ = try StoreConnection(database.settings) }
        #expect(migrating.reason == .wrongEncoding && connecting?.reason == .wrongEncoding)
        #expect(!migrating.isTransient)
        #expect(migrating.description.contains(encoding))
        #expect(migrating.description.contains("createdb -T template0 -E UTF8"))
        #expect(!migrating.description.contains("\n"))
        #expect(
            try database.psql("select count(*) from pg_namespace where nspname = 'waygate'") == "0")
    }

    @Test func `a server that takes no writes still tells where things stand`() throws {
        let database = try SharedServer.migrated()
        try database.owner().commit(.moving(0, 10) { $0.settings = [1] })
        let before = try StoreConnection(database.settings)
        #expect(try !before.isReadOnly())
        try database.psql("alter database \(database.name) set default_transaction_read_only = on")
        let connection = try StoreConnection(database.settings)
        #expect(try connection.isReadOnly())
        let error = failure { _ = try connection.claim(spoolID: "s1", takeOver: false) }
        #expect(error?.reason == .readOnly && error?.isTransient == true)
        let known = try #require(try connection.look(spoolID: "s1"))
        #expect(known.position == 10 && known.settings == [1])
        #expect(failure { _ = try connection.look(spoolID: "s2") }?.reason == .conflict)
        try connection.loadState { _ in }
    }

    @Test func `a rehearsal writes nothing, and is refused as the commit would be`() throws {
        let database = try SharedServer.migrated()
        let connection = try database.owner()
        try connection.commit(.moving(0, 10))
        try connection.rehearse(.full(10, 10))
        #expect(try database.psql("select count(*) from waygate.positions") == "0")
        #expect(try database.psql("select count(*) from waygate.commands") == "0")
        try database.psql("alter table waygate.commands add check (command_id <> 'c2')")
        #expect(failure { try connection.rehearse(.full(10, 10)) }?.reason == .dataRefused)
        // The partition that the rehearsal made went with it.
        try connection.commit(.moving(10, 20) { $0.positions = [.fix("v1", 0)] })
        #expect(try database.psql("select count(*) from waygate.positions") == "1")
    }
}
