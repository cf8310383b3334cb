extension StoreConnection {
    /// Reads back what a start needs, all of one moment: vehicles, active trips, used trip ids, the ids
    /// of commands that were carried out, places, and unpublished events and alarms in order.
    ///
    /// Rows are handed over as they come; memory holds one at a time.
    package func loadState(_ handle: (StoredItem) -> Void) throws(StoreError) {
        try reading { () throws(StoreError) in
            try postgres.stream(
                Statement(
                    """
                    select place_id, command_id, received_at from waygate.place_commands
                    where outcome = 'done' and command_id is not null
                        and received_at > now() - interval '60 days'
                    """)
            ) { row in
                handle(
                    .placeCommandID(
                        placeID: row.text(0, 0) ?? "", commandID: row.text(0, 1) ?? "",
                        at: row.time(0, 2) ?? 0))
            }
            // Places come first: the vehicles' watches speak of them.
            try postgres.stream(
                Statement(
                    """
                    select place_id, revision, definition::text, put_at, deleted_at, closed_since
                    from waygate.places
                    """)
            ) { row in handle(.place(StoredPlace(row))) }
            try postgres.stream(
                Statement(
                    """
                    select vehicle_id, fix_time, lat, lon, speed_mps, course_deg, level::text, trip_id,
                        updated_at, alarm_sequence, odometer_m, packed_watch
                    from waygate.vehicles
                    """)
            ) { row in handle(.vehicle(VehicleRow(row))) }
            try postgres.stream(
                Statement(
                    """
                    select vehicle_id, trip_id, t.state, t.assigned_at, t.route_revision,
                        t.packed_assignment, t.packed_route, p.packed_state
                    from waygate.trips t left join waygate.trip_progress p using (vehicle_id, trip_id)
                    where t.ended_at is null
                    """)
            ) { row in handle(.trip(StoredTrip(row))) }
            try postgres.stream(
                Statement("select vehicle_id, trip_id, used_at from waygate.used_trip_ids")
            ) { row in
                handle(
                    .usedTripID(
                        vehicleID: row.text(0, 0) ?? "", tripID: row.text(0, 1) ?? "",
                        at: row.time(0, 2) ?? 0))
            }
            try postgres.stream(
                Statement(
                    """
                    select vehicle_id, command_id, received_at from waygate.commands
                    where outcome = 'done' and command_id is not null
                        and received_at > now() - interval '60 days'
                    """)
            ) { row in
                handle(
                    .commandID(
                        vehicleID: row.text(0, 0) ?? "", commandID: row.text(0, 1) ?? "",
                        at: row.time(0, 2) ?? 0))
            }
            try postgres.stream(
                Statement(
                    """
                    select event_id::text, trip_id, vehicle_id, sequence::bigint, type, occurred_at, body::text
                    from waygate.trip_events where published_at is null
                    order by vehicle_id, trip_id, sequence, occurred_at, event_id
                    """)
            ) { row in handle(.unpublishedEvent(EventRow(row, home: .trips))) }
            try postgres.stream(
                Statement(
                    """
                    select event_id::text, trip_id, vehicle_id, sequence::bigint, type, occurred_at, body::text,
                        place_id
                    from waygate.alarms where published_at is null
                    order by vehicle_id nulls first, sequence, occurred_at, event_id
                    """)
            ) { row in handle(.unpublishedEvent(EventRow(row, home: .alarms))) }
        }
    }

    /// Runs queries on one snapshot, each as long as it takes while rows keep coming.
    func reading(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        try transaction("isolation level repeatable read read only") { () throws(StoreError) in
            // The reader sets the pace, which is no fault of the server's.
            try postgres.script("select set_config('statement_timeout', '0', true)")
            try body()
        }
    }
}

extension VehicleRow {
    fileprivate init(_ row: PostgresResult) {
        self.init(
            vehicleID: row.text(0, 0) ?? "", fixTime: row.time(0, 1), latitude: row.double(0, 2),
            longitude: row.double(0, 3), speed: row.double(0, 4), course: row.double(0, 5),
            level: row.text(0, 6), tripID: row.text(0, 7), updatedAt: row.time(0, 8) ?? 0,
            alarmSequence: row.int64(0, 9) ?? 0, odometer: row.double(0, 10) ?? 0,
            packedWatch: row.bytes(0, 11))
    }
}

extension StoredTrip {
    fileprivate init(_ row: PostgresResult) {
        self.init(
            row: TripRow(
                tripID: row.text(0, 1) ?? "", vehicleID: row.text(0, 0) ?? "",
                state: row.text(0, 2) ?? "", assignedAt: row.time(0, 3) ?? 0,
                routeRevision: row.int(0, 4) ?? 0),
            assignment: row.bytes(0, 5) ?? [], route: row.bytes(0, 6), state: row.bytes(0, 7))
    }
}

extension StoredPlace {
    fileprivate init(_ row: PostgresResult) {
        self.init(
            placeID: row.text(0, 0) ?? "", revision: row.int(0, 1) ?? 0,
            definition: row.text(0, 2) ?? "", putAt: row.time(0, 3) ?? 0,
            isDeleted: row.time(0, 4) != nil, closedSince: row.time(0, 5))
    }
}

extension EventRow {
    fileprivate init(_ row: PostgresResult, home: EventHome) {
        self.init(
            home: home, eventID: row.text(0, 0) ?? "", tripID: row.text(0, 1),
            vehicleID: row.text(0, 2), placeID: home == .alarms ? row.text(0, 7) : nil,
            sequence: row.int64(0, 3).map(Int.init), type: row.text(0, 4) ?? "",
            occurredAt: row.time(0, 5) ?? 0,
            body: row.text(0, 6) ?? "")
    }
}
