import Foundation
import Spool
import Testing

@Suite(.timeLimit(.minutes(3)))
struct CrashTests {
    @Test("killed at any moment, the spool has what it said it had, and nothing torn")
    func survivesKilling() async throws {
        let folder = try Folder()
        var seen: Int64 = 0
        for round in 0..<6 {
            let path = folder.path
            let delay = UInt32(round * 3_700)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, delay = delay as UInt32] in
                try appendUntilKilled(path: path, after: delay)
            }
            let promised = try promisedEnd(folder.path)
            let spool = try folder.open()
            #expect(spool.recovery == nil)
            #expect(spool.end >= promised)
            #expect(promised > seen)
            let batches = try spool.all(from: spool.start)
            #expect(batches.last?.end == spool.end)
            #expect(isIntact(batches))
            #expect(zip(batches, batches.dropFirst()).allSatisfy { $0.end == $1.first })
            let marks = try spool.marks()
            let last = (max(0, spool.end - 65_535)..<spool.end).map { UInt64($0) }
            #expect(marks.map(\.digest) == last)
            seen = promised
        }
    }

    @Test("after any append, a copy of the files holds all of it")
    func isInTheFilesAtOnce() throws {
        let folder = try Folder()
        let spool = try folder.open()
        for round in 1...10 {
            try spool.fill(4, count: 5)
            let copy = try Folder()
            try FileManager.default.copyItem(
                atPath: folder.path + "/spool", toPath: copy.path + "/spool")
            let other = try copy.open()
            #expect(other.end == Int64(round) * 20)
            #expect(isIntact(try other.all(from: 0)))
        }
    }
}

/// Appends, trims, and notes after each append what was promised, until killed by another thread.
private func appendUntilKilled(path: String, after delay: UInt32) throws {
    let spool = try Spool(folder: path + "/spool", maxBytes: 1 << 30)
    let note = open(path + "/promised", O_RDWR | O_CREAT, 0o600)
    let start = spool.end
    var isDoomed = false
    while true {
        try spool.fill(1, count: 5, marks: true)
        if spool.end > start + 100, !isDoomed {
            isDoomed = true
            Thread.detachNewThread {
                usleep(delay)
                kill(getpid(), SIGKILL)
            }
        }
        var end = spool.end
        pwrite(note, &end, 8, 0)
        if end % 35 == 0 { try spool.trim(before: end - 50, keeping: 1000) }
    }
}

private func promisedEnd(_ path: String) throws -> Int64 {
    let data = try Data(contentsOf: URL(filePath: path + "/promised"))
    return data.withUnsafeBytes { $0.loadUnaligned(as: Int64.self) }
}
