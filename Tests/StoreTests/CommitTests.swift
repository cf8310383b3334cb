import Store
import Testing

struct CommitTests {
    @Test func `what was committed is read back`() throws {
        let database = try SharedServer.migrated()
        let connection = try database.owner()
        let batch = StoreBatch.moving(0, 10) { batch in
            batch.positions = [.fix("v1", 0), .fix("v1", 1), .fix("v2", 0)]
            batch.vehicles = [
                VehicleRow(
                    vehicleID: "v1", fixTime: now, latitude: 1, longitude: 2, speed: 3, course: 4,
                    level: "-1", tripID: "t1", updatedAt: now)
            ]
            batch.trips = [
                TripRow(
                    tripID: "t1", vehicleID: "v1", state: "tracking", assignedAt: now,
                    routeRevision: 1,
                    assignment: .init(options: #"{"arrival_radius_m":50}"#, packed: [1, 2]),
                    route: .init(geoJSON: #"{"type":"LineString"}"#, packed: [3, 4, 5]))
            ]
            batch.progress = [
                ProgressRow(
                    tripID: "t1", vehicleID: "v1", state: "tracking", updatedAt: now, packed: [6])
            ]
            batch.waypoints = [
                WaypointRow(tripID: "t1", index: 0, latitude: 1, longitude: 2, status: "pending")
            ]
            batch.events = [
                EventRow(
                    eventID: "00000000-0000-5000-8000-000000000001", tripID: "t1", vehicleID: "v1",
                    sequence: 1, type: "trip_assigned", occurredAt: now, body: #"{"a": 1}"#)
            ]
            batch.commands = [
                CommandRow(
                    vehicleID: "v1", commandID: "c1", name: "assign", tripID: "t1", receivedAt: now,
                    reason: nil)
            ]
            batch.rejected = [
                RejectedRow(
                    receivedAt: now, topic: "fleet/x/position", payload: [0, 1], payloadBytes: 2,
                    reason: "invalid_json")
            ]
        }
        try connection.commit(batch)
        var items: [StoredItem] = []
        try StoreConnection(database.settings).loadState { items.append($0) }
        #expect(
            items == [
                .vehicle(batch.vehicles[0]),
                .trip(
                    StoredTrip(
                        row: TripRow(
                            tripID: "t1", vehicleID: "v1", state: "tracking", assignedAt: now,
                            routeRevision: 1),
                        assignment: [1, 2], route: [3, 4, 5], state: [6])),
                .usedTripID("t1"), .commandID(vehicleID: "v1", commandID: "c1"),
                .unpublishedEvent(batch.events[0]),
            ])
        #expect(try database.psql("select count(*) from waygate.positions") == "3")
    }
}
