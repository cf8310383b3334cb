import Store
import Testing

/// What devices send and databases do not take.
struct ContentTests {
    @Test func `no text, number or time of a device makes the database refuse a batch`() throws {
        let database = try SharedServer.migrated()
        var batch = StoreBatch.full()
        batch.positions = Self.attributes.enumerated().map { index, attributes in
            var row = PositionRow.fix("v\u{0}1", index)
            row.attributes = attributes
            row.level = "\u{0}"
            row.speed = .nan
            row.altitude = .infinity
            row.course = 1e308
            row.receivedAt = index.isMultiple(of: 2) ? .min : .max
            return row
        }
        batch.progress[0].eta = .max
        batch.progress[0].deviation = -.infinity
        batch.progress[0].remainingWaypoints = .max
        batch.events[0].body = #"{"name": "a\u0000b"}"#
        batch.commands[0].commandID = String(repeating: "c", count: 100_000)
        batch.rejected[0].topic = "a\u{0}b\u{feff}\u{10ffff}"
        batch.rejected[0].payloadBytes = .max
        batch.vehicles[0].speed = .signalingNaN
        try database.owner().commit(batch)
        #expect(
            try database.psql(
                """
                select count(*), min(vehicle_id), bool_and(speed_mps is null and altitude_m is null),
                    min(extract(year from received_at)), max(extract(year from received_at))
                from waygate.positions
                """) == "\(Self.attributes.count)|v1|t|1|9999")
        #expect(
            try database.psql("select body->>'name' from waygate.trip_events where sequence = 1")
                == "ab")
    }

    private static let attributes = [
        #"{"a": "\u0000"}"#, #"{"a": "\ud800"}"#, #"{"a": "\udc00\ud800"}"#, #"{"a": 1e400}"#,
        #"{"a": -1E+99999999999999999999}"#, #"{"a": 1e-999999}"#,
        #"{"a": \#(String(repeating: "9", count: 200_000))}"#,
        #"{"\u0000": {"\\u0000": "\\\u0000"}}"#, "{\"a\": \"\u{0}\"}",
        String(repeating: "[", count: 64) + String(repeating: "]", count: 64),
        #"{"a": "\#(String(repeating: "x", count: 250_000))"}"#, "{}",
    ]

    /// A fault that only our own code could make, or that nobody has thought of.
    struct Fault: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var sqlState: String
        var spoil: @Sendable (inout StoreBatch) -> Void
    }

    @Test(
        .serialized,
        arguments: [
            Fault(testDescription: "a place off the globe", sqlState: "23514") {
                $0.positions[1].latitude = 90.001
            },
            Fault(testDescription: "a place that is no number", sqlState: "23502") {
                $0.positions[1].longitude = .nan
            },
            Fault(testDescription: "attributes that are no JSON", sqlState: "22P02") {
                $0.positions[1].attributes = "{\"a\": tru}"
            },
            Fault(testDescription: "attributes nested without end", sqlState: "54001") {
                $0.positions[1].attributes = String(repeating: "[", count: 100_000)
            },
            Fault(testDescription: "a day that no fix can have", sqlState: "22008") {
                $0.positions[1].fixTime = now + 400 * day
            },
            Fault(testDescription: "an id that is no UUID", sqlState: "22P02") {
                $0.events[1].eventID = "00000000-0000-5000-8000-00000000000g"
            },
            Fault(testDescription: "a sequence number taken by another event", sqlState: "23505") {
                $0.events[1].sequence = 1
            },
            Fault(testDescription: "a status that is none", sqlState: "23514") {
                $0.waypoints[0].status = "lost"
            },
            Fault(testDescription: "a vehicle id longer than an index takes", sqlState: "54000") {
                $0.vehicles[0].vehicleID = String(
                    (0..<20_000).map {
                        Character(UnicodeScalar(0x4e00 + $0 * 7919 % 20_000) ?? "x")
                    })
            },
        ])
    func `a fault of the content is told from one that passes`(_ fault: Fault) throws {
        let database = try Self.refusing.get()
        let connection = try database.owner()
        var batch = StoreBatch.full()
        fault.spoil(&batch)
        let error = try #require(failure { try connection.commit(batch) })
        #expect(error.isDataRefused && !error.isTransient)
        #expect(error.sqlState == fault.sqlState)
        #expect(!error.message.contains("\n"))
        #expect(try database.state() == [])
        // The connection goes on.
        try connection.heartbeat()
        #expect(failure { try connection.commit(batch) }?.sqlState == fault.sqlState)
    }

    private static let refusing = Result { try SharedServer.migrated() }

    @Test func `after a refused batch its good part goes in`() throws {
        let database = try SharedServer.migrated()
        let connection = try database.owner()
        var batch = StoreBatch.full()
        batch.positions[1].latitude = 91
        #expect(failure { try connection.commit(batch) }?.isDataRefused == true)
        try connection.commit(.full())
        #expect(try database.psql("select count(*) from waygate.positions") == "3")
    }
}
