extension StoreConnection {
    /// Returns the rights that the user lacks and a worker needs, each as "insert on positions"; empty
    /// when it has them all.
    ///
    /// Without it a right that is missing would be noticed at the first row that needs it.
    package func missingRights() throws(StoreError) -> [String] {
        let rows = try postgres.run(
            """
            select right_name || ' on ' || object from (values
                \(Self.tableRights.map { "('\($0)', '\($1)')" }.joined(separator: ", "))
            ) as needed (object, right_name)
            where not has_table_privilege('waygate.' || object, right_name)
            union all
            select 'execute on ' || object from (values
                ('make_positions_days(date[])'), ('drop_positions_day(date)')
            ) as needed (object)
            where not has_function_privilege('waygate.' || object, 'execute')
            order by 1
            """)
        return (0..<rows.rows).compactMap { rows.text($0, 0) }
    }

    /// What sql/roles.sql grants, but for the one column of `trip_events` and `alarms` that is updated.
    private static let tableRights: [(table: String, right: String)] = [
        ("checkpoints", "select insert update"), ("vehicles", "select insert update"),
        ("used_trip_ids", "select insert update delete"), ("positions", "select insert"),
        ("trips", "select insert update delete"), ("trip_waypoints", "select insert update delete"),
        ("trip_progress", "select insert update delete"), ("trip_events", "select insert delete"),
        ("commands", "select insert delete"), ("rejected_messages", "select insert delete"),
        ("place_commands", "select insert delete"),
        ("places", "select insert update delete"), ("visits", "select insert update delete"),
        ("speedings", "select insert update delete"), ("stops", "select insert update delete"),
        ("drives", "select insert update delete"), ("alarms", "select insert delete"),
    ].flatMap { table, rights in rights.split(separator: " ").map { (table, String($0)) } }
}
