import MQTT
import Spool
import Telemetry
import Testing
import Tracking

@testable import Worker

/// The small parts of the stages.
@Suite struct StageTests {
    private func entry(_ topic: String, _ payload: String, into batch: inout EntryBatch) {
        Array(topic.utf8).withUnsafeBytes { topic in
            Array(payload.utf8).withUnsafeBytes { payload in
                batch.append(
                    .message, isRetained: true, receivedAt: Timestamp(seconds: 12), topic: topic,
                    payload: payload, payloadLength: 9)
            }
        }
    }

    private func topics(_ batch: EntryBatch, from: Int64, to: Int64 = .max) -> [String] {
        var found: [String] = []
        batch.forEach(from: from, to: to) {
            found.append(String(decoding: $0.topic, as: UTF8.self))
        }
        return found
    }

    @Test func anEntryComesBackAsItWentIn() {
        var batch = EntryBatch()
        batch.first = 40
        entry("a/b", "", into: &batch)
        entry("ü", "{\"x\":1}", into: &batch)
        batch.append(
            OwnEntry(
                kind: .expiry, receivedAt: Timestamp(seconds: 3), vehicleID: "v", payload: [7]))
        var seen: [(Int64, EntryKind, Bool, Timestamp, String, Int)] = []
        batch.forEach(from: 41) { entry in
            seen.append(
                (
                    entry.position, entry.kind, entry.isRetained, entry.receivedAt,
                    String(decoding: entry.payload, as: UTF8.self), entry.payloadLength
                ))
        }
        #expect(seen.count == 2)
        #expect(seen[0] == (41, .message, true, Timestamp(seconds: 12), "{\"x\":1}", 9))
        #expect(seen[1] == (42, .expiry, false, Timestamp(seconds: 3), "\u{7}", 1))
        #expect(topics(batch, from: 40, to: 42) == ["a/b", "ü"])
        #expect(batch.end == 43)
    }

    @Test func theTailForgetsTheOldestFirst() {
        let tail = SpoolTail(end: 0, maxBytes: 100)
        for first in 0..<4 {
            var batch = EntryBatch()
            batch.first = Int64(first)
            entry("topic", "0123456789", into: &batch)
            tail.append(batch)
        }
        #expect(tail.end == 4)
        #expect(tail.batches(from: 0, limit: 9) == nil)
        #expect(tail.batches(from: 2, limit: 9)?.map(\.first) == [2, 3])
        #expect(tail.batches(from: 4, limit: 9)?.isEmpty == true)
    }

    @Test func progressWaitsForItsTurn() {
        var pace = ProgressPace(interval: 1)
        let vehicle = Vehicle(id: "v")
        func due(_ now: Double) -> [String] { pace.due(now).map(\.id) }
        pace.add(vehicle, 10)
        let first = due(10)
        pace.add(vehicle, 10.2)
        let early = due(10.9)
        let second = due(11.1)
        pace.add(vehicle, 11.2)
        // An event has published it meanwhile.
        vehicle.announcement.sentAt = 12
        let afterEvent = due(12.2)
        let third = due(13.1)
        #expect([first, early, second, afterEvent, third] == [["v"], [], ["v"], [], ["v"]])
        #expect(pace.isEmpty)
    }

    @Test func aPublishedPositionIsBelievedLater() {
        var floor = PublishedFloor()
        let notes: [(Int64?, Double)] = [(5, 1), (9, 2), (nil, 3.5), (12, 4.1)]
        let believed = notes.map { floor.note($0.0, at: $0.1) }
        #expect(believed == [0, 0, 5, 9])
    }

    private func isRecognised(
        _ packetID: UInt16, _ digest: UInt64, by redelivered: inout Redelivered,
        topic: String = "fleet/v/position", payload: String = "{}"
    ) -> Bool {
        Array(topic.utf8).withUnsafeBytes { topic in
            Array(payload.utf8).withUnsafeBytes { payload in
                redelivered.recognises(
                    ReceivedMessage(
                        topic: topic, payload: payload, qos: 1, isRetained: false,
                        packetID: packetID), digest: digest)
            }
        }
    }

    @Test(arguments: [
        ("fleet/v/position", "{}", true), ("fleet/v/position", "[]", true),
        ("boat/v", "{}", true),
        // A sentence without a date is another fix on another day.
        ("fleet/v/position", "$GPGGA,115930", false), ("fleet/v/position", "", false),
        ("fleet/v/command/skip", "{}", false), ("fleet/v/command/proceed", "", false),
        ("fleet/v/command/assign", "{\"trip_id\":\"t\"}", false),
        ("fleet-place/p/command/put", "{}", false), ("elsewhere", "{}", false),
    ])
    func onlyAPositionIsRecognised(topic: String, payload: String, expected: Bool) throws {
        let sources = try SourceTable(
            root: "fleet", sources: [SourceDefinition(filter: "boat/+", vehicleID: "{1}")])
        var redelivered = Redelivered([Mark(packetID: 4, digest: 40)], sources: sources)
        let isKnown = isRecognised(4, 40, by: &redelivered, topic: topic, payload: payload)
        #expect(isKnown == expected)
    }

    @Test func aPacketIDIsRecognisedOnceAConnection() throws {
        var redelivered = Redelivered(
            [Mark(packetID: 4, digest: 40)], sources: try SourceTable(root: "fleet", sources: []))
        func recognises(_ packetID: UInt16, _ digest: UInt64) -> Bool {
            isRecognised(packetID, digest, by: &redelivered)
        }
        let first = [recognises(4, 40), recognises(4, 40)]
        redelivered.restart()
        let changed = recognises(4, 41)
        redelivered.remember([Mark(packetID: 5, digest: 50)])
        let sameConnection = recognises(5, 50)
        redelivered.restart()
        let nextConnection = recognises(5, 50)
        #expect(first == [true, false])
        #expect(!changed && !sameConnection && nextConnection)
    }

    @Test func metricsAreEscapedAndCumulative() {
        var text = MetricsText()
        var histogram = Histogram(bounds: [1, 2])
        for value in [0.5, 1.5, 9] { histogram.observe(value) }
        text.histogram("h", "Help.", histogram)
        text.counts("c", "Help.", by: "reason", ["a\"b": 2])
        #expect(
            String(decoding: text.bytes, as: UTF8.self) == """
                # HELP h Help.
                # TYPE h histogram
                h_bucket{le="1.0"} 1
                h_bucket{le="2.0"} 2
                h_bucket{le="+Inf"} 3
                h_sum 11
                h_count 3
                # HELP c Help.
                # TYPE c counter
                c{reason="a\\"b"} 2

                """)
    }
}
