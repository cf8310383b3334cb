/// What a recount of visits reads and asks.
extension StoreConnection {
    /// Returns the vehicles that there are, in order.
    package func vehicleIDs() throws(StoreError) -> [String] {
        let found = try postgres.run(
            "select vehicle_id from waygate.vehicles order by vehicle_id")
        return (0..<found.rows).compactMap { found.text($0, 0) }
    }

    /// Returns the places in force: a JSON object of their ids with what was put.
    package func placesInForce() throws(StoreError) -> String {
        let found = try postgres.run(
            """
            select coalesce(json_object_agg(place_id, definition), '{}')::text
            from waygate.places where deleted_at is null
            """)
        return found.text(0, 0) ?? "{}"
    }

    /// Returns where a recount begins so that a vehicle's state at a moment is right: a day earlier, or with the visit that
    /// the tables have under way then.
    package func recountStart(
        of vehicleID: String, at moment: Microseconds
    ) throws(StoreError) -> Microseconds {
        let day = moment - 86_400_000_000
        let found = try postgres.run(
            """
            select min(entered_at) from waygate.visits
            where vehicle_id = $1 and entered_at < $2 and (left_at > $2 or left_at is null)
            """, [.text(vehicleID), .time(moment)])
        return min(found.time(0, 0) ?? day, day)
    }

    /// Reads the report of visits for rows that are not in the tables.
    ///
    /// - Parameter rows: What a replay ends with: `{"rows":{"visits":[…],"stops":[…]}}`, all of one vehicle.
    package func report(
        _ query: ReportQuery, ofRecounted rows: String, _ handle: (String) -> Void
    ) throws(StoreError) {
        let statement = Statement(
            """
            with tables as (
                select $6::json -> 'rows' as tables
            ), visits as (
                select r.* from tables,
                    json_populate_recordset(null::waygate.visits, tables -> 'visits') r
            ), stops as (
                select r.* from tables,
                    json_populate_recordset(null::waygate.stops, tables -> 'stops') r
            ), found as (
                select v.place_id, coalesce(p.name, v.place_id) as name, p.category, v.vehicle_id,
                    greatest(v.entered_at, $1) as entered_at,
                    case when v.left_at is not null or now() > $2 then least(v.left_at, $2) end as left_at,
                    waygate.overlap_s(v.entered_at, coalesce(v.left_at, now()), $1, least($2, now()))
                        as inside_s,
                    v.crossed_in_at, v.crossed_out_at, v.entered_by, v.left_by, v.passed,
                    (select t.trip_id from waygate.positions t
                    where t.vehicle_id = v.vehicle_id and t.fix_time = v.entered_at
                    limit 1) as trip_id,
                    (select coalesce(sum(waygate.overlap_s(
                        s.began_at, coalesce(s.ended_at, now()), greatest(v.entered_at, $1),
                        least(coalesce(v.left_at, now()), $2))), 0) from stops s) as stopped_s,
                    v.distance_m, v.top_speed_mps, v.left_at is null as under_way,
                    v.entered_at < $1 or coalesce(v.left_at, now()) > $2 as clipped
                from visits v
                left join waygate.places p using (place_id)
                where v.entered_at < $2
                    and (v.left_at > $1 or v.left_at is null or v.entered_at >= $1)
                    and ($3::text is null or v.vehicle_id = $3)
                    and ($4::text is null or v.place_id = $4)
                order by v.entered_at, v.place_id
            )
            select row_to_json(f)::text from found f
            """, query.parameters + [.text(rows)])
        try reading { () throws(StoreError) in
            try postgres.run("select set_config('TimeZone', $1, true)", [.text(query.zone)])
            try postgres.stream(statement) { row in handle(row.text(0, 0) ?? "{}") }
        }
    }
}
