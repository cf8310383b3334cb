@testable import Store

extension StoreConnection {
    /// Leaves a transaction open that holds what a commit holds, as a worker that gets SIGSTOP in the
    /// middle of one does.
    func stopInTransaction() throws {
        try postgres.script("begin; \(limits(settings.statementTimeout))")
        try postgres.run("update waygate.checkpoints set updated_at = now()")
    }

    /// Leaves a transaction open that has read something, as a backup does.
    func readInTransaction(_ sql: String) throws {
        try postgres.script("begin")
        try postgres.run(sql)
    }

    /// Ends it.
    func endTransaction() throws {
        try postgres.script("commit")
    }
}
