import Foundation
import TestServers
import Testing

/// Tracks and reports over HTTP, from the database of a running worker.
@Suite(.serialized, .timeLimit(.minutes(2))) struct HistoryTests {
    /// A request on a connection of its own, whose answer is read later.
    private struct Request {
        private let socket: Int32

        init(_ path: String, port: Int) {
            socket = connect(toPort: port)
            let text = "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
            _ = text.withCString { send(socket, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
        }

        /// The status and the body, waited for.
        func answer() -> (status: Int, body: String) {
            defer { close(socket) }
            var received: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 65_536)
            while case let count = recv(socket, &piece, piece.count, 0), count > 0 {
                received += piece.prefix(count)
            }
            let parts = String(decoding: received, as: UTF8.self).split(
                separator: "\r\n\r\n", maxSplits: 1)
            let status = parts.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
            return (status ?? 0, parts.count > 1 ? String(parts[1]) : "")
        }
    }

    private static func worker() throws -> (test: WorkerUnderTest, port: Int) {
        let port = try freePort()
        let test = try WorkerUnderTest(environment: ["WAYGATE_HTTP": "127.0.0.1:\(port)"])
        return (test, port)
    }

    private static func position(_ time: Double, _ longitude: Double) -> String {
        "{\"time\":\(time),\"lat\":47.1,\"lon\":\(longitude)}"
    }

    @Test func aTrackAndItsReportsAreReadAndAbsenceIsTold() throws {
        let (test, port) = try Self.worker()
        let begin = (Date.now.timeIntervalSince1970 - 3_600).rounded()
        for step in 0..<4 {
            test.client.publish(
                "fleet/van-7/position",
                Self.position(begin + Double(step) * 60, 9.5 + Double(step) * 0.01))
        }
        try test.expect(["4"], from: "select count(*) from waygate.positions")
        let start = Date(timeIntervalSince1970: begin - 86_400).formatted(.iso8601)
        let from = "from=\(start)"
        let track = Request("/api/vehicles/van-7/track?\(from)", port: port).answer()
        #expect(track.status == 200)
        #expect(track.body.hasPrefix(#"{"columns":["time_ms","lat","lon","#))
        #expect(track.body.contains("[\(Int(begin) * 1000), 47.1, 9.5, null, null, null, "))
        #expect(track.body.contains("\"truncated\":false"))
        let drives = Request("/api/reports/drives?\(from)&vehicle=van-7", port: port).answer()
        #expect(drives.status == 200 && drives.body.contains(#""vehicle_id":"van-7""#))
        #expect(Request("/api/reports/drives", port: port).answer().status == 400)
        #expect(Request("/api/reports/nights?\(from)", port: port).answer().status == 404)
        try test.database.crash()
        let away = Request("/api/reports/drives?\(from)", port: port).answer()
        #expect(away.status == 503 && away.body.contains("the database is away"))
        try test.database.start()
        // The connection that broke is made anew.
        try test.client.wait("the drives") {
            Request("/api/reports/drives?\(from)", port: port).answer().status == 200 ? true : nil
        }
    }

    @Test func tenSlowReportsDelayNoAlarm() throws {
        let (test, port) = try Self.worker()
        _ = try test.rows(
            """
            drop function waygate.stops_between cascade;
            create function waygate.stops_between("from" timestamptz, "to" timestamptz)
            returns setof waygate.stops language plpgsql as
            $$ begin perform pg_sleep(1.5); return; end $$
            """)
        test.client.publish(
            "fleet-place/depot/command/put",
            #"{"geometry":{"circle":{"center":{"lat":47.1,"lon":9.52},"radius_m":120}}}"#)
        try test.client.wait("the depot") { test.client.last("fleet-place/depot/definition") }
        var time = Date.now.timeIntervalSince1970 - 40_000
        let before = try Self.delays(&time, test)
        let slow = (0..<10).map { _ in
            Request("/api/reports/stops?from=2026-12-01&to=2026-12-02", port: port)
        }
        let asked = ContinuousClock.now
        let during = try Self.delays(&time, test)
        #expect(ContinuousClock.now - asked < .seconds(4.5), "they were not under way meanwhile")
        print("slowest alarm but one, ms: \(before) alone, \(during) beside ten reports")
        #expect(during < 750)
        for request in slow {
            let answer = request.answer()
            #expect(answer.status == 200 && answer.body.contains(#""rows":[]"#))
        }
    }

    /// Drives into and out of the depot forty times; returns how long the slowest but one took to be told,
    /// in milliseconds.
    private static func delays(_ time: inout Double, _ test: WorkerUnderTest) throws -> Int {
        var delays: [Duration] = []
        for round in 0..<40 {
            let (topic, longitude) =
                round % 2 == 0
                ? ("fleet/van-7/alarm/place_entered", 9.52)
                : ("fleet/van-7/alarm/place_exited", 9.53)
            let told = test.client.heard(topic).count
            let start = ContinuousClock.now
            test.client.publish("fleet/van-7/position", position(time, longitude))
            try test.client.wait(topic) { test.client.heard(topic).count > told ? true : nil }
            delays.append(ContinuousClock.now - start)
            time += 60
        }
        return Int(delays.sorted()[38] / .milliseconds(1))
    }
}
