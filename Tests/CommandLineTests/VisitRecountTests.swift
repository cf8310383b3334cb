import Store
import TestServers
import Testing

/// A truck whose radio was out while it stood in the yard: two positions came after it had left.
@Suite("waygate report visits --recompute", .timeLimit(.minutes(2))) struct VisitRecountTests {
    private static let made = Result {
        let server = try PostgresServer()
        let database = try server.makeDatabase()
        let uri = server.uri(database: database)
        _ = try Migrator.migrate(StoreSettings(connection: uri))
        _ = try server.psql(
            """
            select waygate.make_positions_days(array[date '2026-10-25']);
            insert into waygate.vehicles (vehicle_id, fix_time, updated_at)
            values ('truck', '2026-10-25 12:04Z', now()), ('other', '2026-10-25 12:00Z', now());
            insert into waygate.places (place_id, revision, area_m2, put_at, name, category, definition, area)
            values ('yard', 1, 1, now(), 'Yard', 'depot',
                '{"name": "Yard", "geometry": {"circle": {"center": {"lat": 47.1, "lon": 9.52}, "radius_m": 120}}}',
                '{}');
            insert into waygate.positions (vehicle_id, fix_time, received_at, lat, lon, trip_id, tracked)
            select 'truck', '2026-10-25 12:00Z'::timestamptz + i * interval '1 min',
                '2026-10-25 12:00Z'::timestamptz
                    + case when i in (1, 2) then interval '2 h' else i * interval '1 min' end,
                47.1, (array[9.5, 9.52, 9.5201, 9.54])[i + 1], 't', i not in (1, 2)
            from generate_series(0, 3) i;
            """, database: database)
        return (server: server, uri: uri)
    }

    private func report(_ words: String...) throws -> ToolResult {
        try Tool(
            ["report", "visits", "--from", "2026-10-25", "--to", "2026-10-26"] + words,
            environment: ["WAYGATE_DATABASE_URL": try Self.made.get().uri]
        ).finish()
    }

    @Test func whatCameLateIsJudgedInItsPlace() throws {
        #expect(try report("--format", "csv").output == "")
        let found = try report("--recompute", "--format", "json", "--tz", "Europe/Vienna")
        #expect(found.errors == "" && found.status == 0)
        #expect(found.output.split(separator: "\n").count == 1, "\(found.output)")
        for member in [
            #""place_id":"yard","name":"Yard","category":"depot","vehicle_id":"truck""#,
            #""entered_at":"2026-10-25T13:01:00+01:00","left_at":"2026-10-25T13:03:00+01:00""#,
            #""inside_s":120"#, #""passed":false,"trip_id":"t""#,
            #""under_way":false,"clipped":false"#,
        ] {
            #expect(found.output.contains(member), "\(found.output)")
        }
    }

    @Test func aWindowClipsItAndOthersHaveNone() throws {
        let clipped = try report(
            "--recompute", "--format", "json", "--vehicle", "truck", "--place", "yard")
        #expect(clipped.output.contains(#""inside_s":120"#))
        #expect(
            try report("--recompute", "--vehicle", "other").output == "nothing in this window\n")
        #expect(try report("--recompute", "--place", "depot").output == "nothing in this window\n")
    }

    @Test func placesOfAFileTakeTheirStead() throws {
        let places =
            #"{"gate":{"geometry":{"circle":{"center":{"lat":47.1,"lon":9.54},"radius_m":90}}}}"#
        let found = try Tool(
            [
                "report", "visits", "--from", "2026-10-25T12:03:30Z", "--to", "2026-10-26",
                "--recompute",
                "--places", "-", "--format", "json",
            ], environment: ["WAYGATE_DATABASE_URL": try Self.made.get().uri], input: places
        ).finish()
        #expect(found.errors == "")
        for member in [
            #""name":"gate","category":null"#, #""entered_at":"2026-10-25T12:03:30+00:00","#,
            #""clipped":true"#,
        ] {
            #expect(found.output.contains(member), "\(found.output)")
        }
    }

    @Test(arguments: [
        (["stops", "--recompute"], "--recompute is for visits, not for stops"),
        (["visits", "--places", "x"], "--places needs --recompute"),
    ])
    func refuses(_ words: [String], _ message: String) throws {
        let result = try Tool(["report"] + words + ["--from", "2026-10-25"]).finish()
        #expect(result.status == 2)
        #expect(result.errors.contains(message), "\(result.errors)")
    }
}
