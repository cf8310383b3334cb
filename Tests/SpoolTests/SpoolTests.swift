import Foundation
import Spool
import Testing

@Suite(.timeLimit(.minutes(2)))
struct SpoolTests {
    @Test("what was appended is read back in order, also after a restart")
    func roundTrip() throws {
        let folder = try Folder()
        var spool: Spool? = try folder.open()
        let id = try #require(spool?.id)
        #expect(UUID(uuidString: id) != nil)
        #expect(spool?.end == 0 && spool?.start == 0)
        try spool?.fill(100, count: 7)
        spool = nil
        let again = try folder.open()
        #expect(again.id == id)
        #expect(again.recovery == nil)
        #expect(again.end == 700)
        let batches = try again.all(from: 0)
        #expect(batches.map(\.first) == (0..<100).map { Int64($0) * 7 })
        #expect(batches.allSatisfy { $0.count == 7 })
        #expect(isIntact(batches))
    }

    @Test("reading starts with the batch that holds the position and stops at the byte limit")
    func readsFromTheMiddle() throws {
        let folder = try Folder()
        let spool = try folder.open()
        try spool.fill(10, count: 10)
        #expect(try spool.read(from: 25, maxBytes: 250).map(\.first) == [20, 30, 40])
        #expect(try spool.read(from: 20, maxBytes: 1).map(\.first) == [20])
        #expect(try spool.read(from: 99, maxBytes: 1000).map(\.first) == [90])
        #expect(try spool.read(from: 100, maxBytes: 1000).isEmpty)
        #expect(try spool.time(at: 25) == 20_000)
        #expect(try spool.time(at: 100) == nil)
    }

    @Test("an empty blob and an empty topic are data like any other")
    func keepsEmptyBlobs() throws {
        let folder = try Folder()
        let spool = try folder.open()
        let empty = UnsafeRawBufferPointer(start: nil, count: 0)
        #expect(try spool.append(empty, count: 1, at: 5, marks: []) == 0)
        #expect(
            try spool.read(from: 0, maxBytes: 10)
                == [SpoolBatch(first: 0, count: 1, time: 5, blob: [])])
    }

    @Test("a second connection reads while the first appends")
    func readerSeesAppends() throws {
        let folder = try Folder()
        let spool = try folder.open()
        let reader = try SpoolReader(folder: folder.path + "/spool")
        #expect(try reader.read(from: 0, maxBytes: 1000).isEmpty)
        for round in 0..<50 {
            try spool.fill(1, count: 3)
            let batches = try reader.read(from: Int64(round) * 3, maxBytes: 1000)
            #expect(batches.map(\.first) == [Int64(round) * 3])
            #expect(isIntact(batches))
        }
        try spool.trim(before: 150, keeping: 0)
        #expect(throws: SpoolError.self) { try reader.read(from: 0, maxBytes: 1000) }
        #expect(try reader.read(from: 150, maxBytes: 1000).isEmpty)
    }

    @Test("positions go on after everything was trimmed, and what is trimmed is refused by name")
    func trimsEverything() throws {
        let folder = try Folder()
        var spool: Spool? = try folder.open()
        try spool?.fill(20, count: 5)
        try spool?.trim(before: 100, keeping: 0)
        #expect(spool?.start == 100)
        spool = nil
        let again = try folder.open()
        #expect(again.start == 100 && again.end == 100)
        try again.fill(1, count: 5)
        #expect(try again.all(from: 100).map(\.first) == [100])
        do {
            _ = try again.read(from: 99, maxBytes: 10)
            Issue.record("a position that is gone was read")
        } catch {
            #expect(error.reason == .trimmed && !error.isTransient)
        }
    }

    @Test("trimming keeps the margin, takes whole batches, and lets their space be used again")
    func trimsWithMargin() throws {
        let folder = try Folder()
        let spool = try folder.open(maxBytes: 4 << 20)
        try spool.fill(300, count: 2, bytes: 10_000)
        let full = spool.bytes
        for _ in 0..<20 { try spool.trim(before: 401, keeping: 500_000) }
        // 200 batches lie before the position; the margin keeps 50 of them, and a boundary's
        // distance more.
        #expect(spool.start % 2 == 0)
        #expect((270...300).contains(spool.start))
        #expect(spool.bytes < full)
        let kept = try spool.all(from: spool.start)
        #expect(kept.first?.first == spool.start)
        #expect(isIntact(kept, bytes: 10_000))
        let size = try FileManager.default.attributesOfItem(atPath: folder.file)[.size] as? Int
        for _ in 0..<10 {
            try spool.fill(100, count: 2, bytes: 10_000)
            for _ in 0..<20 { try spool.trim(before: spool.end - 100, keeping: 500_000) }
        }
        let later = try FileManager.default.attributesOfItem(atPath: folder.file)[.size] as? Int
        #expect(try #require(later) < 2 * #require(size))
    }

    @Test("at its bound the spool takes nothing but the worker's own inputs")
    func isBounded() throws {
        let folder = try Folder()
        let spool = try folder.open(maxBytes: 1 << 20)
        while spool.shortage == nil { try spool.fill(1, bytes: 10_000) }
        #expect((90...110).contains(spool.end))
        let end = spool.end
        do {
            try spool.fill(1)
            Issue.record("a full spool has taken a batch")
        } catch {
            #expect((error as? SpoolError)?.reason == .atBound)
            #expect((error as? SpoolError)?.isTransient == true)
        }
        try [1, 2, 3].withUnsafeBytes {
            _ = try spool.append($0, count: 1, at: 0, marks: [], isUrgent: true)
        }
        #expect(spool.end == end + 1)
        for _ in 0..<10 { try spool.trim(before: end / 2, keeping: 0) }
        #expect(spool.shortage == nil)
        try spool.fill(1)
    }

    @Test("a folder has one owner at a time")
    func excludesOthers() throws {
        let folder = try Folder()
        var spool: Spool? = try folder.open()
        #expect(try SpoolLock.tryLock(folder: folder.path + "/spool") == nil)
        do {
            _ = try folder.open()
            Issue.record("two owners")
        } catch {
            #expect((error as? SpoolError)?.reason == .locked)
        }
        _ = spool?.end
        spool = nil
        let lock = try #require(try SpoolLock.tryLock(folder: folder.path + "/spool"))
        let next = try Spool(folder: folder.path + "/spool", maxBytes: 1 << 20, lock: lock)
        #expect(next.end == 0)
    }

    @Test("a folder that cannot be made is named")
    func namesUnusableFolder() throws {
        do {
            _ = try Spool(folder: "/proc/nowhere/spool", maxBytes: 1 << 20)
            Issue.record("made a folder in /proc")
        } catch {
            #expect(error.reason == .unusable)
            #expect(error.message.contains("/proc/nowhere"))
        }
    }

    @Test("small values are kept under their names")
    func keepsValues() throws {
        let folder = try Folder()
        var spool: Spool? = try folder.open()
        #expect(try spool?.value("filters") == nil)
        try spool?.setValue("filters", Array("a/#".utf8))
        try spool?.setValue("filters", Array("b/#".utf8))
        try spool?.setValue("empty", [])
        spool = nil
        let again = try folder.open()
        #expect(try again.value("filters") == Array("b/#".utf8))
        #expect(try again.value("empty") == [])
        try again.setValue("filters", nil)
        #expect(try again.value("filters") == nil)
    }
}
