extension StoreConnection {
    /// What a round of maintenance did.
    package struct Maintenance: Equatable, Sendable {
        /// Partitions made ahead.
        package var partitionsMade = 0
        /// Partitions dropped.
        package var partitionsDropped = 0
        /// Rows of `rejected_messages` and `commands`, trips and lone events deleted.
        package var rowsDeleted = 0
        /// Whether nothing is left to do.
        ///
        /// Otherwise a reader was in the way of dropping a partition, or there is more to delete than
        /// one round takes. The next round goes on.
        package var isComplete = true
        /// Whether nothing was deleted, as the worker's time and the database's are a day apart.
        package var isSuspended = false
        /// The time at the database.
        package var now: Microseconds?

        /// Creates the report of a round that did nothing.
        package init() {}
    }

    /// Days for which partitions are made ahead.
    private static let daysAhead = 7
    /// Rows that one statement deletes, and statements of a round: the store's thread has a worker to
    /// serve.
    private static let chunk: Int64 = 2000
    private static let chunks = 10

    /// Makes partitions ahead, and removes what is older than the retention: a bounded round of it.
    ///
    /// To be called at a start, and several times a day. Ages are counted from the database's time; a machine
    /// that was started with another date must not delete what is young.
    /// - Parameter now: The worker's time: nothing is removed where the database's is a day from it.
    @discardableResult
    package func maintain(now worker: Microseconds) throws(StoreError) -> Maintenance {
        var report = Maintenance()
        let now = try postgres.run("select clock_timestamp()").time(0, 0) ?? worker
        report.now = now
        report.isSuspended = abs(now - worker) >= Day.length
        let today = Day.of(now)
        let days = Array(today - 1...today + Self.daysAhead)
        report.partitionsMade = try transaction { () throws(StoreError) -> Int in
            try postgres.run("select waygate.make_positions_days($1)", [.dates(days)]).int(0, 0)
                ?? 0
        }
        knownDays.formUnion(days)
        guard !report.isSuspended else { return report }
        let retention = retention()
        try dropPartitions(before: today - retention.positionsDays, &report)
        try delete(
            """
            delete from waygate.rejected_messages where id in (
                select id from waygate.rejected_messages where received_at < $1 limit $2)
            """, olderThan: retention.rejectedDays, now, &report)
        for (statements, days) in [
            (Self.tripDeletions, retention.tripsDays), (Self.alarmDeletions, retention.alarmsDays),
            (Self.visitDeletions, retention.visitsDays),
            (Self.journalDeletions, retention.journalDays),
        ] {
            for statement in statements { try delete(statement, olderThan: days, now, &report) }
        }
        return report
    }

    private func dropPartitions(
        before day: Int, _ report: inout Maintenance
    ) throws(StoreError) {
        do throws(StoreError) {
            while true {
                // Dropping locks the parent: a reader that holds it up must not hold up commits too.
                let dropped = try transaction { () throws(StoreError) -> Bool in
                    try postgres.script("set local lock_timeout = '2s'")
                    return try postgres.run(
                        "select waygate.drop_positions_day(date '1970-01-01' + $1::integer)",
                        [.bigint(Int64(day))]
                    ).int(0, 0) != nil
                }
                guard dropped else { return }
                report.partitionsDropped += 1
                knownDays.removeAll()
            }
        } catch {
            guard error.sqlState == "55P03" else { throw error }
            report.isComplete = false
        }
    }

    private func delete(
        _ sql: String, olderThan days: Int, _ now: Microseconds, _ report: inout Maintenance
    ) throws(StoreError) {
        let limit = now - Microseconds(days) * Day.length
        for _ in 0..<Self.chunks {
            let deleted = try transaction { () throws(StoreError) -> Int in
                try postgres.run(sql, [.time(limit), .bigint(Self.chunk)]).changed
            }
            report.rowsDeleted += deleted
            if deleted < Self.chunk { return }
        }
        report.isComplete = false
    }

    /// What goes with the retention of trips, but for what the broker lacks yet.
    private static let tripDeletions = [
        """
        with old as (
            select t.vehicle_id, t.trip_id from waygate.trips t
            where t.ended_at < $1 and not exists (
                select from waygate.trip_events e
                where e.vehicle_id = t.vehicle_id and e.trip_id = t.trip_id
                    and e.published_at is null)
            limit $2
        ), progress as (
            delete from waygate.trip_progress o using old
            where o.vehicle_id = old.vehicle_id and o.trip_id = old.trip_id
        ), waypoints as (
            delete from waygate.trip_waypoints o using old
            where o.vehicle_id = old.vehicle_id and o.trip_id = old.trip_id
        ), events as (
            delete from waygate.trip_events o using old
            where o.vehicle_id = old.vehicle_id and o.trip_id = old.trip_id
        )
        delete from waygate.trips o using old
        where o.vehicle_id = old.vehicle_id and o.trip_id = old.trip_id
        """,
        """
        delete from waygate.used_trip_ids where (vehicle_id, trip_id) in (
            select u.vehicle_id, u.trip_id from waygate.used_trip_ids u
            where u.used_at < $1 - interval '30 days' and not exists (
                select from waygate.trips t
                where t.vehicle_id = u.vehicle_id and t.trip_id = u.trip_id)
            limit $2)
        """,
        """
        delete from waygate.trip_events where (vehicle_id, event_id) in (
            select vehicle_id, event_id from waygate.trip_events
            where sequence is null and occurred_at < $1 and published_at is not null limit $2)
        """,
        // A command is known by its id for thirty days, also while a spool is worked through again.
        """
        delete from waygate.commands where (vehicle_id, id) in (
            select vehicle_id, id from waygate.commands
            where received_at < $1
                and (command_id is null or received_at < now() - interval '60 days')
            limit $2)
        """,
        """
        delete from waygate.place_commands where id in (
            select id from waygate.place_commands
            where received_at < $1
                and (command_id is null or received_at < now() - interval '60 days')
            limit $2)
        """,
    ]

    private static let alarmDeletions = [
        """
        delete from waygate.alarms where event_id in (
            select event_id from waygate.alarms
            where occurred_at < $1 and published_at is not null limit $2)
        """
    ]

    /// Visits and speedings; then the deleted places whose names nothing needs any more.
    private static let visitDeletions = [
        """
        delete from waygate.visits where (vehicle_id, place_id, entered_at) in (
            select vehicle_id, place_id, entered_at from waygate.visits
            where entered_at < $1 and left_at < $1 limit $2)
        """,
        """
        delete from waygate.speedings where (vehicle_id, began_at) in (
            select vehicle_id, began_at from waygate.speedings
            where began_at < $1 and ended_at < $1 limit $2)
        """,
        """
        delete from waygate.places where place_id in (
            select p.place_id from waygate.places p
            where p.deleted_at < $1 and not exists (
                select from waygate.visits v where v.place_id = p.place_id)
            limit $2)
        """,
    ]

    private static let journalDeletions = ["stops", "drives"].map { table in
        """
        delete from waygate.\(table) where (vehicle_id, began_at) in (
            select vehicle_id, began_at from waygate.\(table)
            where began_at < $1 and ended_at < $1 limit $2)
        """
    }
}
