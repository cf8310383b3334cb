import Testing

@testable import Console

@Suite struct StreamLogTests {
    private func log(bytes: Int = 1 << 20, entries: Int = 1000) -> StreamLog {
        StreamLog(start: 100, maxBytes: bytes, maxEntries: entries)
    }

    private func event(_ json: String) -> StreamEvent {
        StreamEvent(kind: .event, subjectID: "a", json: Array(json.utf8))
    }

    private func progress(_ vehicleID: String, _ json: String) -> StreamEvent {
        StreamEvent(kind: .progress, subjectID: vehicleID, json: Array(json.utf8))
    }

    private func ids(_ log: StreamLog, after cursor: UInt64) -> [UInt64] {
        var ids: [UInt64] = []
        log.forEach(after: cursor) { id, _ in
            ids.append(id)
            return true
        }
        return ids
    }

    @Test func keepsOnlyTheNewestProgressOfAVehicle() {
        var log = log()
        log.append(progress("a", "1"))
        log.append(progress("b", "2"))
        log.append(event("3"))
        log.append(progress("a", "4"))
        #expect(ids(log, after: 100) == [102, 103, 104])
        #expect(ids(log, after: 103) == [104])
        #expect(ids(log, after: 104) == [])
        #expect(log.reaches(100) && log.reaches(104) && !log.reaches(99) && !log.reaches(105))
    }

    @Test func forgetsTheOldestBeyondItsBounds() {
        var log = log(entries: 3)
        for n in 1...5 { log.append(event("\(n)")) }
        #expect(ids(log, after: 0) == [103, 104, 105])
        #expect(log.reaches(102) && !log.reaches(101))
        let frame = StreamLog.frame(id: 101, name: "event", json: [0x31])
        var small = self.log(bytes: 2 * frame.count)
        for n in 1...5 { small.append(event("\(n)")) }
        #expect(ids(small, after: 0) == [104, 105])
    }

    @Test func isNotFullOfWhatWasReplaced() {
        var log = log(entries: 10)
        log.append(event("first"))
        for n in 0..<10_000 { log.append(progress("v\(n % 9)", "\(n)")) }
        #expect(ids(log, after: 100).count == 10)
        #expect(log.reaches(100))
        #expect(ids(log, after: 100).first == 101)
    }

    @Test func countsBackFromTheNewestEvent() {
        var log = log()
        for n in 1...3 {
            log.append(event("\(n)"))
            log.append(progress("a", "\(n)"))
        }
        #expect(log.cursor(beforeEvents: 0) == 106)
        #expect(log.cursor(beforeEvents: 1) == 104)
        #expect(log.cursor(beforeEvents: 2) == 102)
        #expect(log.cursor(beforeEvents: 9) == 100)
    }
}
