/// A worker's session with the database, for one thread.
///
/// After an error whose `isAlive` is false it is of no more use: make a new one and claim again, which
/// also settles a commit whose outcome is unknown. It works behind a pooler in transaction mode:
/// nothing outlives a transaction but what the tables hold.
package final class StoreConnection {
    /// What the tables hold of a spool.
    package struct Checkpoint: Equatable, Sendable {
        /// The spool position that the tables hold.
        package var position: Int64
        /// The spool position up to which everything published is acknowledged by the broker.
        package var published: Int64
        /// The worker's settings in force at `position`, as they were given to `commit`.
        package var settings: [UInt8]?

        /// Creates a checkpoint.
        package init(position: Int64, published: Int64, settings: [UInt8]?) {
            self.position = position
            self.published = published
            self.settings = settings
        }
    }

    /// The right to write.
    package struct Claim: Equatable, Sendable {
        /// What the tables hold of the spool; `nil` when they hold nothing: the first commit may start
        /// anywhere.
        package var checkpoint: Checkpoint?
        /// Number of this ownership; the next one is larger.
        package var epoch: Int64
        /// The time at the database.
        package var now: Microseconds?

        /// Creates a claim.
        package init(checkpoint: Checkpoint?, epoch: Int64, now: Microseconds? = nil) {
            self.checkpoint = checkpoint
            self.epoch = epoch
            self.now = now
        }
    }

    let settings: StoreSettings
    /// How long rows are kept, as the settings in force say.
    let retention: @Sendable () -> StoreSettings.Retention
    let postgres: PostgresConnection
    /// The spool and epoch of the claim, once there is one.
    private(set) var owner: (spoolID: String, epoch: Int64)?
    /// The days whose partitions are known to be there, counted from 1970-01-01.
    var knownDays: Set<Int> = []
    /// For how many more batches copies of stored positions are to be expected.
    var expectsCopies = 0

    /// Connects and checks that the database can hold any text, and that the tables are those of this
    /// release.
    ///
    /// - Parameter retention: Asked at each round of maintenance, where it may change; else it is that of
    ///   `settings`.
    package init(
        _ settings: StoreSettings, retention: (@Sendable () -> StoreSettings.Retention)? = nil
    ) throws(StoreError) {
        self.settings = settings
        self.retention = retention ?? { settings.retention }
        postgres = try PostgresConnection(settings)
        try postgres.checkEncoding()
        try Migrator.checkVersion(postgres)
    }

    /// Whether the session stands, as far as is known without asking the server.
    package var isAlive: Bool { postgres.isAlive }

    // MARK: Ownership

    /// Makes this worker and spool the database's owner.
    ///
    /// The same spool gets it at once, as whoever holds its lock is its only user. Another one is
    /// refused while the owner is alive, unless it takes over; the former owner's next commit is refused
    /// as `fenced`. A worker that was fenced must not take over in turn, or two would throw each other
    /// out for ever.
    ///
    /// - Throws: `StoreError.Reason.conflict`, naming the owner.
    package func claim(spoolID: String, takeOver: Bool) throws(StoreError) -> Claim {
        owner = nil
        let me: [Parameter] = [
            .text(settings.workerID), .text(spoolID), .bigint(settings.partition),
        ]
        let claim = try transaction { () throws(StoreError) -> Claim in
            // Waits for a commit of the owner's, and keeps two from claiming at once.
            try postgres.run("lock table waygate.checkpoints in share row exclusive mode")
            try refuseLivingOwner(other: spoolID, takeOver: takeOver)
            try postgres.run(
                """
                update waygate.checkpoints set owned = false
                where owned and log_id <> $1 and partition = $2
                """, [.text(spoolID), .bigint(settings.partition)])
            // A worker that was renamed keeps its spool, and the spool its checkpoint.
            try postgres.run(
                """
                update waygate.checkpoints c set worker_id = $1
                where partition = $3 and log_id = $2 and not exists (
                    select from waygate.checkpoints o
                    where o.worker_id = $1 and o.partition = $3 and o.log_id = $2)
                """, me)
            let row = try postgres.run(
                """
                insert into waygate.checkpoints as c
                    (worker_id, partition, log_id, owned, owner_epoch, updated_at)
                values ($1, $3, $2, true,
                    (select coalesce(max(owner_epoch), 0) + 1 from waygate.checkpoints
                        where partition = $3),
                    clock_timestamp())
                on conflict (worker_id, partition, log_id) do update set owned = true,
                    owner_epoch = excluded.owner_epoch, updated_at = excluded.updated_at
                returning position, published_position, settings, owner_epoch,
                    clock_timestamp()
                """, me)
            let checkpoint = row.int64(0, 0).map { position in
                Checkpoint(
                    position: position, published: row.int64(0, 1) ?? 0, settings: row.bytes(0, 2))
            }
            return Claim(
                checkpoint: checkpoint, epoch: row.int64(0, 3) ?? 0, now: row.time(0, 4))
        }
        owner = (spoolID, claim.epoch)
        return claim
    }

    /// Returns what the tables hold of a spool, without the right to write: a server that takes no writes
    /// now can still tell where things stand.
    ///
    /// - Throws: `StoreError.Reason.conflict` when another owner is alive.
    package func look(spoolID: String) throws(StoreError) -> Checkpoint? {
        try transaction { () throws(StoreError) -> Checkpoint? in
            try refuseLivingOwner(other: spoolID, takeOver: false)
            let row = try postgres.run(
                """
                select position, published_position, settings from waygate.checkpoints
                where log_id = $1 and partition = $2
                """, [.text(spoolID), .bigint(settings.partition)])
            guard row.rows > 0, let position = row.int64(0, 0) else { return nil }
            return Checkpoint(
                position: position, published: row.int64(0, 1) ?? 0, settings: row.bytes(0, 2))
        }
    }

    private func refuseLivingOwner(other spoolID: String, takeOver: Bool) throws(StoreError) {
        guard !takeOver else { return }
        let alive = try postgres.run(
            """
            select worker_id, log_id,
                extract(epoch from clock_timestamp() - updated_at)::double precision
            from waygate.checkpoints where owned and log_id <> $1 and partition = $3
                and updated_at > clock_timestamp() - make_interval(secs => $2)
            """,
            [.text(spoolID), .double(settings.ownerTimeout), .bigint(settings.partition)])
        guard alive.rows > 0 else { return }
        let seconds = Int(max(alive.double(0, 2) ?? 0, 0))
        throw StoreError(
            .conflict,
            "the database is owned by worker '\(alive.text(0, 0) ?? "")' with spool "
                + "\(alive.text(0, 1) ?? ""), heard of \(seconds) s ago")
    }

    /// Tells the database that its owner is alive; `commit` does so too.
    ///
    /// To be called several times within `ownerTimeout` while there is nothing to commit.
    ///
    /// - Throws: `StoreError.Reason.fenced` when another has taken over.
    package func heartbeat() throws(StoreError) {
        try touch("updated_at = clock_timestamp()")
    }

    /// Gives the database up, so that another may claim it at once.
    ///
    /// - Throws: `StoreError.Reason.fenced` when another has taken over.
    package func release() throws(StoreError) {
        try touch("owned = false")
        owner = nil
    }

    private func touch(_ assignment: String) throws(StoreError) {
        let owner = try claimed()
        let changed = try transaction { () throws(StoreError) -> Int in
            try postgres.run(
                """
                update waygate.checkpoints set \(assignment)
                where worker_id = $1 and partition = $4 and log_id = $2 and owned
                    and owner_epoch = $3
                """,
                [
                    .text(settings.workerID), .text(owner.spoolID), .bigint(owner.epoch),
                    .bigint(settings.partition),
                ]
            ).changed
        }
        guard changed == 1 else { throw fenced() }
    }

    /// Returns the claim's spool and epoch.
    func claimed() throws(StoreError) -> (spoolID: String, epoch: Int64) {
        guard let owner else {
            throw StoreError(.fenced, "the database was not claimed on this connection")
        }
        return owner
    }

    /// Returns what a worker hears that is no longer the owner.
    func fenced() -> StoreError {
        StoreError(.fenced, "another owner has taken the database over since")
    }

    // MARK: Transactions

    /// Runs statements in one transaction, which ends them all if one fails.
    ///
    /// - Parameter mode: The transaction's modes, as `begin` takes them.
    func transaction<R>(
        _ mode: String = "", _ body: () throws(StoreError) -> R
    ) throws(StoreError) -> R {
        try postgres.script("begin \(mode); \(limits(settings.statementTimeout))")
        do {
            let value = try body()
            try postgres.run("commit")
            return value
        } catch {
            if postgres.isAlive {
                try? postgres.script("rollback")
            }
            throw error
        }
    }

    /// Returns the statement that sets the transaction's time-outs.
    ///
    /// In the transaction, as a pooler may give the next one another session. The second ends a
    /// transaction whose worker was stopped in the middle, and frees its locks.
    func limits(_ seconds: Double) -> String {
        let milliseconds = Int(seconds * 1000)
        return """
            select set_config('statement_timeout', '\(milliseconds)', true),
                set_config('idle_in_transaction_session_timeout', '\(milliseconds)', true)
            """
    }
}
