import Foundation
import Store
import Testing

/// Two days of one vehicle in Vienna: the clocks go back in the first night, so that 25 October 2026 has 25 hours.
///
/// It stands from 24 October 12:00 UTC on, drives 40 km from 25 October 22:30 to 23:30 UTC, over midnight (23:00 UTC), 30 km of it
/// before, and stands again; all the while on trip `t`, with a visit to the place `yard` that goes on.
@Suite(.timeLimit(.minutes(5))) struct ReportTests {
    private static let made = Result {
        let database = try SharedServer.migrated()
        try database.psql(
            """
            select waygate.make_positions_days(array[date '2026-10-25']);
            insert into waygate.vehicles (vehicle_id, fix_time, updated_at)
            values ('v', '2026-10-26 02:00Z', now()), ('open', '2026-10-25 12:10Z', now());
            insert into waygate.stops (vehicle_id, began_at, ended_at, lat, lon, idle_s) values
                ('v', '2026-10-24 12:00Z', '2026-10-25 22:30Z', 47, 9, 345.0),
                ('v', '2026-10-25 23:30Z', null, 47, 9.5, null);
            insert into waygate.drives (vehicle_id, began_at, ended_at, distance_m, top_speed_mps, start_lat,
                start_lon, end_lat, end_lon, fixes, estimated, trip_id) values
                ('v', '2026-10-25 22:30Z', '2026-10-25 23:30Z', 40000, 25, 47, 9, 47, 9.5, 5, false, 't'),
                ('open', '2026-10-25 12:00Z', null, 0, null, 47, 9, null, null, 1, false, null);
            insert into waygate.positions (vehicle_id, fix_time, received_at, lat, lon, speed_mps, tracked)
            select 'v', '2026-10-25 22:30Z'::timestamptz + i * interval '15 min', now(), 47,
                9 + (array[0, 2, 3, 3.5, 4])[i + 1] * 0.1, (array[0, 25, 10, 10, 5])[i + 1], true
            from generate_series(0, 4) i;
            insert into waygate.positions (vehicle_id, fix_time, received_at, lat, lon, speed_mps, tracked) values
                ('open', '2026-10-25 12:00Z', now(), 47, 9, 10, false),
                ('open', '2026-10-25 12:10Z', now(), 47.1, 9, 12, false);
            insert into waygate.trips (vehicle_id, trip_id, state, assigned_at, ended_at, route_revision, options,
                packed_assignment)
            values ('v', 't', 'arrived', '2026-10-25 22:00Z', '2026-10-25 23:40Z', 2, '{}', '');
            insert into waygate.trip_progress (vehicle_id, trip_id, state, travelled_distance_m, remaining_waypoints,
                waiting_at_waypoint, route_revision, updated_at, packed_state, first_eta)
            values ('v', 't', 'arrived', 39000, 0, false, 2, now(), '', '2026-10-25 23:30Z');
            insert into waygate.trip_waypoints (vehicle_id, trip_id, waypoint_index, lat, lon, status, reached_at,
                resumed_at) values
                ('v', 't', 0, 47, 9, 'visited', '2026-10-25 22:50Z', '2026-10-25 22:55Z'),
                ('v', 't', 1, 47, 9, 'skipped', null, null);
            insert into waygate.trip_events (event_id, occurred_at, sequence, trip_id, vehicle_id, type, body) values
                (gen_random_uuid(), now(), 1, 't', 'v', 'trip_assigned', '{"remaining_distance_m": null}'),
                (gen_random_uuid(), now(), 2, 't', 'v', 'rerouted', '{"length_m": 38000}'),
                (gen_random_uuid(), now(), 3, 't', 'v', 'will_reroute', '{"reason": "deviation"}'),
                (gen_random_uuid(), now(), 4, 't', 'v', 'rerouted', '{"length_m": 41000}'),
                (gen_random_uuid(), now(), 5, 't', 'v', 'hold_breached', '{}');
            insert into waygate.places (place_id, revision, area_m2, put_at, name, definition, area)
            values ('yard', 1, 1, now(), 'Yard', '{}', '{}');
            insert into waygate.visits (vehicle_id, place_id, entered_at, left_at, place_revision, passed, entered_by)
            values ('v', 'yard', '2026-10-25 22:15Z', '2026-10-25 22:45Z', 1, false, 'moved'),
                ('v', 'yard', '2026-10-25 23:35Z', null, 1, false, 'moved'),
                ('v', 'yard', '2026-10-25 23:10Z', '2026-10-25 23:10Z', 1, true, 'moved');
            insert into waygate.speedings (vehicle_id, began_at, ended_at, limit_mps, limit_from, top_speed_mps,
                top_excess_mps, basis, top_lat, top_lon)
            values ('v', '2026-10-25 22:58Z', '2026-10-25 23:02Z', 20, 'trip', 25, 5, 'reported', 47, 9);
            """)
        return database
    }

    private static func rows(_ columns: String, _ source: String) throws -> [String] {
        try made.get().psql("select \(columns) from \(source)").split(separator: "\n").map(
            String.init)
    }

    /// Both days as Vienna has them, and nothing of the days after.
    private static let days = """
        waygate.vehicle_days('2026-10-25 00:00+02', '2026-10-27 00:00+01', 'Europe/Vienna')
        where vehicle_id = 'v' order by day
        """

    @Test func aDriveOverMidnightIsSplitByItsPositions() throws {
        // 3 of the 4 tenths of a degree are driven before midnight.
        #expect(
            try Self.rows("day, round(distance_m), moving_s, stops, top_speed_mps", Self.days) == [
                "2026-10-25|30000|1800|1|25", "2026-10-26|10000|1800|1|10",
            ])
    }

    @Test func drivesAndStopsCoverTheDayAlsoWhereItHasAnHourMore() throws {
        #expect(
            try Self.rows("day, moving_s + stopped_s, silent_s, trips", Self.days) == [
                "2026-10-25|90000|0|1", "2026-10-26|86400|0|1",
            ])
    }

    @Test func speedingsAreSharedByTheDays() throws {
        #expect(
            try Self.rows("speedings, speeding_s", Self.days) == ["1|120", "1|120"])
    }

    @Test func standingDrivesNothing() throws {
        let night = """
            waygate.vehicle_days('2026-10-24 22:00Z', '2026-10-25 10:00Z', 'Europe/Vienna') where vehicle_id = 'v'
            """
        // 345 s of 34.5 h with the ignition on are 10 s an hour.
        #expect(
            try Self.rows("day, distance_m, stopped_s, idle_s, first_move is null", night) == [
                "2026-10-25|0|43200|120|t"
            ])
    }

    @Test(arguments: [
        "'2026-10-25 00:00Z', '2026-10-26 00:00Z'", "'2026-10-25 22:50Z', '2026-10-25 22:51Z'",
    ])
    func aTripHasTheSameNumbersInEveryWindow(_ window: String) throws {
        let bounds = window.split(separator: ",")
        let found = try Self.rows(
            """
            began_at at time zone 'UTC', duration_s, moving_s, stopped_s, held_s, planned_m, driven_m, along_m,
            via_points, reached, skipped, reroutes, deviations, holds_breached, speedings, speeding_s, late_s
            """,
            """
            waygate.trip_report where assigned_at < \(bounds[1])::timestamptz and ended_at > \(bounds[0])::timestamptz
            """)
        #expect(
            found == [
                "2026-10-25 22:30:00|4200|3600|2400|300|38000|40000|39000|2|1|1|2|1|1|1|240|600"
            ])
    }

    @Test func windowsClipAndSaySo() throws {
        let window = "('2026-10-25 22:40Z', '2026-10-25 23:00Z') where vehicle_id = 'v'"
        #expect(
            try Self.rows(
                "began_at at time zone 'UTC', ended_at at time zone 'UTC', round(distance_m), duration_s, clipped",
                "waygate.drives_between\(window)")
                // A third of the first quarter of an hour is left out: 20 km × 1/3 + 10 km.
                == ["2026-10-25 22:40:00|2026-10-25 23:00:00|16667|1200|t"])
        #expect(
            try Self.rows("inside_s, stopped_s, clipped", "waygate.visits_between\(window)") == [
                "300|0|t"
            ])
        #expect(
            try Self.rows("duration_s, clipped", "waygate.speedings_between\(window)") == ["120|t"])
        #expect(try Self.rows("count(*)", "waygate.stops_between\(window)") == ["0"])
    }

    @Test func whatGoesOnCountsUntilItWasHeardOf() throws {
        let window = "('2026-10-25 00:00Z', '2026-10-26 00:00Z') where vehicle_id = 'open'"
        #expect(
            try Self.rows(
                "trunc(distance_m), duration_s, ended_at is null, under_way, clipped, top_speed_mps",
                "waygate.drives_between\(window)") == ["11119|600|t|t|f|12"])
        // The stop and the visit go on, so that the window clips them.
        #expect(
            try Self.rows(
                "duration_s, ended_at is null, under_way, clipped",
                """
                waygate.stops_between('2026-10-25 23:00Z', '2026-10-26 00:30Z') where vehicle_id = 'v'
                """) == ["3600|f|t|t"])
    }

    @Test func placesCountTheirVisitsByDay() throws {
        #expect(
            try Self.rows(
                "day, name, visits, passes, vehicles, inside_s, longest_s",
                """
                waygate.place_days('2026-10-25 00:00+02', '2026-10-26 01:35+01', 'Europe/Vienna') order by day
                """) == [
                    "2026-10-25|Yard|1|0|1|1800|1800", "2026-10-26|Yard|1|1|1|3600|3600",
                ])
    }

    @Test(arguments: [
        "trip_report", "visit_report", "stop_report", "drive_report", "speeding_report",
    ])
    func viewsHaveEverything(_ view: String) throws {
        let count =
            ["trip_report": 1, "visit_report": 3, "stop_report": 2, "drive_report": 2][view] ?? 1
        #expect(try Self.rows("count(*)", "waygate.\(view)") == ["\(count)"])
    }

    @Test func theFirstTimeOfArrivalIsKept() throws {
        let database = try SharedServer.migrated()
        let store = try database.owner()
        for (position, eta) in [nil, now + day, now + 2 * day, nil].enumerated() {
            let from = Int64(position)
            var batch = StoreBatch(spoolID: "s1", from: from, to: from + 1, published: 0)
            batch.trips = position == 0 ? [.made("t1")] : []
            batch.progress = [.of("t1")]
            batch.progress[0].eta = eta
            try store.commit(batch)
        }
        let kept = try database.psql(
            "select (date_part('epoch', first_eta) * 1e6)::bigint, eta from waygate.trip_progress")
        #expect(kept == "\(now + day)|")
    }

    @Test(arguments: ReportName.allCases) func everyReportIsReadRowByRow(_ name: ReportName) throws
    {
        let day = 86_400_000_000 as Int64
        let from = 1_792_886_400_000_000 as Int64  // 2026-10-25T00:00Z
        let query = ReportQuery(
            name: name, from: from, to: from + 2 * day, zone: "Europe/Vienna", vehicleID: "v")
        var rows: [String] = []
        try StoreConnection(Self.made.get().settings).report(query) { rows.append($0) }
        let counts: [ReportName: Int] = [.stops: 2, .visits: 3, .days: 3]
        #expect(rows.count == counts[name] ?? 1, "\(rows)")
        #expect(rows.allSatisfy { $0.hasPrefix("{") })
        if name == .drives {
            #expect(rows[0].contains(#""began_at":"2026-10-25T23:30:00+01:00""#))
        }
    }

    @Test func anAnswerHasNoMoreRowsThanItMay() throws {
        let from = 1_792_886_400_000_000 as Int64  // 2026-10-25T00:00Z
        let query = ReportQuery(
            name: .visits, from: from, to: from + 2 * 86_400_000_000, zone: "Europe/Vienna")
        let connection = try StoreConnection(Self.made.get().settings)
        var rows: [String] = []
        try connection.report(query, atMost: 2) { rows.append($0) }
        #expect(rows.count == 2)
        #expect(rows[0].contains(#""entered_at":"2026-10-25T23:15:00+01:00""#))
        var fixes: [String] = []
        try connection.track(of: "v", from: query.from, to: query.to, atMost: 2) {
            fixes.append($0)
        }
        #expect(
            fixes == [
                "[1792967400000, 47, 9, 0, null, null, true]",
                "[1792968300000, 47, 9.2, 25, null, null, true]",
            ])
    }

    @Test func whatTakesTooLongIsGivenUp() throws {
        let database = try SharedServer.migrated()
        try database.psql(
            """
            drop function waygate.stops_between cascade;
            create function waygate.stops_between("from" timestamptz, "to" timestamptz)
            returns setof waygate.stops language plpgsql as
            $$ begin perform pg_sleep(30); return; end $$
            """)
        var settings = database.settings
        settings.statementTimeout = 0.2
        let connection = try StoreConnection(settings)
        let error = failure {
            try connection.report(ReportQuery(name: .stops, from: 0, to: 1), atMost: 1) { _ in }
        }
        #expect(error?.tookTooLong == true)
        // The connection is of use all the same.
        try connection.report(ReportQuery(name: .drives, from: 0, to: 1), atMost: 1) { _ in }
    }
}
