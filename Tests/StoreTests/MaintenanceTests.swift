import Foundation
import Store
import Testing

struct MaintenanceTests {
    @Test func `a week's partitions are made ahead`() throws {
        let database = try SharedServer.migrated()
        try database.psql(
            "do $$ declare t regclass; begin for t in select inhrelid::regclass from "
                + "pg_inherits where inhparent = 'waygate.positions'::regclass loop "
                + "execute 'drop table ' || t; end loop; end $$")
        let connection = try StoreConnection(database.settings)
        #expect(try connection.maintain(now: now).partitionsMade == 9)
        #expect(try connection.maintain(now: now).partitionsMade == 0)
        #expect(
            try database.psql(
                """
                select count(*) from generate_series(-1, 7) d where to_regclass('waygate.positions_' ||
                    to_char(timestamp 'epoch' + interval '1 s' * \(now / 1_000_000)
                        + interval '1 day' * d, 'YYYYMMDD')) is not null
                """) == "9")
    }

    @Test func `days beyond the retention are dropped, and no other`() throws {
        let database = try SharedServer.migrated()
        let connection = try database.owner { $0.retention.positionsDays = 30 }
        try connection.commit(
            .moving(0, 1) { batch in
                batch.positions = [-300, -32, -31, -30, -29, 0].map { days in
                    var row = PositionRow.fix()
                    row.fixTime += Microseconds(days) * day
                    return row
                }
            })
        // A day goes when the last moment of it is 30 days old.
        #expect(try connection.maintain(now: now).partitionsDropped == 3)
        #expect(try database.psql("select count(*) from waygate.positions") == "3")
        // The connection knows that they are gone.
        var old = PositionRow.fix()
        old.fixTime -= 300 * day
        try connection.commit(.moving(1, 2) { $0.positions = [old] })
    }

    @Test func `old trips go with all that is theirs, but not what the broker lacks`() throws {
        let database = try SharedServer.migrated()
        let connection = try database.owner()
        let past = now - 396 * day
        try connection.commit(
            .moving(0, 1) { batch in
                batch.trips = ["gone", "unpublished", "active", "recent"].map { name in
                    var row = TripRow.made(name)
                    row.assignedAt = past
                    row.endedAt = name == "active" ? nil : name == "recent" ? now : past
                    return row
                }
                batch.progress = batch.trips.map { .of($0.tripID) }
                batch.waypoints = batch.trips.map {
                    WaypointRow(
                        vehicleID: "v1", tripID: $0.tripID, index: 0, latitude: 1, longitude: 2,
                        status: "visited")
                }
                for (index, trip) in batch.trips.enumerated() {
                    var event = EventRow.numbered(index)
                    event.tripID = trip.tripID
                    event.publishedAt = trip.tripID == "unpublished" ? nil : past
                    batch.events.append(event)
                }
                var lone = EventRow.numbered(9)
                lone.tripID = nil
                lone.sequence = nil
                lone.occurredAt = past
                lone.publishedAt = past
                batch.events.append(lone)
                batch.commands = (batch.trips.map(\.tripID) + [nil]).map { tripID in
                    CommandRow(
                        vehicleID: "v1", commandID: "c", name: "assign", tripID: tripID,
                        receivedAt: past, reason: nil)
                }
                batch.rejected = [past, now].map { time in
                    RejectedRow(
                        receivedAt: time, topic: "t", payload: [], payloadBytes: 0,
                        reason: "invalid_json")
                }
            })
        let report = try connection.maintain(now: now)
        #expect(report.isComplete && report.rowsDeleted == 1 + 1 + 1 + 5 + 1)
        for table in ["trips", "trip_progress", "trip_waypoints", "trip_events"] {
            #expect(
                try database.psql(
                    "select string_agg(trip_id, ' ' order by trip_id) from waygate.\(table)")
                    == "active recent unpublished", "\(table)")
        }
        #expect(try database.psql("select count(*) from waygate.commands") == "0")
        #expect(try database.psql("select count(*) from waygate.rejected_messages") == "1")
        #expect(
            try database.psql(
                "select string_agg(trip_id, ' ' order by trip_id) from waygate.used_trip_ids")
                == "active recent unpublished")
    }

    @Test(arguments: [-20, -1, 1, 20, 400] as [Microseconds])
    func `a worker with another date deletes nothing`(days: Microseconds) throws {
        let database = try SharedServer.migrated()
        try database.psql(
            """
            insert into waygate.rejected_messages
                (received_at, payload_bytes, topic, reason, payload)
            select now() - interval '1 day' * d, 0, 't', 'invalid_json', ''
            from generate_series(1, 40) d
            """)
        let connection = try StoreConnection(database.settings)
        let report = try connection.maintain(now: now + days * day + days.signum() * 60_000_000)
        #expect(report.isSuspended && report.rowsDeleted == 0)
        #expect(try database.psql("select count(*) from waygate.rejected_messages") == "40")
        // Half a day is no other date; ages are the database's.
        let right = try connection.maintain(now: now + day / 2)
        #expect(!right.isSuspended && right.rowsDeleted == 11)
    }

    @Test func `a long backlog is deleted in rounds`() throws {
        let database = try SharedServer.migrated()
        try database.psql(
            """
            insert into waygate.rejected_messages
                (received_at, payload_bytes, topic, reason, payload)
            select now() - interval '31 days', 0, 't', 'invalid_json', '' from generate_series(1, 20001)
            """)
        let connection = try StoreConnection(database.settings)
        let first = try connection.maintain(now: now)
        #expect(first.rowsDeleted == 20_000 && !first.isComplete)
        let second = try connection.maintain(now: now)
        #expect(second.rowsDeleted == 1 && second.isComplete)
    }

    @Test func `a reader that is in the way postpones the drop and nothing else`() throws {
        let database = try SharedServer.migrated()
        let connection = try database.owner()
        var old = PositionRow.fix()
        old.fixTime -= 200 * day
        try connection.commit(.moving(0, 1) { $0.positions = [old] })
        let reader = try StoreConnection(database.settings)
        try reader.readInTransaction("select count(*) from waygate.positions")
        let start = Date()
        #expect(try !connection.maintain(now: now).isComplete)
        #expect(Date().timeIntervalSince(start) < 15)
        try connection.commit(.moving(1, 2) { $0.positions = [.fix()] })
        try reader.endTransaction()
        let report = try connection.maintain(now: now)
        #expect(report.isComplete && report.partitionsDropped == 1)
    }
}
