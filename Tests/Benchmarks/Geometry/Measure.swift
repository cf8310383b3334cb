/// Measures a piece of work that is too short for one look at a clock.
enum Measure {
    /// Runs work over and over, prints the time of one run, and returns it in nanoseconds.
    ///
    /// It is the least of many short rounds: a machine that is busy with other things only makes it longer.
    ///
    /// - Parameters:
    ///   - name: What the work is.
    ///   - runs: How many runs a round has.
    ///   - work: The work; takes the run's number and returns what must not be optimised away.
    @discardableResult
    static func time(_ name: String, runs: Int, _ work: (Int) -> Double) -> Double {
        let clock = ContinuousClock()
        var least = Duration.seconds(1_000_000)
        var sum = 0.0
        for _ in 0..<rounds {
            let took = clock.measure {
                for run in 0..<runs { sum += work(run) }
            }
            least = min(least, took)
        }
        let nanoseconds = least / .nanoseconds(1) / Double(runs)
        print(pad(name, 46), pad("\(nanoseconds.rounded()) ns", -14), sum.isNaN ? "no number" : "")
        return nanoseconds
    }

    /// How many rounds each measurement has.
    private static let rounds = 200

    /// Returns a text with blanks behind it, or before it where the width is negative.
    static func pad(_ text: String, _ width: Int) -> String {
        let blanks = String(repeating: " ", count: max(0, abs(width) - text.count))
        return width < 0 ? blanks + text : text + blanks
    }
}

/// Random numbers that are the same on each run (SplitMix64).
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    mutating func number(_ range: ClosedRange<Double>) -> Double {
        Double.random(in: range, using: &self)
    }
}
