import Geometry
import Testing
import Tracking

/// What is true of every trip, tried with trips made from seeds.
///
/// Some laws hold only as far as the fixes tell where the vehicle is. Where the route passes itself and the vehicle can
/// have come to either pass since the fix before, rule 5 has to choose, and one choice is wrong now and then:
/// - A stop across the divided road from the last fix: the vehicle may as well have stood. It is so with any route
///   that passes its stop twice, when no fix between tells which time it is.
/// - A stop that was reached a radius too early, before a turn: the road back is nearer than the stop itself.
/// - Noise larger than the way between two passes.
///
/// Such trips may break a law, but few of them do; all others never do.
@Suite struct LawTests {
    /// Tries a law with every seed, and tells the first seeds that break it.
    ///
    /// - Parameters:
    ///   - law: Its number, so that each law has seeds of its own.
    ///   - noise: Metres that fixes may be off, so that they leave open where the vehicle is; `nil` for a law that
    ///     holds all the same.
    ///   - share: How many of all trips may break it for that reason.
    private func forEachSeed(
        of law: Int, noise: ((RandomTrip) -> Double)? = nil, share: Double = 0.01,
        _ complain: (RandomTrip, inout SeededGenerator) throws -> String?
    ) throws {
        var broken = 0
        var excused = 0
        let seeds = lawSeeds(of: law)
        for seed in seeds {
            let story = try RandomTrip(seed: seed)
            var random = SeededGenerator(seed: ~seed)
            guard let complaint = try complain(story, &random) else { continue }
            if let noise, try story.canBeElsewhere(noise: noise(story)) {
                excused += 1
                continue
            }
            broken += 1
            if broken <= 5 { Issue.record("seed \(seed): \(complaint) (\(story))") }
        }
        #expect(broken == 0)
        #expect(Double(excused) <= share * Double(seeds.count))
    }

    /// Feeds a fix, and releases the hold that comes of it.
    private func drive(_ trip: inout Trip, _ fix: Fix) -> [TripEvent] {
        var events = trip.handle(.fix(fix), at: fix.time).events
        if trip.state == .held {
            events += trip.handle(.proceed(waypointIndex: nil), at: fix.time).events
        }
        return events
    }

    @Test func everyViaPointIsReachedOnceAndInOrder() throws {
        try forEachSeed(of: 0, noise: { _ in 0 }) { story, random in
            var trip = try story.start()
            var reached: [Int] = []
            for fix in story.fixes(of: trip, &random) {
                let isComplete = reached.count == story.assignment.viaPoints.count
                for event in drive(&trip, fix) {
                    switch event.kind {
                    case .waypointReached(let waypoint, _, _): reached.append(waypoint.index)
                    case .waypointResumed: break
                    case .arrived:
                        let count = story.assignment.viaPoints.count
                        if reached.count < count
                            || !isComplete && story.assignment.options.waitsAtWaypoints
                        {
                            return "arrived after \(reached)"
                        }
                    default: return "\(event.kind.name)"
                    }
                }
            }
            let all = Array(story.assignment.viaPoints.indices)
            return reached == all ? nil : "reached \(reached) of \(all.count)"
        }
    }

    @Test func everyDriveArrivesOnceAtItsEndAndNothingFollows() throws {
        try forEachSeed(of: 1, noise: { _ in 0 }) { story, random in
            var trip = try story.start()
            let fixes = story.fixes(of: trip, &random)
            let stride = story.speed * story.interval
            var arrivals = 0
            for fix in fixes {
                let wasOver = trip.isOver
                let events = drive(&trip, fix)
                if wasOver && !events.isEmpty { return "\(events[0].kind.name) after the arrival" }
                for event in events where event.kind.name == "arrived" {
                    arrivals += 1
                    let end = story.line.point(at: story.line.length)
                    if fix.coordinate.distance(to: end) > story.assignment.options.arrivalRadius {
                        return "arrived at \(fix.time.seconds) s, away from the end"
                    }
                }
            }
            if arrivals == 0, stride < min(150, story.line.length / 8) { return "no arrival" }
            guard trip.isOver else { return nil }
            let end = fixes.count
            for second in 1...20 {
                let fix = Fix(
                    time: Timestamp(seconds: Double(end + second) * story.interval),
                    coordinate: random.place(near: story.line.vertex(0), within: 3000))
                for input in [
                    TripInput.fix(fix), .proceed(waypointIndex: nil), .skip(waypointIndex: nil),
                    .reroute, .stop(.expired),
                ] where !trip.handle(input, at: fix.time).events.isEmpty {
                    return "an event after the arrival"
                }
            }
            return nil
        }
    }

    @Test func holdsMoveNothing() throws {
        try forEachSeed(of: 2) { story, random in
            var trip = try story.start()
            for fix in story.fixes(of: trip, &random) {
                _ = trip.handle(.fix(fix), at: fix.time)
                guard trip.state == .held else { continue }
                let before = trip.progress
                var breaches = 0
                for step in 1...8 {
                    let stray = Fix(
                        time: fix.time.advanced(by: Double(step) * story.interval / 10),
                        coordinate: random.place(near: fix.coordinate, within: 900))
                    let events = trip.handle(.fix(stray), at: stray.time).events
                    breaches += events.count
                    if events.contains(where: { $0.kind.name != "hold_breached" }) || breaches > 1 {
                        return "\(events.map(\.kind.name)) while held"
                    }
                    let after = trip.progress
                    guard after.state == .held, after.location == before.location,
                        after.remainingDistance == before.remainingDistance,
                        after.activeWaypoint == before.activeWaypoint,
                        after.remainingWaypoints == before.remainingWaypoints,
                        after.deviation == before.deviation
                    else { return "moved while held" }
                }
                _ = trip.handle(.proceed(waypointIndex: nil), at: fix.time)
            }
            return nil
        }
    }

    // Noise beyond half the radius, up to a third of the limit, is tried too.
    @Test(arguments: [true, false]) func noiseNeverReroutes(isSmall: Bool) throws {
        func noise(_ story: RandomTrip) -> Double {
            let options = story.assignment.options
            let third = options.deviationDistance / 3.01
            return isSmall ? min(third, options.arrivalRadius / 2) : third
        }
        try forEachSeed(
            of: isSmall ? 3 : 4, noise: noise, share: isSmall ? 0.01 : 0.03
        ) { story, random in
            var trip = try story.start()
            let noise = noise(story)
            for fix in story.fixes(of: trip, noise: noise, &random) {
                let events = drive(&trip, fix)
                if events.contains(where: { $0.kind.name == "will_reroute" }) {
                    return
                        "rerouted at \(fix.time.seconds) s, \(trip.progress.deviation ?? 0) m off"
                }
            }
            return nil
        }
    }

    @Test(arguments: [0.0, 10, 30])
    func remainingDistanceGrowsByNoMoreThanNoise(noise: Double) throws {
        let law = noise == 0 ? 5 : noise < 15 ? 6 : 7
        try forEachSeed(
            of: law, noise: { _ in noise }, share: noise < 15 ? 0.03 : 0.06
        ) { story, random in
            var trip = try story.start()
            // Behind a turn the road is the same: up to a radius the vehicle may as well have gone back.
            let turnsBack = story.shape == .outAndBack || story.shape == .divided
            let tolerance = turnsBack ? story.assignment.options.arrivalRadius : 0.1
            var least = Double.infinity
            for fix in story.fixes(of: trip, noise: noise, &random) {
                _ = drive(&trip, fix)
                let remaining = trip.progress.remainingDistance ?? .infinity
                if remaining > least + 2 * noise + tolerance {
                    return "\(remaining - least) m more at \(fix.time.seconds) s"
                }
                least = min(least, remaining)
            }
            return nil
        }
    }
}
