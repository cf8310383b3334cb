import Geometry
import Testing
import Tracking
import Watching

/// When a vehicle is too fast.
@Suite struct SpeedTests {
    private func types(_ ride: Ride) -> [String] { ride.alarms.map(\.kind.type) }

    private func began(_ ride: Ride) -> SpeedingStart? {
        for case .speedingStarted(let start) in ride.alarms.map(\.kind) { return start }
        return nil
    }

    private func ended(_ ride: Ride) -> SpeedingEnd? {
        for case .speedingEnded(let end) in ride.alarms.map(\.kind) { return end }
        return nil
    }

    @Test(
        "The lowest known limit counts, of equal ones the first named",
        arguments: [
            (trip: nil, fleet: nil, limits: [20.0], limit: 20.0, from: LimitSource.route),
            (trip: 20, fleet: 20, limits: [20], limit: 20, from: .route),
            (trip: 20, fleet: 20, limits: [0], limit: 20, from: .trip),
            (trip: 25, fleet: 20, limits: [30], limit: 20, from: .fleet),
            (trip: nil, fleet: 22, limits: [30], limit: 22, from: .fleet),
        ] as [(trip: Double?, fleet: Double?, limits: [Double], limit: Double, from: LimitSource)])
    func theLowestLimitCounts(
        trip: Double?, fleet: Double?, limits: [Double], limit: Double, from: LimitSource
    ) throws {
        var ride = Ride {
            $0.speedLimit = fleet; $0.speedDuration = 0
        }
        var options = TripOptions()
        options.speedLimit = trip
        try ride.assign([0, 10_000], limits: limits, options: options)
        ride.fix(0, east: 100, speed: 35)
        #expect(began(ride)?.limit == limit)
        #expect(began(ride)?.limitFrom == from)
    }

    @Test(
        "A segment's limit counts near it and along it, not beside it or the other way",
        arguments: [
            (north: 14, accuracy: nil, course: nil, counts: true),
            (north: 16, accuracy: nil, course: nil, counts: false),
            (north: 24, accuracy: 10, course: nil, counts: true),
            (north: 0, accuracy: nil, course: 134, counts: true),
            (north: 0, accuracy: nil, course: 136, counts: false),
            (north: 0, accuracy: nil, course: 270, counts: false),
        ] as [(north: Double, accuracy: Double?, course: Double?, counts: Bool)])
    func theSegmentsLimit(
        north: Double, accuracy: Double?, course: Double?, counts: Bool
    ) throws {
        var ride = Ride { $0.speedDuration = 0 }
        try ride.assign([0, 10_000], limits: [20])
        ride.fix(0, east: 100, north: north, speed: 30, accuracy: accuracy, course: course)
        #expect(types(ride) == (counts ? ["speeding_started"] : []))
        #expect(ride.watch.speedLimit == (counts ? 20 : nil))
        #expect(ride.watch.isSpeeding == counts)
    }

    @Test("A fix without a speed neither begins, breaks nor ends an excess")
    func aFixWithoutASpeedIsNeutral() {
        var ride = Ride { $0.speedLimit = 25 }
        ride.fix(0, east: 0, speed: 30)
        ride.fix(4, east: 110)
        ride.fix(8, east: 220, speed: 30)
        ride.fix(12, east: 330, speed: 30)
        #expect(began(ride)?.since == Timestamp(seconds: 0))
        ride.fix(14, east: 395)
        #expect(types(ride) == ["speeding_started"])
    }

    @Test("A fix that is slow begins the count anew")
    func aSlowFixBeginsAnew() {
        var ride = Ride { $0.speedLimit = 25 }
        for (time, speed) in [(0.0, 30.0), (5, 30), (9, 26), (10, 30), (15, 30)] {
            ride.fix(time, east: time * 25, speed: speed)
        }
        #expect(types(ride) == [])
        ride.fix(20, east: 500, speed: 30)
        #expect(began(ride)?.since == Timestamp(seconds: 10))
    }

    @Test(
        "Over before and after a gap, and fast enough over it, counts on; otherwise anew",
        arguments: [
            (east: 6000, since: 0), (east: 3000, since: nil),
        ] as [(east: Double, since: Double?)])
    func aGap(east: Double, since: Double?) {
        var ride = Ride { $0.speedLimit = 25 }
        ride.fix(0, east: 0, speed: 29)
        ride.fix(200, east: east, speed: 29)
        #expect(began(ride)?.since == since.map(Timestamp.init(seconds:)))
    }

    @Test("A gap ends what was told, by the next fix or by the clock, at the last fix over")
    func aGapEnds() {
        for speaksClock in [false, true] {
            var ride = Ride { $0.speedLimit = 25 }
            ride.fix(0, east: 0, speed: 30)
            ride.fix(10, east: 300, speed: 30)
            if speaksClock {
                ride.clock(130)
                #expect(ended(ride) == nil)
                ride.clock(130.001)
                #expect(ended(ride) != nil)
            }
            ride.fix(131, east: 400, speed: 30)
            #expect(ended(ride)?.until == Timestamp(seconds: 10))
            #expect(types(ride) == ["speeding_started", "speeding_ended"])
        }
    }

    @Test("After the clock's end the way may still show that the excess went on")
    func theClockWasTooSoon() {
        var ride = Ride {
            $0.speedLimit = 25; $0.speedDuration = 0
        }
        ride.fix(0, east: 0, speed: 30)
        ride.clock(121)
        ride.fix(150, east: 4500, speed: 30)
        // Two rows cannot begin at one time: this one counts from its own fix.
        #expect(types(ride) == ["speeding_started", "speeding_ended", "speeding_started"])
        #expect(ride.ledger.speedings.keys.map(\.seconds).sorted() == [0, 150])
    }

    @Test("Another limit while over goes on in the same episode, with the limit it began with")
    func anotherLimit() throws {
        var ride = Ride()
        try ride.assign([0, 1000, 10_000], limits: [20, 10])
        for time in stride(from: 0.0, through: 60, by: 10) {
            ride.fix(time, east: 400 + time * 25, speed: 25, accuracy: 5)
        }
        ride.fix(70, east: 2000, speed: 9, accuracy: 5)
        #expect(types(ride) == ["speeding_started", "speeding_ended"])
        #expect(ended(ride)?.start.limit == 20)
        #expect(ended(ride)?.topExcess == 15)
        #expect(ended(ride)?.until == Timestamp(seconds: 60))
    }

    @Test("Braking ends an episode at once, though the average of the last seconds is still over")
    func braking() {
        var ride = Ride {
            $0.speedLimit = 25; $0.speedDuration = 0
        }
        var east = 0.0
        for second in 0...30 {
            let speed = (10...20).contains(second) ? 40.0 : 20
            east += speed
            ride.fix(Double(second), east: east, speed: speed, accuracy: 3)
        }
        #expect(types(ride) == ["speeding_started", "speeding_ended"])
        #expect(ended(ride)?.until == Timestamp(seconds: 20))
    }

    @Test("Minutes that were too fast on average are one episode, whatever the fixes report")
    func slowAtEachFix() {
        var ride = Ride { $0.speedLimit = 25 }
        for minute in 0...4 {
            ride.fix(Double(minute) * 60, east: Double(minute) * 2000, speed: 20, accuracy: 5)
        }
        ride.fix(300, east: 8600, speed: 20, accuracy: 5)
        #expect(types(ride) == ["speeding_started", "speeding_ended"])
        #expect(ended(ride)?.start.since == Timestamp(seconds: 0))
        #expect(ended(ride)?.until == Timestamp(seconds: 240))
        #expect(abs((ended(ride)?.distance ?? 0) - 8000) < 10)
    }

    @Test(
        "Section control takes the doubt off where it saves most time",
        arguments: [
            (east: 1100.0, isOver: true), (east: 960, isOver: false),
        ])
    func sectionControl(east: Double, isOver: Bool) throws {
        var ride = Ride()
        // 500 m at 10 (11.4) and 500 at 20 (21.4) with 40 m of doubt: 40.4 and 23.4 s at least.
        try ride.assign([0, 500, 10_000], limits: [10, 20])
        ride.fix(0, east: 0, speed: 5, accuracy: 20)
        ride.fix(64, east: east, speed: 15, accuracy: 20)
        #expect(types(ride) == (isOver ? ["speeding_started"] : []))
        #expect(began(ride)?.basis == (isOver ? .distance : nil))
    }

    @Test("A reported speed that the way does not allow is ignored and counted")
    func implausible() {
        var ride = Ride {
            $0.speedLimit = 25; $0.speedDuration = 0
        }
        ride.fix(0, east: 0, speed: 71)
        ride.fix(10, east: 10, speed: 30)
        #expect(ride.ignoredSpeeds == 2)
        // More than a minute later the way says nothing of the speed.
        ride.fix(71, east: 20, speed: 30)
        #expect(ride.ignoredSpeeds == 2)
        #expect(types(ride) == ["speeding_started"])
    }
}
