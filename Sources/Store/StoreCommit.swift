extension StoreConnection {
    /// Writes a batch in one transaction, if the tables still hold `batch.from` and this is the owner.
    ///
    /// After a failure nothing of the batch is written, but for a connection lost in the last moment:
    /// then the checkpoint of the next claim tells.
    ///
    /// - Throws: `StoreError.Reason` `fenced` or `checkpointMoved`; `dataRefused` when a smaller batch
    ///   may pass; others as the server has them.
    package func commit(_ batch: StoreBatch) throws(StoreError) {
        try write(batch, keeps: true)
        expectsCopies = max(expectsCopies - 1, 0)
    }

    /// Writes a batch as `commit` does, and takes it back: tells whether the database would have it.
    ///
    /// - Throws: What `commit` would.
    package func rehearse(_ batch: StoreBatch) throws(StoreError) {
        try write(batch, keeps: false)
    }

    private func write(_ batch: StoreBatch, keeps: Bool) throws(StoreError) {
        let batch = batch.withoutRepeats()
        while true {
            do {
                return try attempt(batch, keeps: keeps)
            } catch {
                guard canRecover(from: error) else { throw error }
            }
        }
    }

    /// Prepares another attempt, where there is something to be done differently.
    private func canRecover(from error: StoreError) -> Bool {
        guard let table = error.table, table.hasPrefix("positions") else { return false }
        if error.sqlState == "23505", expectsCopies == 0 {
            // COPY fails as a whole on one copy of a stored position. Where there is one there are
            // more, as when a broker delivers again what it forgot was acknowledged.
            expectsCopies = 20
            return true
        }
        if error.sqlState == "23514", error.constraint == nil, !knownDays.isEmpty {
            // The partition of a day that was known to be there has been dropped since.
            knownDays = []
            return true
        }
        return false
    }

    private func attempt(_ batch: StoreBatch, keeps: Bool) throws(StoreError) {
        let days = Set(batch.positions.map { Day.of($0.fixTime) }).subtracting(knownDays)
        var statements = [
            Statement("begin"), Statement(limits(settings.statementTimeout)),
            try checkpointStatement(batch),
        ]
        let checkpointIndex = statements.count - 1
        if !days.isEmpty {
            statements.append(
                Statement("select waygate.make_positions_days($1)", [try .dates(days.sorted())]))
        }
        statements += try batch.statements()
        let copies = expectsCopies == 0 && !batch.positions.isEmpty
        if !copies {
            statements += try batch.positionStatements()
        }
        var holdsCheckpoint = false
        do {
            try postgres.pipeline(statements) { (index, result) throws(StoreError) in
                guard index == checkpointIndex else { return }
                holdsCheckpoint = result.changed == 1
            }
            if holdsCheckpoint {
                if copies { try postgres.copy(positions: batch.positions) }
                try postgres.run(keeps ? "commit" : "rollback")
            }
        } catch {
            giveUp()
            throw error
        }
        guard holdsCheckpoint else {
            giveUp()
            throw try refusal(of: batch)
        }
        if keeps { knownDays.formUnion(days) }
    }

    private func giveUp() {
        if postgres.isAlive {
            try? postgres.script("rollback")
        }
    }

    /// Moves the checkpoint and marks the owner as alive; changes no row where it may not.
    private func checkpointStatement(_ batch: StoreBatch) throws(StoreError) -> Statement {
        let owner = try claimed()
        guard owner.spoolID == batch.spoolID else { throw fenced() }
        return Statement(
            """
            update waygate.checkpoints set position = $4,
                published_position = greatest(published_position, $5),
                settings = coalesce($6, settings), updated_at = clock_timestamp()
            where worker_id = $1 and partition = $8 and log_id = $2 and owned
                and owner_epoch = $3 and (position = $7 or position is null)
            """,
            [
                .text(settings.workerID), .text(owner.spoolID), .bigint(owner.epoch),
                .bigint(batch.to), .bigint(batch.published), .bytes(batch.settings),
                .bigint(batch.from), .bigint(settings.partition),
            ])
    }

    /// Finds out why the checkpoint did not move.
    private func refusal(of batch: StoreBatch) throws(StoreError) -> StoreError {
        let owner = try claimed()
        let row = try postgres.run(
            """
            select position from waygate.checkpoints
            where worker_id = $1 and partition = $4 and log_id = $2 and owned and owner_epoch = $3
            """,
            [
                .text(settings.workerID), .text(owner.spoolID), .bigint(owner.epoch),
                .bigint(settings.partition),
            ])
        guard row.rows == 1 else { return fenced() }
        let position = row.int64(0, 0).map(String.init) ?? "nothing"
        return StoreError(
            .checkpointMoved,
            "the tables hold spool position \(position), and the batch starts at \(batch.from)")
    }
}

/// Days of UTC, counted from 1970-01-01.
enum Day {
    /// Microseconds of a day.
    static let length: Microseconds = 86_400_000_000

    /// Returns the day that a moment lies in.
    static func of(_ time: Microseconds) -> Int {
        let clamped = min(max(time, BinaryFormat.times.lowerBound), BinaryFormat.times.upperBound)
        return Int((clamped - (clamped % length + length) % length) / length)
    }
}
