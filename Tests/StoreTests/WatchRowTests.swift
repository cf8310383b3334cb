import Store
import Testing

/// Places, and what happened outside of trips.
struct WatchRowTests {
    private static let depot = PlaceRow(
        placeID: "depot", revision: 1, name: "Depot", category: "yard", level: "2",
        definition: #"{"name": "Depot"}"#, area: #"{"type": "Point", "coordinates": [9, 47]}"#,
        squareMetres: 45_000, putAt: now)

    private static let alarm = EventRow(
        home: .alarms, eventID: "a0000000-0000-5000-8000-000000000001", tripID: nil,
        vehicleID: "v1", placeID: "depot", sequence: 1, type: "place_entered", occurredAt: now,
        body: #"{"type": "place_entered"}"#)

    private static let told = EventRow(
        home: .alarms, eventID: "b0000000-0000-5000-8000-000000000001", tripID: nil,
        vehicleID: nil, placeID: "depot", sequence: nil, type: "place_put", occurredAt: now,
        body: #"{"type": "place_put"}"#)

    @Test func `places and alarms that the broker lacks are read back`() throws {
        let database = try SharedServer.migrated()
        try database.owner().commit(
            .moving(0, 1) {
                $0.places = [Self.depot]
                $0.events = [Self.alarm, Self.told]
            })
        let place = StoredPlace(
            placeID: "depot", revision: 1, definition: #"{"name": "Depot"}"#, putAt: now)
        #expect(
            try database.state() == [
                .place(place), .unpublishedEvent(Self.told), .unpublishedEvent(Self.alarm),
            ])
    }

    @Test func `an acknowledged alarm is not read back`() throws {
        let database = try SharedServer.migrated()
        let owner = try database.owner()
        try owner.commit(.moving(0, 1) { $0.events = [Self.alarm, Self.told] })
        try owner.commit(
            .moving(1, 2) {
                $0.acknowledged = [
                    AcknowledgedEvent(
                        home: .alarms, vehicleID: "v1", eventID: Self.alarm.eventID,
                        publishedAt: now),
                    AcknowledgedEvent(
                        home: .alarms, vehicleID: nil, eventID: Self.told.eventID,
                        publishedAt: now),
                ]
            })
        #expect(try database.state().isEmpty)
        #expect(try database.psql("select count(published_at) from waygate.alarms") == "2")
    }

    @Test func `a deleted place stays as a row, and says so`() throws {
        let database = try SharedServer.migrated()
        let owner = try database.owner()
        try owner.commit(.moving(0, 1) { $0.places = [Self.depot] })
        var deleted = Self.depot
        deleted.deletedAt = now
        try owner.commit(.moving(1, 2) { $0.places = [deleted] })
        guard case .place(let place) = try #require(database.state().first) else {
            Issue.record("no place was read back")
            return
        }
        #expect(place.isDeleted)
        #expect(try database.psql("select count(*) from waygate.places_geojson") == "0")
    }

    @Test(arguments: [true, false])
    func `a row that begins and ends is one row, in one transaction or two`(isOne: Bool) throws {
        let database = try SharedServer.migrated()
        let owner = try database.owner()
        let begun = StoreBatch.moving(0, isOne ? 2 : 1) { $0.begin() }
        let ended = StoreBatch.moving(1, 2) { $0.end() }
        if isOne {
            var both = begun
            both.end()
            try owner.commit(both)
        } else {
            try owner.commit(begun)
            try owner.commit(ended)
        }
        #expect(
            try database.psql(
                """
                select entered_by, left_by, left_at - entered_at, distance_m, top_speed_mps, passed,
                    place_revision, trip_id from waygate.visits
                """) == "moved|place_put|00:01:00|500|12|f|3|t1")
        #expect(
            try database.psql(
                """
                select lat, planned, waypoint_index, idle_s, ended_at - began_at from waygate.stops
                """) == "47|t|2|30|00:01:00")
        #expect(
            try database.psql(
                "select trip_id, distance_m, fixes, estimated, end_lat from waygate.drives")
                == "t1|900|12|f|47.2")
        #expect(
            try database.psql("select basis, top_speed_mps, distance_m from waygate.speedings")
                == "reported|40|300")
    }

    @Test func `what is over for long is removed, and what goes on is kept`() throws {
        let database = try SharedServer.migrated()
        let owner = try database.owner {
            $0.retention.alarmsDays = 1
            $0.retention.visitsDays = 1
            $0.retention.journalDays = 1
        }
        try owner.commit(
            .moving(0, 1) { batch in
                batch.begin(at: now - 9 * day)
                batch.end(at: now - 9 * day)
                batch.begin(at: now - 8 * day, vehicleID: "v2")
                batch.places = [Self.depot]
                batch.places[0].deletedAt = now - 9 * day
                var published = Self.alarm
                published.occurredAt = now - 9 * day
                published.publishedAt = now
                var waiting = Self.told
                waiting.occurredAt = now - 9 * day
                batch.events = [published, waiting]
            })
        try owner.maintain(now: now)
        for table in ["visits", "speedings", "stops", "drives"] {
            #expect(
                try database.psql("select vehicle_id from waygate.\(table)") == "v2", "\(table)")
        }
        #expect(try database.psql("select type from waygate.alarms") == "place_put")
        // The visit that goes on needs the place's name.
        #expect(try database.psql("select place_id from waygate.places") == "depot")
    }
}

extension StoreBatch {
    /// A visit, a speeding, a stop and a drive begin.
    fileprivate mutating func begin(at time: Microseconds = now, vehicleID: String = "v1") {
        visits.append(
            VisitRow(
                vehicleID: vehicleID, placeID: "depot", enteredAt: time,
                beginning: .init(enteredBy: "moved", tripID: "t1", placeRevision: 3)))
        speedings.append(.of(vehicleID, time))
        stops.append(
            StopRow(
                vehicleID: vehicleID, beganAt: time,
                beginning: .init(
                    latitude: 47, longitude: 9, waypointIndex: 2, tripID: "t1", planned: true)))
        drives.append(
            DriveRow(
                vehicleID: vehicleID, beganAt: time, distance: 0, tripID: "t1", estimated: false,
                startLatitude: 47, startLongitude: 9, fixes: 1))
    }

    /// They end a minute later.
    fileprivate mutating func end(at time: Microseconds = now) {
        let end = time + 60_000_000
        visits.append(
            VisitRow(
                vehicleID: "v1", placeID: "depot", enteredAt: time, beginning: nil, leftAt: end,
                leftBy: "place_put", distance: 500, topSpeed: 12))
        speedings.append(.of("v1", time, endedAt: end, topSpeed: 40))
        stops.append(
            StopRow(vehicleID: "v1", beganAt: time, beginning: nil, endedAt: end, idle: 30))
        drives.append(
            DriveRow(
                vehicleID: "v1", beganAt: time, endedAt: end, distance: 900, estimated: false,
                startLatitude: 47, startLongitude: 9, endLatitude: 47.2, endLongitude: 9.2,
                fixes: 12))
    }
}

extension SpeedingRow {
    fileprivate static func of(
        _ vehicleID: String, _ time: Microseconds, endedAt: Microseconds? = nil,
        topSpeed: Double = 35
    ) -> SpeedingRow {
        SpeedingRow(
            vehicleID: vehicleID, beganAt: time, endedAt: endedAt, limit: 30, limitFrom: "fleet",
            basis: "reported", topSpeed: topSpeed, topExcess: topSpeed - 30,
            distance: endedAt == nil ? nil : 300, topLatitude: 47, topLongitude: 9)
    }
}
