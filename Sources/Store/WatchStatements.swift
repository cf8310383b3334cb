// The statements for places and for what happened outside of trips.
extension StoreBatch {
    /// Returns the statements that write places, visits, speedings, stops and drives.
    func watchStatements() throws(StoreError) -> [Statement] {
        try placeStatements() + placeCommandStatements() + visitStatements() + speedingStatements()
            + stopStatements()
            + driveStatements()
    }

    private func placeStatements() throws(StoreError) -> [Statement] {
        guard !places.isEmpty else { return [] }
        return [
            Statement(
                """
                insert into waygate.places (place_id, revision, name, category, level, parent,
                    definition, area, area_m2, put_at, deleted_at, closed_since)
                select * from unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
                on conflict (place_id) do update set revision = excluded.revision,
                    name = excluded.name, category = excluded.category, level = excluded.level,
                    parent = excluded.parent, definition = excluded.definition,
                    area = excluded.area, area_m2 = excluded.area_m2, put_at = excluded.put_at,
                    deleted_at = excluded.deleted_at, closed_since = excluded.closed_since
                """,
                [
                    try .texts(places) { $0.placeID }, try .integers(places) { $0.revision },
                    try .texts(places) { $0.name }, try .texts(places) { $0.category },
                    try .texts(places) { $0.level }, try .texts(places) { $0.parent },
                    try .jsons(places) { $0.definition }, try .jsons(places) { $0.area },
                    try .doubles(places) { $0.squareMetres }, try .times(places) { $0.putAt },
                    try .times(places) { $0.deletedAt }, try .times(places) { $0.closedSince },
                ])
        ]
    }

    private func placeCommandStatements() throws(StoreError) -> [Statement] {
        guard !placeCommands.isEmpty else { return [] }
        return [
            Statement(
                """
                insert into waygate.place_commands (place_id, command_id, name, received_at, outcome,
                    reason)
                select * from unnest($1, $2, $3, $4, $5, $6)
                """,
                [
                    try .texts(placeCommands) { $0.placeID },
                    try .texts(placeCommands) { $0.commandID },
                    try .texts(placeCommands) { $0.name },
                    try .times(placeCommands) { $0.receivedAt },
                    try .texts(placeCommands) { $0.reason == nil ? "done" : "rejected" },
                    try .texts(placeCommands) { $0.reason },
                ])
        ]
    }

    private func visitStatements() throws(StoreError) -> [Statement] {
        var statements: [Statement] = []
        let begun = visits.filter { $0.beginning != nil }
        if !begun.isEmpty { statements.append(try Self.insertVisits(begun)) }
        let ended = visits.filter { $0.beginning == nil }
        if !ended.isEmpty { statements.append(try Self.endVisits(ended)) }
        return statements
    }

    /// A visit that begins in the very moment of one that is over takes its row over.
    private static func insertVisits(_ rows: [VisitRow]) throws(StoreError) -> Statement {
        Statement(
            """
            insert into waygate.visits (vehicle_id, place_id, entered_at, left_at, crossed_out_at,
                left_by, distance_m, top_speed_mps, crossed_in_at, entered_by, passed, trip_id,
                place_revision)
            select * from unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
            on conflict (vehicle_id, place_id, entered_at) do update set
                left_at = excluded.left_at, crossed_out_at = excluded.crossed_out_at,
                left_by = excluded.left_by, distance_m = excluded.distance_m,
                top_speed_mps = excluded.top_speed_mps, passed = excluded.passed,
                place_revision = excluded.place_revision
            """,
            try endColumns(rows) + [
                try .times(rows) { $0.beginning?.crossedInAt },
                try .texts(rows) { $0.beginning?.enteredBy },
                try .booleans(rows) { $0.beginning?.passed ?? false },
                try .texts(rows) { $0.beginning?.tripID },
                try .integers(rows) { $0.beginning?.placeRevision },
            ])
    }

    private static func endVisits(_ rows: [VisitRow]) throws(StoreError) -> Statement {
        Statement(
            """
            update waygate.visits v set left_at = n.left_at, crossed_out_at = n.crossed_out_at,
                left_by = n.left_by, distance_m = n.distance_m, top_speed_mps = n.top_speed_mps
            from unnest($1, $2, $3, $4, $5, $6, $7, $8) as n (vehicle_id, place_id, entered_at,
                left_at, crossed_out_at, left_by, distance_m, top_speed_mps)
            where v.vehicle_id = n.vehicle_id and v.place_id = n.place_id
                and v.entered_at = n.entered_at
            """, try endColumns(rows))
    }

    private static func endColumns(_ rows: [VisitRow]) throws(StoreError) -> [Parameter] {
        [
            try .texts(rows) { $0.vehicleID }, try .texts(rows) { $0.placeID },
            try .times(rows) { $0.enteredAt }, try .times(rows) { $0.leftAt },
            try .times(rows) { $0.crossedOutAt }, try .texts(rows) { $0.leftBy },
            try .doubles(rows) { $0.distance }, try .doubles(rows) { $0.topSpeed },
        ]
    }

    private func speedingStatements() throws(StoreError) -> [Statement] {
        guard !speedings.isEmpty else { return [] }
        return [
            Statement(
                """
                insert into waygate.speedings (vehicle_id, began_at, ended_at, limit_mps, limit_from,
                    basis, place_id, trip_id, top_speed_mps, top_excess_mps, distance_m, top_lat,
                    top_lon)
                select * from unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
                on conflict (vehicle_id, began_at) do update set ended_at = excluded.ended_at,
                    top_speed_mps = excluded.top_speed_mps,
                    top_excess_mps = excluded.top_excess_mps, distance_m = excluded.distance_m,
                    top_lat = excluded.top_lat, top_lon = excluded.top_lon
                """,
                [
                    try .texts(speedings) { $0.vehicleID }, try .times(speedings) { $0.beganAt },
                    try .times(speedings) { $0.endedAt }, try .doubles(speedings) { $0.limit },
                    try .texts(speedings) { $0.limitFrom }, try .texts(speedings) { $0.basis },
                    try .texts(speedings) { $0.placeID }, try .texts(speedings) { $0.tripID },
                    try .doubles(speedings) { $0.topSpeed },
                    try .doubles(speedings) { $0.topExcess },
                    try .doubles(speedings) { $0.distance },
                    try .doubles(speedings) { $0.topLatitude },
                    try .doubles(speedings) { $0.topLongitude },
                ])
        ]
    }

    private func stopStatements() throws(StoreError) -> [Statement] {
        var statements: [Statement] = []
        let begun = stops.filter { $0.beginning != nil && !$0.isWithdrawn }
        if !begun.isEmpty { statements.append(try Self.insertStops(begun)) }
        let ended = stops.filter { $0.beginning == nil && !$0.isWithdrawn }
        if !ended.isEmpty { statements.append(try Self.endStops(ended)) }
        let withdrawn = stops.filter(\.isWithdrawn)
        if !withdrawn.isEmpty { statements.append(try Self.removeStops(withdrawn)) }
        return statements
    }

    private static func insertStops(_ rows: [StopRow]) throws(StoreError) -> Statement {
        Statement(
            """
            insert into waygate.stops (vehicle_id, began_at, ended_at, idle_s, lat, lon, place_id,
                waypoint_index, trip_id, planned)
            select vehicle_id, began_at, ended_at, idle_s, lat, lon, place_id, waypoint_index,
                trip_id, planned = 1
            from unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) as n (vehicle_id, began_at,
                ended_at, idle_s, lat, lon, place_id, waypoint_index, trip_id, planned)
            on conflict (vehicle_id, began_at) do update set ended_at = excluded.ended_at,
                idle_s = excluded.idle_s
            """,
            try stopColumns(rows) + [
                try .doubles(rows) { $0.beginning?.latitude },
                try .doubles(rows) { $0.beginning?.longitude },
                try .texts(rows) { $0.beginning?.placeID },
                try .integers(rows) { $0.beginning?.waypointIndex },
                try .texts(rows) { $0.beginning?.tripID },
                try .integers(rows) { $0.beginning?.planned.map { $0 ? 1 : 0 } },
            ])
    }

    private static func endStops(_ rows: [StopRow]) throws(StoreError) -> Statement {
        Statement(
            """
            update waygate.stops s set ended_at = n.ended_at, idle_s = n.idle_s
            from unnest($1, $2, $3, $4) as n (vehicle_id, began_at, ended_at, idle_s)
            where s.vehicle_id = n.vehicle_id and s.began_at = n.began_at
            """, try stopColumns(rows))
    }

    private static func removeStops(_ rows: [StopRow]) throws(StoreError) -> Statement {
        Statement(
            """
            delete from waygate.stops s using unnest($1, $2) as n (vehicle_id, began_at)
            where s.vehicle_id = n.vehicle_id and s.began_at = n.began_at
            """, [try .texts(rows) { $0.vehicleID }, try .times(rows) { $0.beganAt }])
    }

    private static func stopColumns(_ rows: [StopRow]) throws(StoreError) -> [Parameter] {
        [
            try .texts(rows) { $0.vehicleID }, try .times(rows) { $0.beganAt },
            try .times(rows) { $0.endedAt }, try .doubles(rows) { $0.idle },
        ]
    }

    private func driveStatements() throws(StoreError) -> [Statement] {
        guard !drives.isEmpty else { return [] }
        return [
            Statement(
                """
                insert into waygate.drives (vehicle_id, began_at, ended_at, distance_m,
                    top_speed_mps, trip_id, estimated, start_lat, start_lon, end_lat, end_lon, fixes)
                select * from unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
                on conflict (vehicle_id, began_at) do update set ended_at = excluded.ended_at,
                    distance_m = excluded.distance_m, top_speed_mps = excluded.top_speed_mps,
                    end_lat = excluded.end_lat, end_lon = excluded.end_lon, fixes = excluded.fixes
                """,
                [
                    try .texts(drives) { $0.vehicleID }, try .times(drives) { $0.beganAt },
                    try .times(drives) { $0.endedAt }, try .doubles(drives) { $0.distance },
                    try .doubles(drives) { $0.topSpeed }, try .texts(drives) { $0.tripID },
                    try .booleans(drives) { $0.estimated },
                    try .doubles(drives) { $0.startLatitude },
                    try .doubles(drives) { $0.startLongitude },
                    try .doubles(drives) { $0.endLatitude },
                    try .doubles(drives) { $0.endLongitude }, try .integers(drives) { $0.fixes },
                ])
        ]
    }
}

// An upsert takes each key once, and a row that begins and ends in one transaction is written once.
extension StoreBatch {
    /// Merges the rows of one place, visit, speeding, stop or drive into one.
    mutating func mergeWatchRows() {
        places = Self.last(places) { $0.placeID }
        visits = Self.last(visits) {
            VisitKey($0)
        } merge: { earlier, later in
            later.beginning = later.beginning ?? earlier.beginning
        }
        speedings = Self.last(speedings) { EpisodeKey($0.vehicleID, $0.beganAt) }
        stops = Self.last(stops) {
            EpisodeKey($0.vehicleID, $0.beganAt)
        } merge: { earlier, later in
            later.beginning = later.beginning ?? earlier.beginning
        }
        drives = Self.last(drives) {
            EpisodeKey($0.vehicleID, $0.beganAt)
        } merge: {
            earlier, later in
            later.tripID = earlier.tripID
        }
    }

    private struct VisitKey: Hashable {
        var vehicleID: String
        var placeID: String
        var enteredAt: Microseconds

        init(_ row: VisitRow) {
            vehicleID = row.vehicleID
            placeID = row.placeID
            enteredAt = row.enteredAt
        }
    }

    private struct EpisodeKey: Hashable {
        var vehicleID: String
        var beganAt: Microseconds

        init(_ vehicleID: String, _ beganAt: Microseconds) {
            self.vehicleID = vehicleID
            self.beganAt = beganAt
        }
    }
}
