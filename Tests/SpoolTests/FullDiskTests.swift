import Foundation
import Spool
import Testing

/// A file system of a few megabytes, for tests that run as root.
private final class SmallDisk {
    let path: String

    init?(kilobytes: Int) {
        path = "/tmp/waygate-disk-\(UUID().uuidString)"
        mkdir(path, 0o700)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(kilobytes)k") == 0 else {
            rmdir(path)
            return nil
        }
    }

    deinit {
        umount(path)
        rmdir(path)
    }
}

@Suite(.timeLimit(.minutes(2)))
struct FullDiskTests {
    @Test("a full disk loses nothing, can be trimmed, and is filled again", .enabled(if: isRoot))
    func survivesFullDisk() throws {
        let disk = try #require(SmallDisk(kilobytes: 48 << 10))
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

    private func fillUp(_ spool: Spool) -> SpoolError? {
        for _ in 0..<10_000 {
            do {
                try spool.fill(1, bytes: 200_000, marks: true)
            } catch {
                return error as? SpoolError
            }
        }
        return nil
    }
}

private var isRoot: Bool { geteuid() == 0 }
