import Synchronization
import Tracking
import Worker

/// Time that passes only when the story says so, and a machine's clock that is set ahead or behind it.
final class SimulatedClock: WorkerClock {
    private static let begin: Int64 = 1_772_366_400_000_000
    private let passed = Atomic<Int64>(0)
    private let error = Atomic<Int64>(0)

    var uptime: Double { Double(passed.load(ordering: .relaxed)) / 1e6 }

    let boot = "simulated"

    /// The time that devices have from satellites.
    var trueNow: Timestamp {
        Timestamp(microseconds: Self.begin + passed.load(ordering: .relaxed))
    }

    var now: Timestamp {
        Timestamp(microseconds: trueNow.microseconds + error.load(ordering: .relaxed))
    }

    func pass(seconds: Double) {
        passed.add(Int64(seconds * 1e6), ordering: .relaxed)
    }

    /// Sets the machine's clock.
    func set(ahead seconds: Double) {
        error.store(Int64(seconds * 1e6), ordering: .relaxed)
    }
}
