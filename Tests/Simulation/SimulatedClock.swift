import Synchronization
import Tracking
import Worker

/// Time that passes only when the story says so.
final class SimulatedClock: WorkerClock {
    private let microseconds = Atomic<Int64>(1_772_366_400_000_000)

    var now: Timestamp { Timestamp(microseconds: microseconds.load(ordering: .relaxed)) }
    var uptime: Double { Double(microseconds.load(ordering: .relaxed)) / 1e6 }

    func pass(seconds: Double) {
        microseconds.add(Int64(seconds * 1e6), ordering: .relaxed)
    }
}
