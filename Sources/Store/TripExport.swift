/// A trip as a person asks for it.
package struct ExportedTrip: Equatable, Sendable {
    package var tripID: String
    package var vehicleID: String
    package var state: String
    package var assignedAt: Microseconds
    package var endedAt: Microseconds?
    package var routeRevision: Int
    /// The route in force, a GeoJSON LineString as text; `nil` before the first.
    package var route: String?
    /// The via points, in order.
    package var waypoints: [WaypointRow]

    package init(
        tripID: String, vehicleID: String, state: String, assignedAt: Microseconds,
        endedAt: Microseconds? = nil, routeRevision: Int, route: String? = nil,
        waypoints: [WaypointRow] = []
    ) {
        self.tripID = tripID
        self.vehicleID = vehicleID
        self.state = state
        self.assignedAt = assignedAt
        self.endedAt = endedAt
        self.routeRevision = routeRevision
        self.route = route
        self.waypoints = waypoints
    }
}

extension StoreConnection {
    /// Returns the vehicles that have a trip of this id, in order.
    package func vehicles(ofTrip tripID: String) throws(StoreError) -> [String] {
        let found = try postgres.run(
            "select vehicle_id from waygate.trips where trip_id = $1 order by vehicle_id",
            [.text(tripID)])
        return (0..<found.rows).compactMap { found.text($0, 0) }
    }

    /// Returns a vehicle's trip, or `nil` when it has none of this id.
    package func trip(
        _ tripID: String, of vehicleID: String
    ) throws(StoreError) -> ExportedTrip? {
        let key: [Parameter] = [.text(vehicleID), .text(tripID)]
        let trip = try postgres.run(
            """
            select trip_id, vehicle_id, state, assigned_at, ended_at, route_revision, route::text
            from waygate.trips where vehicle_id = $1 and trip_id = $2
            """, key)
        guard trip.rows == 1 else { return nil }
        let waypoints = try postgres.run(
            """
            select vehicle_id, trip_id, waypoint_index, lat, lon, name, status, reached_at, resumed_at
            from waygate.trip_waypoints where vehicle_id = $1 and trip_id = $2
            order by waypoint_index
            """, key)
        return ExportedTrip(
            tripID: trip.text(0, 0) ?? "", vehicleID: trip.text(0, 1) ?? "",
            state: trip.text(0, 2) ?? "", assignedAt: trip.time(0, 3) ?? 0,
            endedAt: trip.time(0, 4), routeRevision: trip.int(0, 5) ?? 0, route: trip.text(0, 6),
            waypoints: (0..<waypoints.rows).map { WaypointRow(waypoints, $0) })
    }

    /// Reads a trip's fixes in order of their time, tracked or not; none when there is no such trip.
    ///
    /// Rows are handed over as they come; memory holds one at a time.
    package func positions(
        ofTrip tripID: String, of vehicleID: String, _ handle: (PositionRow) -> Void
    ) throws(StoreError) {
        try reading { () throws(StoreError) in
            // The vehicle and the days lead to the few rows; the trip's id has no index.
            let trip = try postgres.run(
                """
                select assigned_at - greatest(interval '1 day', make_interval(
                        secs => (options->>'max_age_at_assignment_s')::double precision)),
                    coalesce(ended_at, now()) + interval '1 day'
                from waygate.trips where vehicle_id = $1 and trip_id = $2
                """, [.text(vehicleID), .text(tripID)])
            guard trip.rows == 1, let start = trip.time(0, 0), let end = trip.time(0, 1) else {
                return
            }
            try postgres.stream(
                Statement(
                    """
                    \(PositionRow.selection)
                    where vehicle_id = $1 and trip_id = $2 and fix_time between $3 and $4
                    order by fix_time
                    """, [.text(vehicleID), .text(tripID), .time(start), .time(end)])
            ) { row in handle(PositionRow(row)) }
        }
    }
}

extension StoreConnection {
    /// Returns when a vehicle's newest fix was; `nil` where there is none.
    package func lastFix(of vehicleID: String) throws(StoreError) -> Microseconds? {
        let found = try postgres.run(
            "select fix_time from waygate.vehicles where vehicle_id = $1", [.text(vehicleID)])
        return found.rows == 1 ? found.time(0, 0) : nil
    }

    /// Reads a vehicle's fixes in order of their time, on any trip or none.
    ///
    /// Rows are handed over as they come; memory holds one at a time.
    ///
    /// - Parameters:
    ///   - start: The first moment.
    ///   - end: The moment that ends it, itself left out; `nil` for all that there is.
    package func positions(
        of vehicleID: String, from start: Microseconds, to end: Microseconds?,
        _ handle: (PositionRow) -> Void
    ) throws(StoreError) {
        try reading { () throws(StoreError) in
            try postgres.stream(
                Statement(
                    """
                    \(PositionRow.selection)
                    where vehicle_id = $1 and fix_time >= $2 and fix_time < $3
                    order by fix_time
                    """, [.text(vehicleID), .time(start), .time(end ?? .max / 2)])
            ) { row in handle(PositionRow(row)) }
        }
    }
}

extension StoreConnection {
    /// Whether there is, or was, a place of this id.
    package func hasPlace(_ placeID: String) throws(StoreError) -> Bool {
        let found = try postgres.run(
            "select from waygate.places where place_id = $1", [.text(placeID)])
        return found.rows == 1
    }

    /// Reads the fixes of all visits to a place, vehicle by vehicle in order of their times.
    ///
    /// Rows are handed over as they come; memory holds one at a time.
    ///
    /// - Parameters:
    ///   - start: The first moment.
    ///   - end: The moment that ends it, itself left out; `nil` for all that there is.
    package func positions(
        ofVisitsTo placeID: String, from start: Microseconds, to end: Microseconds?,
        _ handle: (PositionRow) -> Void
    ) throws(StoreError) {
        try reading { () throws(StoreError) in
            try postgres.stream(
                Statement(
                    """
                    \(PositionRow.selection)
                    join waygate.visits using (vehicle_id)
                    where place_id = $1 and entered_at < $3 and (left_at >= $2 or left_at is null)
                        and fix_time >= greatest(entered_at, $2)
                        and fix_time <= coalesce(left_at, 'infinity') and fix_time < $3
                    order by vehicle_id, fix_time
                    """, [.text(placeID), .time(start), .time(end ?? .max / 2)])
            ) { row in handle(PositionRow(row)) }
        }
    }
}

extension WaypointRow {
    fileprivate init(_ result: PostgresResult, _ row: Int) {
        self.init(
            vehicleID: result.text(row, 0) ?? "", tripID: result.text(row, 1) ?? "",
            index: result.int(row, 2) ?? 0, latitude: result.double(row, 3) ?? 0,
            longitude: result.double(row, 4) ?? 0, name: result.text(row, 5),
            status: result.text(row, 6) ?? "", reachedAt: result.time(row, 7),
            resumedAt: result.time(row, 8))
    }
}

extension PositionRow {
    /// What `init` reads, in its order.
    fileprivate static let selection = """
        select vehicle_id, fix_time, lat, lon, accuracy_m, speed_mps, course_deg,
            altitude_m, level, provider, attributes::text, positions.trip_id, tracked, received_at
        from waygate.positions
        """

    fileprivate init(_ row: PostgresResult) {
        self.init(
            vehicleID: row.text(0, 0) ?? "", fixTime: row.time(0, 1) ?? 0,
            latitude: row.double(0, 2) ?? 0, longitude: row.double(0, 3) ?? 0,
            accuracy: row.double(0, 4), speed: row.double(0, 5), course: row.double(0, 6),
            altitude: row.double(0, 7), level: row.text(0, 8), provider: row.text(0, 9),
            attributes: row.text(0, 10), tripID: row.text(0, 11), tracked: row.bool(0, 12),
            receivedAt: row.time(0, 13) ?? 0)
    }
}
