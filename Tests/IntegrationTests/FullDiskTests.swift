import Foundation
import TestServers
import Testing

/// What becomes of a worker whose spool's disk is small, or filled by another program.
@Suite(.serialized, .timeLimit(.minutes(3))) struct FullDiskTests {
    /// Publishes positions of a kilobyte each, of ten vehicles.
    private func publish(_ count: Int, from first: Int = 0, _ test: WorkerUnderTest) throws {
        let begin = Int(Date.now.timeIntervalSince1970) - 200_000
        let note = String(repeating: "x", count: 1000)
        for number in first..<first + count {
            test.client.publish(
                "fleet/v\(number % 10)/position",
                """
                {"time":\(begin + number),"lat":47.1,"lon":9.5,"attributes":{"note":"\(note)"}}
                """)
        }
        try test.client.settle()
    }

    private func expectPositions(_ count: Int, _ test: WorkerUnderTest) throws {
        try test.expect(
            ["\(count)|\(count)"],
            from: "select count(*), count(distinct (vehicle_id, fix_time)) from waygate.positions",
            within: 60)
    }

    @Test func aSmallVolumeFillsWhileTheDatabaseIsAwayAndEmptiesAfterwards() throws {
        let test = try WorkerUnderTest(spoolMegabytes: 16)
        try test.database.crash()
        try publish(20_000, test)
        _ = try test.client.wait("the worker to say that the disk is full", within: 30) {
            test.log().contains("cannot write the spool") ? true : nil
        }
        test.kill()
        try test.database.start()
        try test.start()
        try expectPositions(20_000, test)
        #expect(test.log().components(separatedBy: "\n").count < 60)
        #expect(try test.stop() == 0)
    }

    @Test func aVolumeSmallerThanWhatIsKeptBehindTheCheckpointLetsEverythingThrough() throws {
        let test = try WorkerUnderTest(spoolMegabytes: 32)
        try publish(40_000, test)
        try expectPositions(40_000, test)
        #expect(try test.stop() == 0)
        try test.start()
        try publish(1000, from: 40_000, test)
        try expectPositions(41_000, test)
        #expect(try test.stop() == 0)
    }

    @Test func aDiskThatAnotherProgramFilledAndFreedIsUsedAgain() throws {
        let test = try WorkerUnderTest(spoolMegabytes: 48)
        let disk = try #require(test.disk)
        try publish(1000, test)
        try expectPositions(1000, test)
        try test.database.crash()
        try disk.fill()
        try publish(3000, from: 1000, test)
        _ = try test.client.wait("the worker to say that the disk is full") {
            test.log().contains("cannot write the spool") ? true : nil
        }
        disk.free()
        // The database is still away, so that nothing can be trimmed.
        _ = try test.client.wait("the worker to go on", within: 10) {
            test.log().contains("can be written again") ? true : nil
        }
        try test.database.start()
        try expectPositions(4000, test)
        #expect(try test.stop() == 0)
    }
}
