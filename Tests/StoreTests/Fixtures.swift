import Foundation
import Store
import TestServers

/// The server that all tests share which do not harm it; it ends with this process.
enum SharedServer {
    private static let started = Result { try PostgresServer(clients: passwordRule) }
    /// Made once, as migrating takes longer than copying a database.
    private static let template = Result {
        let database = try empty()
        _ = try Migrator.migrate(database.settings)
        return database.name
    }

    /// User `secret` must show a password; all others are trusted.
    private static let passwordRule = "host all secret 127.0.0.1/32 scram-sha-256"

    static var server: PostgresServer {
        get throws { try started.get() }
    }

    /// A new database without tables.
    static func empty() throws -> Database {
        Database(server: try server, name: try server.makeDatabase())
    }

    /// A new database with the tables in it.
    static func migrated() throws -> Database {
        let template = try template.get()
        return Database(server: try server, name: try server.makeDatabase(template: template))
    }
}

/// A database of a test's own.
struct Database {
    var server: PostgresServer
    var name: String

    /// Settings of worker "w1" as the owner of the tables.
    var settings: StoreSettings {
        StoreSettings(connection: server.uri(database: name), workerID: "w1")
    }

    /// Runs SQL with psql, past the code under test.
    @discardableResult
    func psql(_ sql: String, user: String = "postgres") throws -> String {
        try server.psql(sql, database: name, user: user)
    }

    /// Connects and claims the database.
    func owner(
        _ spoolID: String = "s1", change: (inout StoreSettings) -> Void = { _ in }
    ) throws -> StoreConnection {
        var settings = settings
        change(&settings)
        let connection = try StoreConnection(settings)
        _ = try connection.claim(spoolID: spoolID, takeOver: false)
        return connection
    }

    /// What a start would read.
    func state() throws -> [StoredItem] {
        var items: [StoredItem] = []
        try StoreConnection(settings).loadState { items.append($0) }
        return items
    }
}

/// Now, to the second.
let now = Microseconds(Date().timeIntervalSince1970) * 1_000_000
let day: Microseconds = 86_400_000_000

extension StoreBatch {
    /// A batch of spool "s1".
    static func moving(
        _ from: Int64, _ to: Int64, fill: (inout StoreBatch) -> Void = { _ in }
    ) -> StoreBatch {
        var batch = StoreBatch(spoolID: "s1", from: from, to: to, published: from)
        fill(&batch)
        return batch
    }

    /// A batch with a row for every table, about trip "t1" of vehicle "v1".
    static func full(_ from: Int64 = 0, _ to: Int64 = 10) -> StoreBatch {
        .moving(from, to) { batch in
            batch.positions = [
                .fix("v1", 0, tripID: "t1"), .fix("v1", 1, tripID: "t1"), .fix("v2"),
            ]
            batch.vehicles = [
                VehicleRow(
                    vehicleID: "v1", fixTime: now, latitude: 47.1, longitude: 9.5, speed: 3,
                    course: 4, level: "-1", tripID: "t1", updatedAt: now, alarmSequence: 7,
                    odometer: 1234.5,
                    packedWatch: [8, 9])
            ]
            batch.trips = [.made()]
            batch.progress = [.of("t1")]
            batch.waypoints = [
                WaypointRow(
                    vehicleID: "v1", tripID: "t1", index: 0, latitude: 47.2, longitude: 9.6,
                    name: "Yard", status: "pending")
            ]
            batch.events = [.numbered(1), .numbered(2)]
            batch.commands = [
                CommandRow(
                    vehicleID: "v1", commandID: "c1", name: "assign", tripID: "t1", receivedAt: now,
                    reason: nil),
                CommandRow(
                    vehicleID: "v1", commandID: "c2", name: "proceed", tripID: "t1",
                    receivedAt: now, reason: "not_held"),
            ]
            batch.rejected = [
                RejectedRow(
                    receivedAt: now, topic: "fleet/x/position", payload: [0, 255],
                    payloadBytes: 2, reason: "invalid_json", elementIndex: 3)
            ]
        }
    }
}

extension PositionRow {
    /// A fix, `second` seconds from now.
    static func fix(
        _ vehicleID: String = "v1", _ second: Int = 0, tripID: String? = nil
    ) -> PositionRow {
        PositionRow(
            vehicleID: vehicleID, fixTime: now + Microseconds(second) * 1_000_000, latitude: 47.1,
            longitude: 9.5, accuracy: 5, tripID: tripID, tracked: true, receivedAt: now)
    }
}

extension TripRow {
    /// The row of a trip that was just assigned.
    static func made(_ tripID: String = "t1", of vehicleID: String = "v1") -> TripRow {
        TripRow(
            tripID: tripID, vehicleID: vehicleID, state: "tracking", assignedAt: now,
            routeRevision: 1,
            assignment: .init(options: #"{"max_age_at_assignment_s": 300}"#, packed: [1, 2]),
            route: .init(
                geoJSON: #"{"type": "LineString", "coordinates": [[9.5, 47.1], [9.6, 47.2]]}"#,
                packed: [3, 4, 5]))
    }

    /// The row of a trip that has changed since.
    static func changed(
        _ tripID: String = "t1", _ state: String, endedAt: Microseconds? = nil
    ) -> TripRow {
        TripRow(
            tripID: tripID, vehicleID: "v1", state: state, assignedAt: now, endedAt: endedAt,
            routeRevision: 1)
    }
}

extension ProgressRow {
    static func of(_ tripID: String, of vehicleID: String = "v1") -> ProgressRow {
        ProgressRow(
            tripID: tripID, vehicleID: vehicleID, state: "tracking", fixTime: now, latitude: 47.11,
            longitude: 9.51, reportedLatitude: 47.1, reportedLongitude: 9.5, deviation: 12.5,
            travelledDistance: 100, remainingDistance: 900, activeWaypointIndex: 0,
            remainingWaypoints: 1, eta: now + day / 24, routeRevision: 1, updatedAt: now,
            packed: [6])
    }
}

extension EventRow {
    /// An event of trip "t1" with an id made from its number.
    static func numbered(_ sequence: Int, tripID: String = "t1") -> EventRow {
        let digits = String(sequence)
        let padding = String(repeating: "0", count: 12 - digits.count)
        return EventRow(
            eventID: "\(tripID == "t1" ? "0" : "f")0000000-0000-5000-8000-" + padding + digits,
            tripID: tripID, vehicleID: "v1", sequence: sequence, type: "waypoint_reached",
            occurredAt: now, body: #"{"held": true}"#)
    }
}

/// Runs something that must fail and returns the store's error.
func failure(_ body: () throws -> Void) -> StoreError? {
    do {
        try body()
        return nil
    } catch {
        return error as? StoreError
    }
}

/// Runs bodies at the same time, each on a thread, and waits for all.
func concurrently(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for index in 0..<count {
        group.enter()
        Thread.detachNewThread {
            body(index)
            group.leave()
        }
    }
    group.wait()
}
