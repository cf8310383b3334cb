import Geometry
import Spool
import Store
import Synchronization
import Telemetry
import Testing
import Tracking

@testable import Worker

/// A machine's clock that tests set as they like, beside one that only runs.
private final class SettableClock: WorkerClock {
    private let times = Mutex((now: 1_772_366_400.0, uptime: 100.0))

    var now: Timestamp { Timestamp(seconds: times.withLock { $0.now }) }
    var uptime: Double { times.withLock { $0.uptime } }
    let boot = "one"

    func pass(_ seconds: Double) {
        times.withLock { $0 = ($0.now + seconds, $0.uptime + seconds) }
    }

    func set(by seconds: Double) {
        times.withLock { $0.now += seconds }
    }
}

/// What the machine's clock does to vehicles, and what it does not.
@Suite struct ClockTests {
    private static let day = 86_400.0

    /// A fleet that takes entries one after the other, at the times of a clock.
    private struct Story {
        let clock = SettableClock()
        let fleet = Fleet(
            position: 0, spoolID: "s", settings: FleetSettings(topicRoot: "fleet"), isLive: true)

        init() { fleet.changes = StoreChanges(from: 0) }

        func apply(_ fill: (inout EntryBatch) -> Void) {
            var batch = EntryBatch()
            batch.first = fleet.position
            fill(&batch)
            fleet.uptime = clock.uptime
            fleet.apply(batch)
        }

        func take(_ topic: String, _ payload: String) {
            Array(topic.utf8).withUnsafeBytes { topic in
                Array(payload.utf8).withUnsafeBytes { payload in
                    apply {
                        $0.append(.message, receivedAt: clock.now, topic: topic, payload: payload)
                    }
                }
            }
        }

        func assign(_ members: String = "", options: String = "{}") {
            take(
                "fleet/v/command/assign",
                """
                {"trip_id":"t","route":{"coordinates":[[9.5,47.1],[9.54,47.1]]},
                 "options":\(options)\(members)}
                """)
        }

        func report(at time: Timestamp, east: Double) {
            take(
                "fleet/v/position",
                "{\"time\":\(time.seconds),\"lat\":47.1,\"lon\":\(9.5 + east)}")
        }

        func set(by seconds: Double) {
            clock.set(by: seconds)
            apply { $0.append(ClockStep(seconds: seconds).entry(at: clock.now)) }
        }

        var vehicle: Vehicle? { fleet.vehicles["v"] }
        var tracked: [Bool] { (fleet.changes?.positions ?? []).map(\.tracked) }
    }

    @Test(arguments: [-2 * day, 2 * day, 3600, -3600])
    func aTripAssignedByAWrongClockIsNotDeafOnceThatIsRight(ahead: Double) {
        let story = Story()
        story.clock.set(by: ahead)
        story.assign()
        // A device that took its time from the same wrong source.
        story.report(at: story.clock.now, east: 0.001)
        story.clock.pass(10)
        story.set(by: -ahead)
        story.clock.pass(10)
        story.report(at: story.clock.now, east: 0.002)
        story.clock.pass(10)
        story.report(at: story.clock.now, east: 0.003)
        #expect(story.tracked == [true, true, true])
        #expect(story.vehicle?.newest?.time == story.clock.now)
        #expect(story.vehicle?.trip?.progress.time == story.clock.now)
    }

    @Test func aPauseLastsAsLongAsItWouldHave() throws {
        let story = Story()
        story.clock.set(by: 2 * Self.day)
        story.assign(options: "{\"max_age_at_assignment_s\":1000000}")
        story.report(at: story.clock.now, east: 0.001)
        story.clock.pass(60)
        story.take("fleet/v/command/reroute", "")
        let failed = Notice(tripID: "t", request: 1, reason: "no road").encoded()
        story.apply {
            $0.append(
                OwnEntry(
                    kind: .routeFailed, receivedAt: story.clock.now, vehicleID: "v",
                    payload: failed))
        }
        story.set(by: -2 * Self.day)
        // Off the route: asked again once thirty seconds are over, and not after two days.
        func stray(after seconds: Double) -> Int? {
            story.clock.pass(seconds)
            story.take(
                "fleet/v/position",
                "{\"time\":\(story.clock.now.seconds),\"lat\":47.11,\"lon\":9.501}")
            return story.vehicle?.trip?.outstandingRequest?.request.number
        }
        let numbers = [stray(after: 20), stray(after: 11)]
        #expect(numbers == [nil, 2])
    }

    // MARK: Timers

    private func timed(_ story: Story, options: String = "{}") throws -> (Vehicle, TripTimers) {
        story.assign(options: options)
        var timers = TripTimers()
        let vehicle = try #require(story.vehicle)
        timers.add(vehicle, story.clock.uptime, at: story.clock.now)
        return (vehicle, timers)
    }

    private func listening(since: Double, drained: Bool = true) -> Listening {
        var listening = Listening()
        listening.note(isSubscribed: true, hasMore: false, at: since)
        if drained { listening.note(isSubscribed: true, hasMore: false, at: since) }
        return listening
    }

    @Test func aTripExpiresAfterSteadySilenceAndNeverByAStep() throws {
        let story = Story()
        var (vehicle, timers) = try timed(story)
        let listening = listening(since: 100)
        func due() -> [EntryKind] {
            timers.due(story.clock.uptime, listening, at: story.clock.now).map(\.kind)
        }
        story.clock.set(by: 30 * Self.day)
        #expect(due() == [])
        story.clock.pass(Self.day - 10)
        #expect(due() == [])
        // Heard of again.
        story.report(at: story.clock.now, east: 0.001)
        story.clock.pass(Self.day - 1)
        #expect(due() == [])
        story.clock.pass(2)
        #expect(due() == [.expiry])
        #expect(vehicle.timer.second != nil, "it is looked at again, should the entry be lost")
    }

    @Test func aPlannersSilenceIsMeasuredFromWhenItIsHeard() throws {
        let story = Story()
        var (vehicle, timers) = try timed(story)
        story.take("fleet/v/command/reroute", "")
        timers.add(vehicle, story.clock.uptime, at: story.clock.now)
        func due(_ listening: Listening) -> [EntryKind] {
            timers.due(story.clock.uptime, listening, at: story.clock.now).map(\.kind)
        }
        story.clock.set(by: -Self.day)
        story.clock.pass(30)
        // Without a subscription, and before what the broker had queued is read, an answer may be on its way.
        #expect(due(Listening()) == [])
        #expect(due(listening(since: 130, drained: false)) == [])
        #expect(due(listening(since: 130)) == [])
        story.clock.pass(19)
        #expect(due(listening(since: 130)) == [])
        story.clock.pass(2)
        #expect(due(listening(since: 130)) == [.routeFailed])
        vehicle.trip = nil
        story.clock.pass(100)
        #expect(due(listening(since: 130)) == [])
    }

    @Test func aWorkerThatWasAwayReadsBeforeItJudges() throws {
        let story = Story()
        var (vehicle, timers) = try timed(story)
        timers.resume(vehicle, silence: 47 * 3600, story.clock.uptime, at: story.clock.now)
        let listening = listening(since: 100)
        func due() -> [EntryKind] {
            timers.due(story.clock.uptime, listening, at: story.clock.now).map(\.kind)
        }
        story.clock.pass(29)
        #expect(due() == [])
        var heard = timers
        story.clock.pass(2)
        #expect(due() == [.expiry])
        vehicle.timer.second = 130
        story.report(at: story.clock.now, east: 0.001)
        #expect(heard.due(story.clock.uptime, listening, at: story.clock.now).isEmpty)
    }

    @Test func aSilenceMeasuredByAClockThatWasAheadIsTakenBack() throws {
        let story = Story()
        var (vehicle, timers) = try timed(story)
        timers.resume(vehicle, silence: 2 * Self.day + 600, story.clock.uptime, at: story.clock.now)
        timers.shorten(vehicle, by: 2 * Self.day)
        story.clock.pass(60)
        let entries = timers.due(story.clock.uptime, listening(since: 100), at: story.clock.now)
        #expect(entries.isEmpty)
        #expect(vehicle.timer.heardAt == story.clock.uptime - 660)
        // What was heard in this life has nothing to do with it.
        vehicle.timer.heardAt = story.clock.uptime
        timers.shorten(vehicle, by: 2 * Self.day)
        #expect(vehicle.timer.heardAt == story.clock.uptime)
    }

    // MARK: Noticing

    @Test func onlyWhatChangesAtOnceIsAStep() {
        let clock = SettableClock()
        var receptions = ReceptionClock(clock)
        var steps: [Double?] = []
        for change in [0, 0.3, -0.3, 172_800, 0, -172_800, 0.9, 0.9] {
            clock.pass(5)
            clock.set(by: change)
            steps.append(receptions.read().step?.rounded())
        }
        #expect(steps == [nil, nil, nil, 172_800, nil, -172_800, nil, nil])
    }

    @Test func aStepComesBackAsItWentIn() {
        for seconds in [-172_800.25, 3.5] {
            let entry = ClockStep(seconds: seconds).entry(at: Timestamp(seconds: 9))
            let read = entry.payload.withUnsafeBytes { ClockStep($0) }
            #expect(read == ClockStep(seconds: seconds))
        }
        #expect([UInt8]("x".utf8).withUnsafeBytes { ClockStep($0) } == nil)
    }

    @Test(arguments: [
        ([3, 0], true), ([1, 1, 1], true), ([2], false), ([2, -1, 2], false), ([5, -1], false),
    ])
    func theClockIsSuspectedWhenNothingElseComes(_ refusals: [Int], isRaised: Bool) {
        var suspicion = ClockSuspicion()
        for count in refusals {
            var tally = FleetTally()
            if count < 0 { tally.accepted = 1 } else { tally.rejected["time_in_future"] = count }
            suspicion.note(tally)
        }
        #expect(suspicion.isRaised == isRaised)
    }

    @Test func aStepBetweenTwoProcessesIsNoticed() throws {
        let clock = SettableClock()
        var first = ReceptionClock(clock)
        #expect(first.read().step == nil)
        clock.pass(60)
        clock.set(by: 2 * Self.day)
        var second = ReceptionClock(clock, origin: first.origin)
        let step = try #require(second.read().step)
        #expect(abs(step - 2 * Self.day) < 0.01)
        #expect(second.read().step == nil)
    }

    @Test func aStepThatWasAboutToBeWrittenIsToldUnlessItWas() throws {
        let memory = ClockMemory(boot: "one", before: 100, after: 200.5, position: 7)
        #expect(memory.origin(at: 7) == 100)
        #expect(memory.origin(at: 8) == 200.5)
        #expect(ClockMemory(memory.bytes) == memory)
        #expect(ClockMemory(Array("one 1 2".utf8)) == nil)
    }
}
