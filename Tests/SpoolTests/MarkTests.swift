import Foundation
import Spool
import Testing

@Suite(.timeLimit(.minutes(2)))
struct MarkTests {
    @Test("marks outlive trimming and restarts, and are forgotten with the session")
    func outliveTrimming() throws {
        let folder = try Folder()
        var spool: Spool? = try folder.open()
        try spool?.fill(10, count: 3, marks: true)
        try spool?.fill(1, count: 3)
        try spool?.trim(before: 33, keeping: 0)
        #expect(spool?.start == 33)
        let marks = (0..<30).map { Mark(packetID: UInt16($0 + 1), digest: UInt64($0)) }
        #expect(try spool?.marks() == marks)
        spool = nil
        let again = try folder.open()
        #expect(try again.marks() == marks)
        try again.forgetMarks()
        #expect(try again.marks() == [])
        try again.fill(1, count: 2, marks: true)
        #expect(try again.marks().map(\.packetID) == [34, 35])
    }

    @Test("of more than 65,535 marks the last are kept, also across a restart")
    func keepsTheLast() throws {
        let folder = try Folder()
        var spool: Spool? = try folder.open()
        try spool?.fill(70, count: 1000, bytes: 10, marks: true)
        #expect(try spool?.marks().map(\.digest) == (70_000 - 65_535..<70_000).map { UInt64($0) })
        spool = nil
        let again = try folder.open()
        try again.fill(10, count: 1000, bytes: 10, marks: true)
        #expect(try again.marks().map(\.digest) == (80_000 - 65_535..<80_000).map { UInt64($0) })
    }

    @Test("the digest is the same in every run, and differs with each byte and each border")
    func digests() {
        func digest(_ a: String, _ b: String) -> UInt64 {
            Array(a.utf8).withUnsafeBytes { a in Array(b.utf8).withUnsafeBytes { Digest.of(a, $0) }
            }
        }
        #expect(digest("fleet/bus/position", "{}") == 7_740_475_979_974_722_703)
        let payload = String(repeating: "x", count: 40)
        var seen: Set<UInt64> = [
            digest("topic", payload), digest("", ""), digest("topi", "c\(payload)"),
        ]
        for place in 0..<40 {
            var bytes = Array(payload.utf8)
            bytes[place] ^= 1
            seen.insert(digest("topic", String(decoding: bytes, as: UTF8.self)))
            seen.insert(digest("topic", String(payload.prefix(place))))
            seen.insert(digest("topic", String(payload.prefix(place)) + "\0"))
        }
        #expect(seen.count == 3 + 3 * 40)
    }
}
