import Foundation
import Store
import TestServers
import Testing

/// Servers that go away: each test has one of its own.
struct FaultTests {
    private func database(_ server: PostgresServer) throws -> Database {
        let database = Database(server: server, name: try server.makeDatabase())
        _ = try Migrator.migrate(database.settings)
        return database
    }

    @Test func `a server that crashes between and after commits loses none of them`() throws {
        let server = try PostgresServer()
        let database = try database(server)
        var position: Int64 = 0
        for _ in 0..<2 {
            let connection = try StoreConnection(database.settings)
            let claim = try connection.claim(spoolID: "s1", takeOver: false)
            #expect(claim.checkpoint?.position ?? 0 == position)
            for _ in 0..<3 {
                let from = position
                try connection.commit(
                    .moving(from, from + 1) { $0.positions = [.fix("v1", Int(from))] })
                position += 1
            }
            try server.crash()
            let batch = StoreBatch.moving(position, position + 1)
            let error = try #require(failure { try connection.commit(batch) })
            #expect(error.reason == .unreachable && error.isTransient)
            #expect(!connection.isAlive)
            #expect(failure { _ = try StoreConnection(database.settings) }?.isTransient == true)
            try server.start()
        }
        #expect(try database.psql("select count(*) from waygate.positions") == "6")
    }

    @Test func `a server that is stopped in its tracks is noticed in time`() throws {
        let server = try PostgresServer()
        let database = try database(server)
        let connection = try database.owner { $0.statementTimeout = 1 }
        try connection.commit(.moving(0, 10) { $0.positions = [.fix("v1", 0)] })
        try server.freeze()
        let rows = (0..<100_000).map { PositionRow.fix("v1", $0) }
        let start = Date()
        // More than the sockets' buffers take: sending gets stuck, not only waiting.
        let error = failure { try connection.commit(.moving(10, 20) { $0.positions = rows }) }
        #expect(error?.reason == .unreachable && error?.isTransient == true)
        #expect(!connection.isAlive)
        var settings = database.settings
        settings.connectTimeout = 2
        #expect(failure { _ = try StoreConnection(settings) }?.reason == .unreachable)
        #expect(Date().timeIntervalSince(start) < 10)
        try server.thaw()
        let next = try StoreConnection(database.settings)
        #expect(try next.claim(spoolID: "s1", takeOver: false).checkpoint?.position == 10)
    }

    @Test(arguments: [true, false])
    func `after a commit of unknown outcome the checkpoint tells`(arrives: Bool) throws {
        let database = try SharedServer.migrated()
        let connection = try database.owner()
        let batch = StoreBatch.full(0, 10)
        if arrives {
            try connection.commit(batch)
        } else {
            // The session ends in the middle of its commit.
            try database.psql(
                """
                create function die() returns trigger language plpgsql as $$
                begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$;
                create constraint trigger die after insert on waygate.trips
                    deferrable initially deferred for each row execute function die();
                """)
            #expect(failure { try connection.commit(batch) }?.reason == .unreachable)
            try database.psql("drop function die cascade")
        }
        // The answer is lost either way: a new connection has to ask.
        let next = try StoreConnection(database.settings)
        let claim = try next.claim(spoolID: "s1", takeOver: false)
        #expect(claim.checkpoint?.position == (arrives ? 10 : nil))
        let again = failure { try next.commit(batch) }
        #expect(again?.reason == (arrives ? .checkpointMoved : nil))
        #expect(try database.psql("select count(*) from waygate.positions") == "3")
        #expect(try database.psql("select count(*) from waygate.commands") == "2")
    }
}
