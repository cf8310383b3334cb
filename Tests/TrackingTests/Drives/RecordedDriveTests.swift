import Foundation
import Recordings
import Testing

/// Recorded drives, thinned to up to a minute and seen by bad receivers.
///
/// `WAYGATE_DRIVES=2000 swift test --filter RecordedDriveTests` tries more errors and prints what came of them.
@Suite struct RecordedDriveTests {
    private static let wanted = ProcessInfo.processInfo.environment["WAYGATE_DRIVES"]
    /// How many errors of each size each recording is seen with.
    private static let count = max((wanted.flatMap(UInt64.init) ?? 0) / 200, 1)
    /// The only one that was not driven.
    private static let walk = "cerknicko-jezero.gpx"

    private func tally(_ name: String, of recordings: [Recording]) throws -> DriveTally {
        var all = DriveTally()
        var rows: [(String, DriveTally)] = []
        for interval in [1.0, 5, 15, 30, 60] {
            var row = DriveTally()
            for recording in recordings {
                let drive = try RecordedDrive(recording, every: interval)
                for sigma in [0.0, 8, 15, 25] {
                    for seed in 0..<Self.count {
                        row += try drive.track(sigma: sigma, seed: seed &* 7919 &+ 1)
                    }
                }
            }
            rows.append(("  every \(Int(interval)) s", row))
            all += row
        }
        if Self.wanted != nil {
            let lines = ([(name, all)] + rows).map { $1.row($0) }
            print(([DriveTally.heading] + lines).joined(separator: "\n"))
        }
        return all
    }

    @Test func recordedDrivesAreFollowed() throws {
        let drives = try Recording.all().filter { $0.name != Self.walk }
        #expect(drives.count == 17)
        expectAllWell(try tally("recorded drives", of: drives), wrong: 0.0002)
    }

    // It stands for minutes, and goes round slower than the errors change: they look like the way.
    @Test func aRecordedWalkIsFollowed() throws {
        let walks = try Recording.all().filter { $0.name == Self.walk }
        #expect(walks.count == 1)
        expectAllWell(try tally("recorded walk", of: walks), wrong: 0.004)
    }

    private func expectAllWell(_ tally: DriveTally, wrong: Double) {
        #expect(tally.reroutes == 0)
        #expect(tally.missed == 0)
        #expect(tally.outOfOrder == 0)
        #expect(tally.notArrived == 0)
        #expect(tally.wrongShare <= wrong, "\(tally.wrong) of \(tally.places)")
    }
}
