import Foundation
import Testing

/// Drives through streets that cross and are driven twice, seen by bad receivers.
///
/// `WAYGATE_DRIVES=2000 swift test --filter StreetDriveTests` drives more of them and prints what came of them.
@Suite struct StreetDriveTests {
    private static let wanted = ProcessInfo.processInfo.environment["WAYGATE_DRIVES"]
    /// How many drives of each kind.
    private static let count = wanted.flatMap(UInt64.init) ?? 240

    private static let sigmas = [0.0, 8, 15, 25]
    private static let intervals = [1.0, 2, 3, 5, 10, 15, 20, 30]

    /// Tries drives of all streets, receivers and intervals, and prints the tallies where they were asked for.
    private func tally(
        _ name: String, plans: [StreetPlan], isSteady: Bool
    ) throws -> DriveTally {
        var all = DriveTally()
        var rows: [String: DriveTally] = [:]
        for seed in 0..<Self.count {
            let number = Int(seed)
            let plan = plans[number % plans.count]
            let sigma = Self.sigmas[number / plans.count % 4]
            let interval = Self.intervals[number / plans.count / 4 % 8]
            let manner = StreetDrive.Manner(sigma: sigma, interval: interval, isSteady: isSteady)
            let tally = try StreetDrive(seed: seed &* 7919 &+ 1, plan: plan, manner).track()
            all += tally
            rows["\(plan)", default: DriveTally()] += tally
            rows["error \(Int(sigma)) m", default: DriveTally()] += tally
            rows["every \(Int(interval)) s", default: DriveTally()] += tally
        }
        show(name, all, rows)
        return all
    }

    private func show(_ name: String, _ all: DriveTally, _ rows: [String: DriveTally]) {
        guard Self.wanted != nil else { return }
        let lines = rows.sorted { $0.key.localizedStandardCompare($1.key) == .orderedAscending }
            .map { $1.row("  " + $0) }
        print(([DriveTally.heading, all.row(name)] + lines).joined(separator: "\n"))
    }

    @Test func evenDrivesAreFollowed() throws {
        let tally = try tally(
            "even drives", plans: [.blocks, .streets, .twiceRound, .otherBlocks, .town],
            isSteady: true)
        expectAllWell(tally, wrong: 0.0002)
    }

    // Who turns back on the same street between two fixes cannot be seen to do so.
    @Test func drivesThatTurnBackAreFollowed() throws {
        expectAllWell(
            try tally("turning back", plans: [.turningBack], isSteady: true), wrong: 0.001)
    }

    // A vehicle that stands where streets cross, as long as errors last, may seem to be on any of them.
    @Test func unevenDrivesAreFollowed() throws {
        let tally = try tally(
            "uneven drives", plans: StreetPlan.allCases, isSteady: false)
        expectAllWell(tally, wrong: 0.001)
    }

    @Test(arguments: [true, false]) func simulatedFleetIsNeverRerouted(waits: Bool) throws {
        var all = DriveTally()
        for seed in 0..<Self.count {
            let manner = StreetDrive.Manner(
                sigma: 25, lasting: 0, interval: 3, speed: 120 / 3.6, isSimulated: true,
                waits: waits)
            all += try StreetDrive(seed: ~seed, plan: .town, manner).track()
        }
        show("simulated", all, [:])
        expectAllWell(all, wrong: 0.003)
    }

    private func expectAllWell(_ tally: DriveTally, wrong: Double) {
        #expect(tally.reroutes == 0)
        #expect(tally.missed == 0)
        #expect(tally.outOfOrder == 0)
        #expect(tally.notArrived == 0)
        #expect(tally.wrongShare <= wrong, "\(tally.wrong) of \(tally.places)")
    }
}
