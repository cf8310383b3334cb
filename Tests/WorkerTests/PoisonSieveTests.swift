import Store
import Testing

@testable import Worker

/// A database that refuses all rows of one vehicle, and messages that name it.
private final class PickySession: DatabaseSession {
    private(set) var rehearsals = 0
    var refusesFiled = false

    func rehearse(_ batch: StoreBatch) throws(StoreError) {
        rehearsals += 1
        let vehicles =
            batch.vehicles.map(\.vehicleID) + batch.trips.map(\.vehicleID)
            + batch.waypoints.map(\.vehicleID) + batch.progress.map(\.vehicleID)
            + batch.positions.map(\.vehicleID) + batch.events.map(\.vehicleID)
            + batch.commands.map(\.vehicleID) + batch.drives.map(\.vehicleID)
        let messages = batch.rejected.contains {
            $0.topic == "bad" && ($0.reason != "store_refused" || refusesFiled)
        }
        guard !vehicles.contains("bad"), !messages else {
            throw StoreError(.dataRefused, "no such character")
        }
    }

    func commit(_ batch: StoreBatch) throws(StoreError) { try rehearse(batch) }
    func look(spoolID: String) throws(StoreError) -> StoreConnection.Checkpoint? { nil }
    func claim(spoolID: String, takeOver: Bool) throws(StoreError) -> StoreConnection.Claim {
        StoreConnection.Claim(checkpoint: nil, epoch: 1)
    }
    func heartbeat() throws(StoreError) {}
    func loadState(_ handle: (StoredItem) -> Void) throws(StoreError) {}
    func maintain(now: Microseconds) throws(StoreError) -> StoreConnection.Maintenance {
        StoreConnection.Maintenance()
    }
    func release() throws(StoreError) {}
}

/// A row that the database refuses stands alone, whatever table it is for.
@Suite struct PoisonSieveTests {
    private static let message = RejectedRow(
        receivedAt: 5, topic: "bad", payload: Array("hello".utf8), payloadBytes: 5,
        reason: "store_refused")

    /// Rows of three vehicles, of which `kind` has one that is refused, made by the entry 7.
    private func batch(_ kind: String) -> StoreBatch {
        var batch = StoreBatch(spoolID: "s", from: 0, to: 10, published: 0)
        for (entry, id) in [(6, "a"), (7, "bad"), (8, "c")] as [(Int64, String)] {
            func fits(_ other: String) -> Bool { id != "bad" || kind == other }
            if fits("vehicles") {
                batch.vehicles.append(VehicleRow(vehicleID: id, updatedAt: 0, entry: entry))
            }
            if fits("positions") {
                batch.positions.append(
                    PositionRow(
                        vehicleID: id, fixTime: 0, latitude: 1, longitude: 1, tracked: true,
                        receivedAt: 0, entry: entry))
            }
            if fits("events") {
                batch.events.append(
                    EventRow(
                        eventID: "", tripID: nil, vehicleID: id, sequence: nil, type: "",
                        occurredAt: 0, body: "{}", entry: entry))
            }
            if fits("commands") {
                batch.commands.append(
                    CommandRow(
                        vehicleID: id, commandID: nil, name: "", tripID: nil, receivedAt: 0,
                        reason: nil, entry: entry))
            }
            if fits("rejected") {
                var row = Self.message
                row.topic = id
                row.reason = "invalid_json"
                batch.rejected.append(row)
            }
        }
        return batch
    }

    private func count(_ batch: StoreBatch) -> Int {
        batch.vehicles.count + batch.positions.count + batch.events.count + batch.commands.count
            + batch.rejected.count
    }

    @Test(arguments: ["vehicles", "positions", "events", "commands", "rejected"])
    func leavesOutTheCulpritAndFilesItsMessage(kind: String) throws {
        let session = PickySession()
        var asked: [Int64] = []
        var sieve = PoisonSieve(session: session, checkpoint: 0) { position in
            asked.append(position)
            return Self.message
        }
        let batch = batch(kind)
        let clean = try sieve.cleaned(batch)
        try session.commit(clean)
        #expect(sieve.count == 1)
        #expect(sieve.words == "no such character")
        #expect(asked == (kind == "rejected" ? [] : [7]))
        #expect(count(clean) == count(batch))
        #expect(clean.rejected.last == Self.message)
    }

    @Test func oneMessageIsFiledOnceHoweverManyOfItsRowsAreRefused() throws {
        var batch = batch("positions")
        let extra = self.batch("events")
        batch.events = extra.events
        batch.positions += batch.positions
        var sieve = PoisonSieve(session: PickySession(), checkpoint: 0) { _ in Self.message }
        let clean = try sieve.cleaned(batch)
        #expect(sieve.count == 3)
        #expect(clean.rejected.filter { $0.reason == "store_refused" }.count == 1)
    }

    @Test func aMessageThatCannotEvenBeFiledHoldsNobodyUp() throws {
        let session = PickySession()
        session.refusesFiled = true
        var sieve = PoisonSieve(session: session, checkpoint: 0) { _ in Self.message }
        let clean = try sieve.cleaned(batch("rejected"))
        try session.commit(clean)
        #expect(clean.rejected.map(\.topic) == ["a", "c"])
        #expect(sieve.count == 1)
    }
}
