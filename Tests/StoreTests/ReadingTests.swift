import Foundation
import Store
import TestServers
import Testing

/// What exports and maps read.
struct ReadingTests {
    @Test func `a trip's fixes are read in order of time, and no others`() throws {
        let database = try SharedServer.migrated()
        let connection = try database.owner()
        var full = PositionRow.fix("v1", -3600, tripID: "t1")
        full.speed = 13.25
        full.course = 271.5
        full.altitude = -3
        full.level = "B2"
        full.provider = "gps"
        full.attributes = #"{"ignition": true}"#
        full.tracked = false
        let tomorrow = PositionRow.fix("v1", 80_000, tripID: "t1")
        let others = [PositionRow.fix("v1", 5), .fix("v1", 6, tripID: "t2"), .fix("v2", 7)]
        try connection.commit(
            .moving(0, 1) { batch in
                batch.trips = [.made()]
                batch.positions = [tomorrow] + others + [full]
            })
        var rows: [PositionRow] = []
        try connection.positions(ofTrip: "t1", of: "v1") { rows.append($0) }
        #expect(rows == [full, tomorrow])
        for (tripID, vehicleID) in [("nothing", "v1"), ("t1", "v2")] {
            try connection.positions(ofTrip: tripID, of: vehicleID) { _ in
                Issue.record("no such trip has a fix")
            }
        }
        #expect(connection.isAlive)
    }

    @Test func `a trip is read with its via points`() throws {
        let database = try SharedServer.migrated()
        let connection = try database.owner()
        try connection.commit(.full())
        let trip = try #require(try connection.trip("t1", of: "v1"))
        #expect(trip.vehicleID == "v1" && trip.state == "tracking" && trip.assignedAt == now)
        #expect(trip.waypoints == StoreBatch.full().waypoints)
        #expect(trip.route == #"{"type": "LineString", "coordinates": [[9.5, 47.1], [9.6, 47.2]]}"#)
        #expect(try connection.trip("t2", of: "v1") == nil)
    }

    @Test(arguments: [
        (
            "vehicles_geojson", "feature->'geometry'",
            #"{"type": "Point", "coordinates": [9.51, 47.11]}"#
        ),
        ("vehicles_geojson", "feature->'properties'->>'state'", "tracking"),
        ("routes_geojson", "feature->'geometry'->'coordinates'", "[[9.5, 47.1], [9.6, 47.2]]"),
        ("tracks_geojson", "feature->'geometry'->'coordinates'", "[[9.5, 47.1], [9.5, 47.1]]"),
        ("fleet_geojson", "collection->'features'->0->>'id'", "v1"),
        (
            "vehicles_geometry", "st_asgeojson(geom)",
            #"{"type":"Point","coordinates":[9.51,47.11]}"#
        ),
        ("routes_geometry", "st_length(geom) > 0.14", "t"),
        ("waypoints_geometry", "st_x(geom)", "9.6"),
        ("positions_geometry", "min(st_y(geom))", "47.1"),
    ])
    func `views show the fleet on a map`(view: String, expression: String, value: String) throws {
        let database = try Self.mapped.get()
        let isGeometry = view.hasSuffix("_geometry")
        guard !isGeometry || Self.hasPostGIS else { return }
        #expect(try database.psql("select \(expression) from waygate.\(view)") == value)
    }

    private static let hasPostGIS = FileManager.default.fileExists(
        atPath: "/usr/share/postgresql/15/extension/postgis.control")

    private static let mapped = Result {
        let database = try SharedServer.migrated()
        try database.owner().commit(.full())
        if hasPostGIS {
            let script = URL(filePath: #filePath)
                .appending(path: "../../../sql/optional/postgis.sql").standardized
            try database.psql(String(contentsOf: script, encoding: .utf8))
        }
        return database
    }

    @Test func `a start reads ten thousand trips a row at a time`() throws {
        let database = try SharedServer.migrated()
        try database.psql(
            """
            insert into waygate.trips (trip_id, vehicle_id, state, assigned_at, route_revision, options,
                packed_assignment, packed_route)
            select 't' || i, 'v' || i, 'tracking', now(), 1, '{}', '\\x01', decode(repeat('ab', 4000), 'hex')
            from generate_series(1, 10000) i
            """)
        var bytes = 0
        let before = Self.memory
        try StoreConnection(database.settings).loadState { item in
            if case .trip(let trip) = item { bytes += trip.route?.count ?? 0 }
        }
        #expect(bytes == 40_000_000)
        #expect(Self.memory - before < 20_000_000 || Sanitizer.isPresent)
    }

    /// Bytes of the process's memory that are in use.
    private static var memory: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * 4096
    }
}
