/// The reports that the tables give.
package enum ReportName: String, CaseIterable, Sendable {
    case trips, stops, drives, visits, speedings, days, vehicles, places
}

/// What a report is asked for.
package struct ReportQuery: Equatable, Sendable {
    /// Which report.
    package var name: ReportName
    /// The window's first moment, and the one that ends it, itself left out.
    package var from: Microseconds
    package var to: Microseconds
    /// The IANA zone that days are of, and that times are told in.
    package var zone: String
    /// Only this vehicle.
    package var vehicleID: String?
    /// Only this place.
    package var placeID: String?

    /// Creates a query.
    package init(
        name: ReportName, from: Microseconds, to: Microseconds, zone: String = "UTC",
        vehicleID: String? = nil, placeID: String? = nil
    ) {
        self.name = name
        self.from = from
        self.to = to
        self.zone = zone
        self.vehicleID = vehicleID
        self.placeID = placeID
    }

    /// Whether the report knows places.
    package var hasPlaces: Bool {
        switch name {
        case .stops, .visits, .speedings, .places: true
        case .trips, .drives, .days, .vehicles: false
        }
    }

    /// The statement; $1 and $2 are the window, $3 and $4 the vehicle and the place or null, $5 the zone.
    private var sql: String {
        let vehicle = "($3::text is null or vehicle_id = $3)"
        let both = "\(vehicle) and ($4::text is null or place_id = $4)"
        switch name {
        case .trips:
            return """
                select *, assigned_at < $1 or coalesce(ended_at, now()) > $2 as clipped
                from waygate.trip_report
                where assigned_at < $2 and (ended_at > $1 or ended_at is null) and \(vehicle)
                order by assigned_at, vehicle_id
                """
        case .stops:
            return
                "select * from waygate.stops_between($1, $2) where \(both) order by vehicle_id, began_at"
        case .drives:
            return
                "select * from waygate.drives_between($1, $2) where \(vehicle) order by vehicle_id, began_at"
        case .visits:
            return
                "select * from waygate.visits_between($1, $2) where \(both) order by entered_at, vehicle_id"
        case .speedings:
            return
                "select * from waygate.speedings_between($1, $2) where \(both) order by began_at, vehicle_id"
        case .days:
            return
                "select * from waygate.vehicle_days($1, $2, $5) where \(vehicle) order by vehicle_id, day"
        case .vehicles:
            return """
                select vehicle_id, count(*)::integer as days, min(first_move) as first_move,
                    max(last_move) as last_move, sum(distance_m) as distance_m, sum(moving_s) as moving_s,
                    sum(stopped_s) as stopped_s, sum(idle_s) as idle_s, max(top_speed_mps) as top_speed_mps,
                    sum(speeding_s) as speeding_s, sum(silent_s) as silent_s
                from waygate.vehicle_days($1, $2, $5) where \(vehicle) group by vehicle_id order by vehicle_id
                """
        case .places:
            return """
                select place_id, name, category, (count(*) filter (where not passed))::integer as visits,
                    (count(*) filter (where passed))::integer as passes,
                    count(distinct vehicle_id)::integer as vehicles, sum(inside_s) as inside_s,
                    max(inside_s) as longest_s, sum(stopped_s) as stopped_s
                from waygate.visits_between($1, $2) where \(both)
                group by place_id, name, category order by place_id
                """
        }
    }

    fileprivate var statement: Statement {
        Statement("select row_to_json(r)::text from (\(sql)) r", parameters)
    }

    /// $1 to $5 of every statement.
    var parameters: [Parameter] {
        [
            .time(from), .time(to), .nullableText(vehicleID), .nullableText(placeID),
            .text(zone),
        ]
    }
}

extension StoreConnection {
    /// Reads a report, each row as a JSON object with the columns in their order; times have the zone's offset.
    ///
    /// Rows are handed over as they come; memory holds one at a time.
    package func report(
        _ query: ReportQuery, _ handle: (String) -> Void
    ) throws(StoreError) {
        try reading { () throws(StoreError) in
            _ = try postgres.run(
                """
                select set_config('TimeZone', $1, true), set_config('jit', 'off', true)
                """, [.text(query.zone)])
            try postgres.stream(query.statement) { row in handle(row.text(0, 0) ?? "{}") }
        }
    }

    /// Reads the first rows of a report, as above, each statement within the settings' time.
    ///
    /// - Throws: A `StoreError` that `tookTooLong` when it needs more time.
    package func report(
        _ query: ReportQuery, atMost rows: Int, _ handle: (String) -> Void
    ) throws(StoreError) {
        try briefly(query.statement, atMost: rows, zone: query.zone, handle)
    }

    /// Reads a vehicle's first fixes of a window in order of their times, each within the settings' time: a JSON array of
    /// milliseconds since 1970, latitude, longitude, speed, course, accuracy, and whether it was tracked.
    ///
    /// - Throws: A `StoreError` that `tookTooLong` when it needs more time.
    package func track(
        of vehicleID: String, from: Microseconds, to: Microseconds, atMost rows: Int,
        _ handle: (String) -> Void
    ) throws(StoreError) {
        let track = Statement(
            """
            select json_build_array((date_part('epoch', fix_time) * 1000)::bigint, lat, lon, speed_mps,
                course_deg, accuracy_m, tracked)::text
            from waygate.positions
            where vehicle_id = $1 and fix_time >= $2 and fix_time < $3
            order by fix_time
            """, [.text(vehicleID), .time(from), .time(to)])
        try briefly(track, atMost: rows, zone: "UTC", handle)
    }

    private func briefly(
        _ statement: Statement, atMost rows: Int, zone: String, _ handle: (String) -> Void
    ) throws(StoreError) {
        var limited = statement
        limited.sql += " limit \(rows)"
        try transaction("isolation level repeatable read read only") { () throws(StoreError) in
            try postgres.run(
                "select set_config('TimeZone', $1, true), set_config('jit', 'off', true)",
                [.text(zone)])
            try postgres.stream(limited) { row in handle(row.text(0, 0) ?? "null") }
        }
    }
}

extension StoreError {
    /// Whether the server gave a statement up since it took longer than it may.
    package var tookTooLong: Bool { sqlState == "57014" }
}
