import Store
import Testing

struct CommitTests {
    @Test func `what was committed is read back`() throws {
        let database = try SharedServer.migrated()
        let batch = StoreBatch.full()
        try database.owner().commit(batch)
        let trip = StoredTrip(
            row: .changed("t1", "tracking"), assignment: [1, 2], route: [3, 4, 5], state: [6])
        #expect(
            try database.state() == [
                .vehicle(batch.vehicles[0]), .trip(trip),
                .usedTripID(vehicleID: "v1", tripID: "t1", at: now),
                .commandID(vehicleID: "v1", commandID: "c1", at: now),
                .unpublishedEvent(batch.events[0]), .unpublishedEvent(batch.events[1]),
            ])
    }

    @Test(arguments: [
        ("vehicles", "v1|47.1|9.5|3|4|-1|t1|7|1234.5"),
        ("trips", "t1|v1|tracking|1|LineString|300"),
        ("trip_waypoints", "v1|t1|0|47.2|9.6|Yard|pending"),
        ("trip_progress", "t1|v1|tracking|47.11|9.51|47.1|9.5|12.5|100|900|0|1|f|1|01:00:00"),
        ("trip_events", "t1|1|waypoint_reached|true|t1|2|waypoint_reached|true"),
        ("commands", "c1|assign|done||c2|proceed|rejected|not_held"),
        ("rejected_messages", #"fleet/x/position|\x00ff|2|invalid_json|3"#),
        ("positions", "v1|47.1|9.5|5|t1|t|v1|47.1|9.5|5|t1|t|v2|47.1|9.5|5||t"),
    ])
    func `every table gets its rows`(table: String, row: String) throws {
        let columns = [
            "vehicles": """
            vehicle_id, lat, lon, speed_mps, course_deg, level, trip_id, alarm_sequence, odometer_m
            """,
            "trips": """
            trip_id, vehicle_id, state, route_revision, route->>'type',
            options->>'max_age_at_assignment_s'
            """,
            "trip_waypoints": "vehicle_id, trip_id, waypoint_index, lat, lon, name, status",
            "trip_progress": """
            trip_id, vehicle_id, state, lat, lon, reported_lat, reported_lon, deviation_m,
            travelled_distance_m, remaining_distance_m, active_waypoint_index, remaining_waypoints,
            waiting_at_waypoint, route_revision, eta - fix_time
            """,
            "trip_events": "trip_id, sequence, type, body->>'held'",
            "commands": "command_id, name, outcome, reason",
            "rejected_messages": "topic, payload, payload_bytes, reason, element_index",
            "positions": "vehicle_id, lat, lon, accuracy_m, trip_id, tracked",
        ]
        let rows = try Self.committed.get().psql(
            "select \(try #require(columns[table])) from waygate.\(table) order by 1, 2")
        #expect(rows.replacing("\n", with: "|") == row)
    }

    /// The database that the table above looks into.
    private static let committed = Result {
        let database = try SharedServer.migrated()
        try database.owner().commit(.full())
        return database
    }

    @Test func `a trip's later rows change it and keep what they do not tell`() throws {
        let database = try SharedServer.migrated()
        let connection = try database.owner()
        try connection.commit(.full(0, 10))
        try connection.commit(
            .moving(10, 20) { batch in
                var rerouted = TripRow.changed("t1", "rerouting")
                rerouted.route = .init(geoJSON: #"{"type": "Point"}"#, packed: [9])
                rerouted.routeRevision = 2
                // Two rows for one trip, as when it is rerouted and ends within a batch.
                var ended = TripRow.changed("t1", "arrived", endedAt: now)
                ended.routeRevision = 2
                batch.trips = [rerouted, ended]
                batch.acknowledged = [
                    AcknowledgedEvent(
                        vehicleID: "v1", eventID: StoreBatch.full().events[0].eventID,
                        publishedAt: now)
                ]
                batch.progress = [.of("t1"), .of("t1")]
                batch.progress[1].travelledDistance = 1000
                batch.waypoints = StoreBatch.full().waypoints
                batch.waypoints[0].status = "reached"
                batch.waypoints[0].reachedAt = now
                batch.events = [.numbered(2)]  // known already
            })
        let trips = try database.psql(
            """
            select state, ended_at is not null, route->>'type', packed_route, packed_assignment,
                route_revision, travelled_distance_m, status, reached_at is not null
            from waygate.trips join waygate.trip_progress using (vehicle_id, trip_id)
                join waygate.trip_waypoints using (vehicle_id, trip_id)
            """.replacing("state, ended", with: "trips.state, ended").replacing(
                "route_revision,", with: "trips.route_revision,"))
        #expect(trips == #"arrived|t|Point|\x09|\x0102|2|1000|reached|t"#)
        let unpublished = try database.state().filter {
            if case .unpublishedEvent = $0 { true } else { false }
        }
        #expect(unpublished == [.unpublishedEvent(StoreBatch.full().events[1])])
    }

    @Test func `vehicles may have trips of the same id`() throws {
        let database = try SharedServer.migrated()
        let connection = try database.owner()
        try connection.commit(
            .moving(0, 1) { batch in
                for vehicleID in ["v1", "v2"] {
                    batch.trips.append(.made("t1", of: vehicleID))
                    batch.progress.append(.of("t1", of: vehicleID))
                    var waypoint = StoreBatch.full().waypoints[0]
                    waypoint.vehicleID = vehicleID
                    batch.waypoints.append(waypoint)
                    var event = EventRow.numbered(1, tripID: vehicleID == "v1" ? "t1" : "t2")
                    event.vehicleID = vehicleID
                    event.tripID = "t1"
                    batch.events.append(event)
                }
            })
        var arrived = TripRow.changed("t1", "arrived", endedAt: now)
        arrived.vehicleID = "v2"
        try connection.commit(
            .moving(1, 2) { batch in
                batch.trips = [arrived]
                batch.acknowledged = [
                    AcknowledgedEvent(
                        vehicleID: "v2", eventID: EventRow.numbered(1, tripID: "t2").eventID,
                        publishedAt: now)
                ]
            })
        #expect(
            try database.psql(
                """
                select vehicle_id, t.state, e.published_at is not null
                from waygate.trips t join waygate.trip_events e using (vehicle_id, trip_id)
                    join waygate.trip_waypoints w using (vehicle_id, trip_id)
                    join waygate.trip_progress p using (vehicle_id, trip_id) order by 1
                """) == "v1|tracking|f\nv2|arrived|t")
        #expect(try connection.vehicles(ofTrip: "t1") == ["v1", "v2"])
        #expect(try connection.vehicles(ofTrip: "t2") == [])
    }

    @Test func `an id that is used again leaves nothing of the trip that had it`() throws {
        let database = try SharedServer.migrated()
        let connection = try database.owner()
        try connection.commit(.full(0, 10))
        try connection.commit(
            .moving(10, 20) { batch in
                batch.trips = [.made()]
                batch.progress = [.of("t1")]
                batch.events = [.numbered(1)]
            })
        #expect(try database.psql("select count(*) from waygate.trip_waypoints") == "0")
        #expect(try database.psql("select sequence from waygate.trip_events") == "1")
    }

    @Test func `a copy of a stored position is stored once`() throws {
        let database = try SharedServer.migrated()
        let connection = try database.owner()
        let first = (0..<50).map { PositionRow.fix("v1", $0) }
        try connection.commit(.moving(0, 1) { $0.positions = first })
        // Copies of stored ones, copies within the batch, and new ones, several times over.
        for round in 1...3 {
            let mixed = (0..<50).map { PositionRow.fix("v1", round * 25 + $0) }
            try connection.commit(
                .moving(Int64(round), Int64(round) + 1) { $0.positions = mixed + mixed })
        }
        #expect(try database.psql("select count(*) from waygate.positions") == "125")
        // The same time at another place is another fix.
        var moved = PositionRow.fix("v1", 0)
        moved.latitude += 0.001
        try connection.commit(.moving(4, 5) { $0.positions = [moved] })
        #expect(try database.psql("select count(*) from waygate.positions") == "126")
    }

    @Test func `a batch larger than any buffer goes in whole`() throws {
        let database = try SharedServer.migrated()
        let connection = try database.owner()
        let attributes = #"{"text": ""# + String(repeating: "x", count: 1000) + #""}"#
        let rows = (0..<5000).map { index in
            var row = PositionRow.fix("v\(index % 7)", index)
            row.attributes = attributes
            return row
        }
        try connection.commit(.moving(0, 1) { $0.positions = rows })
        #expect(
            try database.psql(
                "select count(*), count(distinct vehicle_id), min(length(attributes->>'text')) "
                    + "from waygate.positions") == "5000|7|1000")
    }

    @Test func `days without a partition get one first, also when it was dropped meanwhile`() throws
    {
        let database = try SharedServer.migrated()
        let connection = try database.owner()
        var old = PositionRow.fix()
        old.fixTime = now - 300 * day
        try connection.commit(.moving(0, 1) { $0.positions = [old, .fix()] })
        try database.psql(
            "select waygate.drop_positions_day((now() - interval '299 days')::date)")
        try connection.commit(.moving(1, 2) { $0.positions = [old] })
        #expect(
            try database.psql(
                "select count(*), min(fix_time) = to_timestamp(\(old.fixTime / 1_000_000)) "
                    + "from waygate.positions") == "2|t")
    }

    @Test func `the settings stay until a batch brings others`() throws {
        let database = try SharedServer.migrated()
        var connection = try database.owner()
        try connection.commit(.moving(0, 5) { $0.settings = [7, 0, 8] })
        try connection.commit(.moving(5, 9))
        // What was published stays so, whatever a smaller batch says.
        var part = StoreBatch.moving(9, 9)
        part.published = 0
        try connection.commit(part)
        connection = try StoreConnection(database.settings)
        let claim = try connection.claim(spoolID: "s1", takeOver: false)
        #expect(claim.checkpoint == .init(position: 9, published: 5, settings: [7, 0, 8]))
    }
}
