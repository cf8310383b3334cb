import Foundation
import Testing

/// The whole pipeline in one thread, on simulated time, broker, database, planner and disk, with faults at
/// any point.
///
/// `WAYGATE_SIMULATION_SEEDS=1000000` runs a million seeds, `WAYGATE_SIMULATION_FROM` says where to begin.
@Suite struct SimulationTests {
    private static func number(_ name: String, default value: UInt64) -> UInt64 {
        ProcessInfo.processInfo.environment[name].flatMap(UInt64.init) ?? value
    }

    @Test func keepsEveryPromiseThroughEveryFault() throws {
        let first = Self.number("WAYGATE_SIMULATION_FROM", default: 1)
        let count = Self.number("WAYGATE_SIMULATION_SEEDS", default: 200)
        for seed in first..<first + count {
            let faults = Self.faults(of: Story(seed: seed))
            guard !faults.isEmpty else { continue }
            let short = Story(seed: seed).shrunk { !Self.faults(of: $0).isEmpty }
            let text = short.happenings.map { "\($0)" }.joined(separator: "\n")
            let left = Self.faults(of: short).joined(separator: "\n")
            Issue.record(
                "seed \(seed):\n\(faults[0])\nshortest story:\n\(text)\nleads to:\n\(left)")
            return
        }
    }

    @Test func aSeedGivesTheSameRunAgain() throws {
        let runs = try (0..<2).map { _ in
            let world = try World(seed: 7)
            _ = try world.live(Story(seed: 7))
            return world.broker.published
        }
        #expect(runs[0] == runs[1])
        #expect(!runs[0].isEmpty)
    }

    private static func faults(of story: Story) -> [String] {
        do {
            let world = try World(seed: story.seed)
            guard try world.live(story) else {
                return ["never came to rest: \(world.worker.failure ?? world.unrest)"]
            }
            return Verdict(world).faults
        } catch {
            return ["\(error)"]
        }
    }
}
