import Foundation
import Store
import Synchronization
import Testing

struct OwnershipTests {
    @Test func `an unknown spool starts at nothing, and anywhere`() throws {
        let database = try SharedServer.migrated()
        let connection = try StoreConnection(database.settings)
        #expect(try connection.claim(spoolID: "s1", takeOver: false).checkpoint == nil)
        try connection.commit(.moving(70, 80))
        let claim = try connection.claim(spoolID: "s1", takeOver: false)
        #expect(claim.checkpoint == .init(position: 80, published: 70, settings: nil))
        #expect(claim.epoch == 2)
        #expect(abs((claim.now ?? 0) - now) < day, "the database's time")
    }

    @Test func `a batch from another position than the tables hold is refused`() throws {
        let database = try SharedServer.migrated()
        let connection = try database.owner()
        try connection.commit(.moving(0, 10))
        for from: Int64 in [0, 9, 11] {
            let batch = StoreBatch.moving(from, 20) { $0.positions = [.fix()] }
            let error = try #require(failure { try connection.commit(batch) })
            #expect(error.reason == .checkpointMoved && !error.isDataRefused)
            #expect(error.message.contains("10") && error.message.contains("starts at \(from)"))
        }
        #expect(try database.psql("select count(*) from waygate.positions") == "0")
        try connection.commit(.moving(10, 20))
    }

    @Test func `the same spool gets its database back at once, and fences its former self`() throws
    {
        let database = try SharedServer.migrated()
        let former = try database.owner()
        let current = try database.owner()
        #expect(failure { try former.commit(.moving(0, 10)) }?.reason == .fenced)
        #expect(failure { try former.heartbeat() }?.reason == .fenced)
        #expect(failure { try former.release() }?.reason == .fenced)
        try current.commit(.moving(0, 10))
        try current.heartbeat()
    }

    @Test func `another spool is refused while the owner lives, and told who it is`() throws {
        let database = try SharedServer.migrated()
        let owner = try database.owner()
        var settings = database.settings
        settings.workerID = "w2"
        let second = try StoreConnection(settings)
        let error = try #require(failure { _ = try second.claim(spoolID: "s2", takeOver: false) })
        #expect(error.reason == .conflict && !error.isTransient)
        #expect(error.message.contains("'w1'") && error.message.contains("spool s1"))
        #expect(error.hint.contains("--take-over"))
        try owner.commit(.moving(0, 10))
    }

    @Test func `taking over fences the former owner, which cannot throw the new one out`() throws {
        let database = try SharedServer.migrated()
        let former = try database.owner()
        try former.commit(.moving(0, 10))
        let second = try StoreConnection(database.settings)
        #expect(try second.claim(spoolID: "s2", takeOver: true).checkpoint == nil)
        #expect(failure { try former.commit(.full(10, 20)) }?.reason == .fenced)
        #expect(
            failure { _ = try former.claim(spoolID: "s1", takeOver: false) }?.reason == .conflict)
        #expect(try database.psql("select count(*) from waygate.positions") == "0")
        // The former spool's checkpoint is kept for when it owns the database again.
        try second.release()
        #expect(
            try former.claim(spoolID: "s1", takeOver: false).checkpoint?.position == 10)
    }

    @Test func `an owner that was not heard of for long enough has lost the database`() throws {
        let database = try SharedServer.migrated()
        let former = try database.owner()
        try database.psql(
            "update waygate.checkpoints set updated_at = now() - interval '31 seconds'")
        let second = try StoreConnection(database.settings)
        _ = try second.claim(spoolID: "s2", takeOver: false)
        #expect(failure { try former.commit(.moving(0, 10)) }?.reason == .fenced)
    }

    @Test(arguments: [true, false])
    func `whatever an owner does says that it is alive`(commits: Bool) throws {
        let database = try SharedServer.migrated()
        let owner = try database.owner()
        try database.psql("update waygate.checkpoints set updated_at = now() - interval '1 hour'")
        if commits {
            try owner.commit(.moving(0, 10))
        } else {
            try owner.heartbeat()
        }
        let second = try StoreConnection(database.settings)
        #expect(
            failure { _ = try second.claim(spoolID: "s2", takeOver: false) }?.reason == .conflict)
    }

    @Test func `of ten that claim at once one owns the database`() throws {
        let database = try SharedServer.migrated()
        let settings = database.settings
        let outcomes = Mutex<[StoreError.Reason?]>([])
        concurrently(10) { index in
            let error = failure {
                let connection = try StoreConnection(settings)
                _ = try connection.claim(spoolID: "s\(index)", takeOver: false)
            }
            outcomes.withLock { $0.append(error?.reason) }
        }
        #expect(outcomes.withLock { $0.count { $0 == nil } } == 1)
        #expect(outcomes.withLock { $0.count { $0 == .conflict } } == 9)
        #expect(try database.psql("select count(*) from waygate.checkpoints where owned") == "1")
    }

    @Test func `a renamed worker finds its spool's checkpoint`() throws {
        let database = try SharedServer.migrated()
        try database.owner().commit(.moving(0, 10))
        var settings = database.settings
        settings.workerID = "renamed"
        let renamed = try StoreConnection(settings)
        #expect(try renamed.claim(spoolID: "s1", takeOver: false).checkpoint?.position == 10)
        #expect(try database.psql("select worker_id from waygate.checkpoints") == "renamed")
    }

    @Test func `an owner that was stopped in a transaction does not lock the next one out`() throws
    {
        let database = try SharedServer.migrated()
        let former = try database.owner { $0.statementTimeout = 1 }
        try former.stopInTransaction()
        let start = Date()
        _ = try database.owner("s1")
        #expect(Date().timeIntervalSince(start) < 8)
        #expect(failure { try former.heartbeat() }?.reason == .unreachable)
    }
}
