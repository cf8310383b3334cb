extension StoreBatch {
    /// Returns the statements that write everything but the positions and the checkpoint.
    func statements() throws(StoreError) -> [Statement] {
        try vehicleStatements() + tripStatements() + waypointStatements() + progressStatements()
            + eventStatements() + acknowledgementStatements() + commandStatements()
            + rejectionStatements() + watchStatements()
    }

    private func vehicleStatements() throws(StoreError) -> [Statement] {
        guard !vehicles.isEmpty else { return [] }
        return [
            Statement(
                """
                insert into waygate.vehicles (vehicle_id, fix_time, lat, lon, speed_mps, course_deg,
                    level, trip_id, updated_at, alarm_sequence, odometer_m, packed_watch)
                select * from unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
                on conflict (vehicle_id) do update set fix_time = excluded.fix_time,
                    lat = excluded.lat, lon = excluded.lon, speed_mps = excluded.speed_mps,
                    course_deg = excluded.course_deg, level = excluded.level,
                    trip_id = excluded.trip_id, updated_at = excluded.updated_at,
                    alarm_sequence = excluded.alarm_sequence, odometer_m = excluded.odometer_m,
                    packed_watch = excluded.packed_watch
                """,
                [
                    try .texts(vehicles) { $0.vehicleID }, try .times(vehicles) { $0.fixTime },
                    try .doubles(vehicles) { $0.latitude }, try .doubles(vehicles) { $0.longitude },
                    try .doubles(vehicles) { $0.speed }, try .doubles(vehicles) { $0.course },
                    try .jsons(vehicles) { $0.level }, try .texts(vehicles) { $0.tripID },
                    try .times(vehicles) { $0.updatedAt },
                    try .bigints(vehicles) { $0.alarmSequence },
                    try .doubles(vehicles) { $0.odometer },
                    try .byteStrings(vehicles) { $0.packedWatch },
                ])
        ]
    }

    private func tripStatements() throws(StoreError) -> [Statement] {
        var statements: [Statement] = []
        let made = trips.filter { $0.assignment != nil }
        if !made.isEmpty {
            statements += try Self.removeFormerTrips(made)
            statements.append(try Self.insertTrips(made))
        }
        // An insert without the columns of the assignment would fail on them before it finds the row.
        let changed = trips.filter { $0.assignment == nil }
        if !changed.isEmpty {
            statements.append(try Self.updateTrips(changed))
        }
        let used = trips.filter { $0.assignment != nil || $0.endedAt != nil }
        if !used.isEmpty {
            statements.append(try Self.rememberTripIDs(used))
        }
        return statements
    }

    /// An id that may be used again can still have rows that the retention has not come to.
    private static func removeFormerTrips(_ rows: [TripRow]) throws(StoreError) -> [Statement] {
        let keys: [Parameter] = [
            try .texts(rows) { $0.vehicleID }, try .texts(rows) { $0.tripID },
        ]
        return ["trip_waypoints", "trip_progress", "trip_events"].map { table in
            Statement(
                """
                delete from waygate.\(table) o using unnest($1, $2) as n (vehicle_id, trip_id)
                where o.vehicle_id = n.vehicle_id and o.trip_id = n.trip_id
                """, keys)
        }
    }

    private static func rememberTripIDs(_ rows: [TripRow]) throws(StoreError) -> Statement {
        Statement(
            """
            insert into waygate.used_trip_ids (vehicle_id, trip_id, used_at)
            select * from unnest($1, $2, $3)
            on conflict (vehicle_id, trip_id) do update set used_at = excluded.used_at
            """,
            [
                try .texts(rows) { $0.vehicleID }, try .texts(rows) { $0.tripID },
                try .times(rows) { $0.endedAt ?? $0.assignedAt },
            ])
    }

    private static func insertTrips(_ rows: [TripRow]) throws(StoreError) -> Statement {
        Statement(
            """
            insert into waygate.trips (vehicle_id, trip_id, state, assigned_at, ended_at,
                route_revision, options, packed_assignment, route, packed_route)
            select * from unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            on conflict (vehicle_id, trip_id) do update set state = excluded.state,
                assigned_at = excluded.assigned_at, ended_at = excluded.ended_at, route_revision = excluded.route_revision,
                options = excluded.options, packed_assignment = excluded.packed_assignment,
                route = excluded.route, packed_route = excluded.packed_route
            """,
            try columns(rows) + [
                try .jsons(rows) { $0.assignment?.options },
                try .byteStrings(rows) { $0.assignment?.packed },
                try .jsons(rows) { $0.route?.geoJSON }, try .byteStrings(rows) { $0.route?.packed },
            ])
    }

    private static func updateTrips(_ rows: [TripRow]) throws(StoreError) -> Statement {
        Statement(
            """
            update waygate.trips t set state = n.state, ended_at = n.ended_at,
                route_revision = n.route_revision, route = coalesce(n.route, t.route),
                packed_route = coalesce(n.packed_route, t.packed_route)
            from unnest($1, $2, $3, $4, $5, $6, $7, $8) as n (vehicle_id, trip_id, state, assigned_at,
                ended_at, route_revision, route, packed_route)
            where t.vehicle_id = n.vehicle_id and t.trip_id = n.trip_id
            """,
            try columns(rows) + [
                try .jsons(rows) { $0.route?.geoJSON }, try .byteStrings(rows) { $0.route?.packed },
            ])
    }

    private static func columns(_ rows: [TripRow]) throws(StoreError) -> [Parameter] {
        [
            try .texts(rows) { $0.vehicleID }, try .texts(rows) { $0.tripID },
            try .texts(rows) { $0.state }, try .times(rows) { $0.assignedAt },
            try .times(rows) { $0.endedAt }, try .integers(rows) { $0.routeRevision },
        ]
    }

    private func waypointStatements() throws(StoreError) -> [Statement] {
        guard !waypoints.isEmpty else { return [] }
        return [
            Statement(
                """
                insert into waygate.trip_waypoints (vehicle_id, trip_id, waypoint_index, lat, lon,
                    name, status, reached_at, resumed_at)
                select * from unnest($1, $2, $3, $4, $5, $6, $7, $8, $9)
                on conflict (vehicle_id, trip_id, waypoint_index) do update set
                    lat = excluded.lat, lon = excluded.lon, name = excluded.name,
                    status = excluded.status, reached_at = excluded.reached_at,
                    resumed_at = excluded.resumed_at
                """,
                [
                    try .texts(waypoints) { $0.vehicleID },
                    try .texts(waypoints) { $0.tripID }, try .integers(waypoints) { $0.index },
                    try .doubles(waypoints) { $0.latitude },
                    try .doubles(waypoints) { $0.longitude }, try .texts(waypoints) { $0.name },
                    try .texts(waypoints) { $0.status }, try .times(waypoints) { $0.reachedAt },
                    try .times(waypoints) { $0.resumedAt },
                ])
        ]
    }

    private func progressStatements() throws(StoreError) -> [Statement] {
        guard !progress.isEmpty else { return [] }
        return [
            Statement(
                """
                insert into waygate.trip_progress (vehicle_id, trip_id, state, fix_time, lat, lon,
                    reported_lat, reported_lon, deviation_m, travelled_distance_m,
                    remaining_distance_m, active_waypoint_index, remaining_waypoints,
                    waiting_at_waypoint, eta, route_revision, updated_at, packed_state)
                select * from unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
                    $16, $17, $18)
                on conflict (vehicle_id, trip_id) do update set state = excluded.state,
                    fix_time = excluded.fix_time, lat = excluded.lat, lon = excluded.lon,
                    reported_lat = excluded.reported_lat,
                    reported_lon = excluded.reported_lon, deviation_m = excluded.deviation_m,
                    travelled_distance_m = excluded.travelled_distance_m,
                    remaining_distance_m = excluded.remaining_distance_m,
                    active_waypoint_index = excluded.active_waypoint_index,
                    remaining_waypoints = excluded.remaining_waypoints,
                    waiting_at_waypoint = excluded.waiting_at_waypoint, eta = excluded.eta,
                    route_revision = excluded.route_revision, updated_at = excluded.updated_at,
                    packed_state = excluded.packed_state,
                    first_eta = coalesce(
                        trip_progress.first_eta, trip_progress.eta, excluded.eta)
                """,
                [
                    try .texts(progress) { $0.vehicleID }, try .texts(progress) { $0.tripID },
                    try .texts(progress) { $0.state }, try .times(progress) { $0.fixTime },
                    try .doubles(progress) { $0.latitude }, try .doubles(progress) { $0.longitude },
                    try .doubles(progress) { $0.reportedLatitude },
                    try .doubles(progress) { $0.reportedLongitude },
                    try .doubles(progress) { $0.deviation },
                    try .doubles(progress) { $0.travelledDistance },
                    try .doubles(progress) { $0.remainingDistance },
                    try .integers(progress) { $0.activeWaypointIndex },
                    try .integers(progress) { $0.remainingWaypoints },
                    try .booleans(progress) { $0.waitsAtWaypoint },
                    try .times(progress) { $0.eta }, try .integers(progress) { $0.routeRevision },
                    try .times(progress) { $0.updatedAt },
                    try .byteStrings(progress) { $0.packed },
                ])
        ]
    }

    private func eventStatements() throws(StoreError) -> [Statement] {
        var statements: [Statement] = []
        let trips = events.filter { $0.home == .trips }
        // A second event with the same sequence but another id is our own fault: that one fails.
        if !trips.isEmpty {
            statements.append(
                Statement(
                    """
                    insert into waygate.trip_events (event_id, trip_id, vehicle_id, sequence, type,
                        occurred_at, body, published_at)
                    select * from unnest($1, $2, $3, $4, $5, $6, $7, $8)
                    on conflict (vehicle_id, event_id) do nothing
                    """, try Self.columns(trips)))
        }
        let alarms = events.filter { $0.home == .alarms }
        if !alarms.isEmpty {
            statements.append(
                Statement(
                    """
                    insert into waygate.alarms (event_id, trip_id, vehicle_id, sequence, type,
                        occurred_at, body, published_at, place_id)
                    select * from unnest($1, $2, $3, $4, $5, $6, $7, $8, $9)
                    on conflict (event_id) do nothing
                    """, try Self.columns(alarms) + [try .texts(alarms) { $0.placeID }]))
        }
        return statements
    }

    private static func columns(_ rows: [EventRow]) throws(StoreError) -> [Parameter] {
        [
            try .uuids(rows) { $0.eventID }, try .texts(rows) { $0.tripID },
            try .texts(rows) { $0.vehicleID }, try .bigints(rows) { $0.sequence.map(Int64.init) },
            try .texts(rows) { $0.type }, try .times(rows) { $0.occurredAt },
            try .jsons(rows) { $0.body }, try .times(rows) { $0.publishedAt },
        ]
    }

    private func acknowledgementStatements() throws(StoreError) -> [Statement] {
        var statements: [Statement] = []
        let trips = acknowledged.filter { $0.home == .trips }
        if !trips.isEmpty {
            statements.append(
                Statement(
                    """
                    update waygate.trip_events e set published_at = n.published_at
                    from unnest($1, $2, $3) as n (event_id, published_at, vehicle_id)
                    where e.vehicle_id = n.vehicle_id and e.event_id = n.event_id
                        and e.published_at is null
                    """, try Self.columns(trips) + [try .texts(trips) { $0.vehicleID }]))
        }
        let alarms = acknowledged.filter { $0.home == .alarms }
        if !alarms.isEmpty {
            statements.append(
                Statement(
                    """
                    update waygate.alarms e set published_at = n.published_at
                    from unnest($1, $2) as n (event_id, published_at)
                    where e.event_id = n.event_id and e.published_at is null
                    """, try Self.columns(alarms)))
        }
        return statements
    }

    private static func columns(_ rows: [AcknowledgedEvent]) throws(StoreError) -> [Parameter] {
        [try .uuids(rows) { $0.eventID }, try .times(rows) { $0.publishedAt }]
    }

    private func commandStatements() throws(StoreError) -> [Statement] {
        guard !commands.isEmpty else { return [] }
        return [
            Statement(
                """
                insert into waygate.commands (vehicle_id, command_id, name, trip_id, received_at,
                    outcome, reason)
                select * from unnest($1, $2, $3, $4, $5, $6, $7)
                """,
                [
                    try .texts(commands) { $0.vehicleID }, try .texts(commands) { $0.commandID },
                    try .texts(commands) { $0.name }, try .texts(commands) { $0.tripID },
                    try .times(commands) { $0.receivedAt },
                    try .texts(commands) { $0.reason == nil ? "done" : "rejected" },
                    try .texts(commands) { $0.reason },
                ])
        ]
    }

    private func rejectionStatements() throws(StoreError) -> [Statement] {
        guard !rejected.isEmpty else { return [] }
        return [
            Statement(
                """
                insert into waygate.rejected_messages (received_at, topic, payload, payload_bytes,
                    reason, element_index)
                select * from unnest($1, $2, $3, $4, $5, $6)
                """,
                [
                    try .times(rejected) { $0.receivedAt }, try .texts(rejected) { $0.topic },
                    try .byteStrings(rejected) { $0.payload },
                    try .integers(rejected) { $0.payloadBytes },
                    try .texts(rejected) { $0.reason }, try .integers(rejected) { $0.elementIndex },
                ])
        ]
    }
}

// An upsert takes each key once: of several rows for one thing the last counts.
extension StoreBatch {
    /// Returns the batch with one row for each vehicle, trip, via point and progress.
    func withoutRepeats() -> StoreBatch {
        var batch = self
        batch.vehicles = Self.last(vehicles, by: \.vehicleID)
        batch.trips = Self.last(trips, by: \.key) { earlier, later in
            later.assignment = later.assignment ?? earlier.assignment
            later.route = later.route ?? earlier.route
        }
        batch.waypoints = Self.last(waypoints, by: \.key)
        batch.progress = Self.last(progress, by: \.key)
        batch.acknowledged = Self.last(acknowledged, by: \.eventID)
        batch.mergeWatchRows()
        return batch
    }

    static func last<Row, Key: Hashable>(
        _ rows: [Row], by key: (Row) -> Key, merge: (Row, inout Row) -> Void = { _, _ in }
    ) -> [Row] {
        var places: [Key: Int] = [:]
        places.reserveCapacity(rows.count)
        var kept: [Row] = []
        for row in rows {
            if let place = places.updateValue(kept.count, forKey: key(row)) {
                places[key(row)] = place
                let earlier = kept[place]
                kept[place] = row
                merge(earlier, &kept[place])
            } else {
                kept.append(row)
            }
        }
        return kept
    }
}

/// The key of what there is one of for each trip, or for each of its via points.
private struct Key: Hashable {
    var vehicleID: String
    var tripID: String
    var index = 0
}

extension TripRow {
    fileprivate var key: Key { Key(vehicleID: vehicleID, tripID: tripID) }
}

extension ProgressRow {
    fileprivate var key: Key { Key(vehicleID: vehicleID, tripID: tripID) }
}

extension WaypointRow {
    fileprivate var key: Key { Key(vehicleID: vehicleID, tripID: tripID, index: index) }
}
