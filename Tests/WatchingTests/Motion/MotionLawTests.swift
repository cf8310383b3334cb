import Geometry
import Testing
import Tracking
import Watching

/// What is true of every vehicle's stops, drives and speedings, tried with movements made from seeds.
@Suite struct MotionLawTests {
    private static let seeds: Range<UInt64> = 1..<80

    /// A vehicle that drives, stands, drifts, falls silent and is moved unseen; the clock speaks now and then.
    private func ride(
        seed: UInt64, clock: Bool = true, restarts: Bool = false
    ) throws -> (ride: Ride, last: Double) {
        var random = SplitMix(seed)
        var ride = Ride {
            $0.speedLimit = 20
            $0.tellsStops = true
            $0.speedDuration = [0, 10].randomElement(using: &random) ?? 10
        }
        var (time, east, speed) = (0.0, 0.0, 0.0)
        ride.fix(time, east: east)
        for _ in 0..<300 {
            switch Int.random(in: 0..<40, using: &random) {
            case 0...2: speed = 0
            case 3...5: speed = .random(in: 1...35, using: &random)
            case 6: time += Double(Int.random(in: 3000...9000, using: &random))
            case 7: east += .random(in: 0...300, using: &random)
            case 8 where clock: ride.clock(time + .random(in: 0...400, using: &random))
            default: break
            }
            if restarts { try ride.restart() }
            let step = Double(Int.random(in: 1...50, using: &random))
            time += step
            east += speed * step
            ride.fix(
                time, east: east + .random(in: -30...30, using: &random),
                north: .random(in: -30...30, using: &random),
                speed: Bool.random(using: &random) ? speed : nil,
                accuracy: Bool.random(using: &random) ? .random(in: 3...60, using: &random) : nil,
                ignition: Bool.random(using: &random) ? speed > 0 : nil)
        }
        // The clock has the last word.
        ride.clock(time + 10_000)
        return (ride, time)
    }

    @Test("Stops and drives cover the time from the first fix on, one after the other")
    func nothingIsMissingAndNothingTwice() throws {
        for seed in Self.seeds {
            let (ride, _) = try ride(seed: seed, clock: seed % 2 == 0)
            let spans = ride.ledger.spans
            #expect(spans.first?.from == 0, "seed \(seed)")
            for (span, next) in zip(spans, spans.dropFirst()) where span.to != next.from {
                Issue.record("seed \(seed): \(span), then \(next)")
                return
            }
            #expect(spans.last?.to == nil, "seed \(seed)")
            #expect(spans.last?.isStop == true, "seed \(seed)")
        }
    }

    @Test("The odometer is the sum of the drives")
    func theOdometerIsTheSumOfTheDrives() throws {
        for seed in Self.seeds {
            let (ride, _) = try ride(seed: seed)
            let sum = ride.ledger.drives.values.reduce(0) { $0 + $1.distance }
            #expect(abs(ride.watch.odometer - sum) < 0.01, "seed \(seed)")
        }
    }

    @Test("Every speeding that was told ends, within its time, and none overlap")
    func everySpeedingEnds() throws {
        for seed in Self.seeds {
            let (ride, last) = try ride(seed: seed)
            var until = -Double.infinity
            for (since, end) in ride.ledger.speedings.sorted(by: { $0.key < $1.key }) {
                guard let end else {
                    Issue.record("seed \(seed): the one since \(since.seconds) never ends")
                    return
                }
                #expect(since.seconds >= until && end.until >= since, "seed \(seed)")
                #expect(end.topExcess > 0 && end.distance >= 0, "seed \(seed)")
                until = end.until.seconds
            }
            #expect(until <= last)
            let told = ride.alarms.map(\.kind.type).filter { $0.hasPrefix("speeding") }
            for (index, type) in told.enumerated() {
                #expect(type == (index % 2 == 0 ? "speeding_started" : "speeding_ended"))
            }
        }
    }

    @Test("Stops are told to start and to end in turns")
    func stopsAlternate() throws {
        for seed in Self.seeds {
            let (ride, _) = try ride(seed: seed)
            let told = ride.alarms.map(\.kind.type).filter { $0.hasPrefix("stop") }
            for (index, type) in told.enumerated() {
                #expect(type == (index % 2 == 0 ? "stop_started" : "stop_ended"), "seed \(seed)")
            }
        }
    }

    @Test("A restart after any fix tells and writes the same")
    func restartsChangeNothing() throws {
        for seed in Self.seeds {
            let (whole, _) = try ride(seed: seed)
            let (restarted, _) = try ride(seed: seed, restarts: true)
            #expect(whole.alarms == restarted.alarms, "seed \(seed)")
            #expect(whole.ledger == restarted.ledger, "seed \(seed)")
            #expect(whole.watch.odometer == restarted.watch.odometer, "seed \(seed)")
        }
    }

    @Test("A night of drift is one stop and no metre")
    func aNightOfDrift() throws {
        for seed in Self.seeds {
            var random = SplitMix(seed)
            var ride = Ride()
            ride.fix(0, east: 0, accuracy: 20)
            var time = 0.0
            while time < 36_000 {
                time += .random(in: 1...900, using: &random)
                ride.fix(
                    time, east: .random(in: -34...34, using: &random),
                    north: .random(in: -34...34, using: &random), accuracy: 20)
            }
            #expect(ride.ledger.spans == [.stop(0)], "seed \(seed)")
            #expect(ride.watch.odometer == 0)
        }
    }
}
