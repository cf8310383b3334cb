import Foundation
import Spool
import Testing

/// A way in which a file may be hurt, and what must be left of its 300 batches.
struct Damage: CustomTestStringConvertible {
    var testDescription: String
    var atLeast: Int
    var isNewSpool = false
    var lostMarks = false
    var hurt: @Sendable (inout Data) -> Void
}

private let damages = [
    Damage(testDescription: "a flipped bit in one batch", atLeast: 299) { file in
        // The last page is an overflow page of a long batch, or holds short ones.
        file[file.count - 100] ^= 0x10
    },
    Damage(testDescription: "five pages in the middle overwritten", atLeast: 200) { file in
        overwrite(&file, file.count / 2 / 4096 * 4096, 5 * 4096)
    },
    Damage(testDescription: "the first page overwritten", atLeast: 300, lostMarks: true) { file in
        overwrite(&file, 0, 4096)
    },
    Damage(testDescription: "the header alone overwritten", atLeast: 300, lostMarks: true) { file in
        overwrite(&file, 0, 16)
    },
    Damage(testDescription: "the trees' roots overwritten", atLeast: 290, lostMarks: true) { file in
        overwrite(&file, 4096, 5 * 4096)
    },
    Damage(testDescription: "the second half cut off", atLeast: 60) { file in
        file = file.prefix(file.count / 2)
    },
    Damage(testDescription: "everything overwritten", atLeast: 0, isNewSpool: true, lostMarks: true)
    {
        overwrite(&$0, 0, $0.count)
    },
    Damage(testDescription: "nothing left", atLeast: 0, isNewSpool: true, lostMarks: true) { file in
        file.removeAll()
    },
]

private func overwrite(_ file: inout Data, _ place: Int, _ count: Int) {
    file.replaceSubrange(place..<place + count, with: content(77, bytes: count))
}

@Suite(.timeLimit(.minutes(2)))
struct DamageTests {
    @Test("what can be read of a damaged spool is read", arguments: damages)
    func recovers(_ damage: Damage) throws {
        let folder = try Folder()
        let (id, end) = try makeSpool(folder)
        var data = try Data(contentsOf: URL(filePath: folder.file))
        damage.hurt(&data)
        try data.write(to: URL(filePath: folder.file))

        var spool: Spool? = try folder.open()
        let report = try #require(spool?.recovery)
        #expect(report.isNewSpool == damage.isNewSpool)
        // SQLite itself gives an empty file a header before it finds no tables.
        #expect(FileManager.default.contents(atPath: report.setAside) == data || data.isEmpty)
        #expect(report.batches >= damage.atLeast)
        if damage.lostMarks { #expect(report.lostMarks) }
        if damage.isNewSpool {
            #expect(spool?.id != id)
        } else {
            #expect(spool?.id == id)
            #expect(try #require(spool?.end) >= end)
        }
        let start = try #require(spool?.start)
        let batches = try #require(try spool?.all(from: start))
        #expect(batches.count == report.batches)
        #expect(batches.allSatisfy { $0.blob == content($0.first, bytes: $0.blob.count) })
        #expect(zip(batches, batches.dropFirst()).allSatisfy { $0.end <= $1.first })
        let gaps = zip(batches, batches.dropFirst()).compactMap {
            $0.end < $1.first ? $0.end..<$1.first : nil
        }
        let before = batches.first.flatMap { start < $0.first ? [start..<$0.first] : nil } ?? []
        #expect(report.lost == before + gaps)

        let next = try #require(spool?.end)
        try spool?.fill(5)
        spool = nil
        let again = try folder.open()
        #expect(again.recovery == nil)
        #expect(try again.all(from: next).map(\.first) == (next..<next + 5).map { $0 })
        #expect(try again.all(from: again.start).count == batches.count + 5)
    }

    @Test("what only the log holds is taken over too", arguments: [true, false])
    func recoversLog(isReadableBySQLite: Bool) throws {
        let folder = try Folder()
        let copy = try Folder()
        let spool = try folder.open()
        // After a thousand pages SQLite moves the log into the file, and starts it anew.
        try spool.fill(220, count: 3, bytes: 20_000)
        try spool.fill(10, count: 3, bytes: 500)
        try FileManager.default.copyItem(
            atPath: folder.path + "/spool", toPath: copy.path + "/spool")
        try FileManager.default.removeItem(atPath: copy.path + "/spool/spool.db-shm")
        var data = try Data(contentsOf: URL(filePath: copy.file))
        overwrite(&data, 0, isReadableBySQLite ? 500 * 4096 : 4096)
        try data.write(to: URL(filePath: copy.file))
        if !isReadableBySQLite { try overwriteFirstPage(ofLog: copy.file + "-wal") }
        let recovered = try copy.open()
        #expect(recovered.id == spool.id)
        let batches = try recovered.all(from: recovered.start)
        #expect(batches.filter { $0.blob == content($0.first, bytes: 500) }.count == 10)
        if !isReadableBySQLite { #expect(batches.count == 230) }
        #expect(try #require(recovered.recovery).batches == batches.count)
    }

    @Test("damage that comes while the spool is open is found by its checksum")
    func findsDamageWhileOpen() throws {
        let folder = try Folder()
        _ = try makeSpool(folder)
        let spool = try folder.open()
        let file = try FileHandle(forUpdating: URL(filePath: folder.file))
        try file.seek(toOffset: try file.seekToEnd() - 100)
        try file.write(contentsOf: Data([0x5A, 0xA5]))
        let reader = try SpoolReader(folder: folder.path + "/spool")
        do {
            var next: Int64 = 0
            while next < spool.end {
                next = try #require(try reader.read(from: next, maxBytes: 1).last?.end)
            }
            Issue.record("a changed batch was read")
        } catch {
            #expect((error as? SpoolError)?.reason == .damaged)
            #expect((error as? SpoolError)?.isTransient == false)
        }
    }

    @Test("a file of a later version is refused by name, and left alone")
    func refusesLaterVersion() throws {
        let folder = try Folder()
        _ = try makeSpool(folder)
        var data = try Data(contentsOf: URL(filePath: folder.file))
        // The user version, as the file format places it.
        data.replaceSubrange(60..<64, with: [0, 0, 0, 9])
        try data.write(to: URL(filePath: folder.file))
        do {
            _ = try folder.open()
            Issue.record("opened a file of version 9")
        } catch {
            #expect((error as? SpoolError)?.reason == .unusable)
            #expect((error as? SpoolError)?.message.contains("(version 9,") == true)
        }
        #expect(try Data(contentsOf: URL(filePath: folder.file)).count == data.count)
    }

    /// Overwrites the first page wherever a log holds it, after which SQLite reads no further.
    private func overwriteFirstPage(ofLog path: String) throws {
        var log = try Data(contentsOf: URL(filePath: path))
        for frame in stride(from: 32, to: log.count, by: 24 + 4096)
        where log[frame..<frame + 4] == Data([0, 0, 0, 1]) {
            overwrite(&log, frame + 24, 4096)
        }
        try log.write(to: URL(filePath: path))
    }

    /// Makes a closed spool of 300 batches, most short and some long; returns its identity and end.
    private func makeSpool(_ folder: Folder) throws -> (String, Int64) {
        let spool = try folder.open()
        for _ in 0..<10 {
            try spool.fill(27, count: 2, bytes: 700, marks: true)
            try spool.fill(3, count: 40, bytes: 20_000)
        }
        return (spool.id, spool.end)
    }
}
