import Foundation
import Spool
import TestServers
import Testing

@Suite(.timeLimit(.minutes(2)))
struct FullDiskTests {
    @Test("a full disk loses nothing, can be trimmed, and is filled again", .enabled(if: isRoot))
    func survivesFullDisk() throws {
        let disk = try #require(SmallDisk(megabytes: 48))
        var spool: Spool? = try Spool(folder: disk.path + "/spool", maxBytes: 1 << 30)
        for round in 0..<3 {
            let error = fillUp(try #require(spool))
            #expect(error?.reason == .diskFull, "round \(round): \(String(describing: error))")
            #expect(error?.isTransient == true)
            let end = try #require(spool?.end)
            let start = try #require(spool?.start)
            #expect(end - start > 50)
            let batches = try #require(try spool?.all(from: start))
            #expect(batches.last?.end == end)
            #expect(isIntact(batches, bytes: 200_000))
            while let start = spool?.start, start < end - 20 {
                try spool?.trim(before: end - 20, keeping: 0)
                if spool?.start == start { break }
            }
            #expect(try #require(spool?.start) > end - 45)
            if round == 1 {
                spool = nil
                spool = try Spool(folder: disk.path + "/spool", maxBytes: 1 << 30)
                #expect(spool?.recovery == nil)
                #expect(spool?.end == end)
            }
        }
        spool = nil
    }

    @Test(
        "a disk that another program fills and frees is used again", .enabled(if: isRoot),
        arguments: [16, 48])
    func recoversWhenAnotherProgramFreesTheDisk(megabytes: Int) throws {
        let disk = try #require(SmallDisk(megabytes: megabytes))
        let spool = try Spool(folder: disk.path + "/spool", maxBytes: 1 << 31)
        try spool.fill(20, count: 50, bytes: 50_000)
        for _ in 0..<3 {
            try disk.fill()
            #expect(spool.shortage?.reason == .diskFull)
            #expect(throws: SpoolError.self) { try spool.fill(200, bytes: 100_000) }
            try spool.trim(before: spool.start, keeping: 0)
            #expect(spool.shortage?.reason == .diskFull, "nothing has been freed")
            disk.free()
            // Nothing can be trimmed: the database is away.
            try spool.trim(before: spool.start, keeping: 0)
            #expect(spool.shortage == nil)
            try spool.fill(1, bytes: 400_000)
        }
        #expect(try spool.all(from: 0).last?.end == spool.end)
    }

    @Test(
        "what is stored makes room while another program keeps the disk full", .enabled(if: isRoot))
    func worksWithinItsFileOnAFullDisk() throws {
        let disk = try #require(SmallDisk(megabytes: 32))
        let spool = try Spool(folder: disk.path + "/spool", maxBytes: 1 << 31)
        try spool.fill(100, bytes: 100_000)
        try disk.fill()
        for _ in 0..<10 {
            _ = fillUp(spool, bytes: 100_000)
            try spool.trim(before: spool.end, keeping: 0)
            #expect(spool.shortage == nil)
            try spool.fill(5, bytes: 100_000)
        }
    }

    @Test(
        "what is kept behind the checkpoint is given up on a small volume", .enabled(if: isRoot),
        arguments: [16, 32])
    func givesUpTheMarginForRoom(megabytes: Int) throws {
        let disk = try #require(SmallDisk(megabytes: megabytes))
        let margin: Int64 = 256 << 20
        for life in 0..<3 {
            let spool = try Spool(folder: disk.path + "/spool", maxBytes: 8 * margin)
            #expect(spool.recovery == nil)
            for round in 0..<300 {
                try spool.fill(1, count: 500, bytes: 100_000, marks: true)
                try spool.trim(before: spool.end, keeping: margin)
                #expect(spool.shortage == nil, "life \(life), round \(round)")
            }
            #expect(spool.end - spool.start > 500 * 20, "some is kept while there is room")
        }
    }

    @Test("a spool is opened on a disk without a free byte", .enabled(if: isRoot))
    func opensOnAFullDisk() throws {
        let disk = try #require(SmallDisk(megabytes: 16))
        var spool: Spool? = try Spool(folder: disk.path + "/spool", maxBytes: 1 << 31)
        try spool?.fill(40, bytes: 100_000)
        let end = spool?.end
        spool = nil
        try disk.fill()
        spool = try Spool(folder: disk.path + "/spool", maxBytes: 1 << 31)
        #expect(spool?.end == end)
        try spool?.trim(before: spool?.end ?? 0, keeping: 0)
        #expect(spool?.shortage == nil)
        try spool?.fill(5, bytes: 100_000)
        spool = nil
    }

    private func fillUp(_ spool: Spool, bytes: Int = 200_000) -> SpoolError? {
        for _ in 0..<10_000 {
            do {
                try spool.fill(1, bytes: bytes, marks: true)
            } catch {
                return error as? SpoolError
            }
        }
        return nil
    }
}

private var isRoot: Bool { geteuid() == 0 }
