import Geometry
import Testing
import Tracking

/// What is true of every trip, whatever happens to it.
@Suite struct WildTripTests {
    /// Tries a law with every seed, and tells the first seeds that break it.
    ///
    /// - Parameter law: Its number, so that each law has seeds of its own.
    private func forEachSeed(
        of law: Int, _ complain: (WildTrip, inout SeededGenerator) throws -> String?
    ) throws {
        var broken = 0
        for seed in lawSeeds(of: law) {
            var random = SeededGenerator(seed: seed &* 7919)
            let wild = try WildTrip(RandomTrip(seed: seed), &random)
            guard let complaint = try complain(wild, &random) else { continue }
            broken += 1
            if broken <= 5 { Issue.record("seed \(seed): \(complaint) (\(wild.story))") }
        }
        #expect(broken == 0)
    }

    @Test func eventsKeepTheirOrder() throws {
        try forEachSeed(of: 8) { wild, _ in
            var trip = try wild.story.start()
            var sequence = 1
            var latest = -1
            var isOver = false
            var isOut = false
            var isOnOffer = false
            for step in wild.steps {
                for event in trip.handle(step.input, at: step.received, among: step.roads).events {
                    sequence += 1
                    if event.sequence != sequence {
                        return "event \(event.sequence) after \(sequence - 1)"
                    }
                    if isOver { return "\(event.kind.name) after the arrival" }
                    switch event.kind {
                    case .waypointReached(let waypoint, _, _):
                        if waypoint.index <= latest { return "\(waypoint.index) after \(latest)" }
                        latest = waypoint.index
                    case .willReroute:
                        if isOut { return "two requests at once" }
                        isOut = true
                    case .rerouted, .rerouteFailed, .rerouteCancelled: isOut = false
                    case .arrived:
                        isOver = true
                        if trip.waypoints.contains(where: {
                            $0.status == .pending || $0.status == .reached
                        }) {
                            return "arrived with a via point unvisited"
                        }
                    case .waypointResumed, .waypointSkipped, .holdBreached, .tripAssigned,
                        .tripStopped, .waypointApproached, .skipSuggested, .roadblockAhead:
                        break
                    case .betterRouteFound:
                        if isOnOffer { return "two offers at once" }
                        isOnOffer = true
                    case .betterRouteGone:
                        if !isOnOffer { return "an offer is gone that was not there" }
                        isOnOffer = false
                    }
                }
            }
            return nil
        }
    }

    @Test func restoringChangesNothing() throws {
        try forEachSeed(of: 9) { wild, random in
            var trip = try wild.story.start()
            var other = trip
            for (index, step) in wild.steps.enumerated() {
                let outcome = trip.handle(step.input, at: step.received, among: step.roads)
                if random.chance(0.5) {
                    other = try Trip(
                        assignment: other.encodeAssignment(), route: other.encodeRoute(),
                        state: other.encodeState())
                }
                let same = other.handle(step.input, at: step.received, among: step.roads)
                if outcome != same {
                    return "step \(index) gives \(same.told), not \(outcome.told)"
                }
                if trip.progress != other.progress { return "progress differs at step \(index)" }
            }
            return trip.encodeState() == other.encodeState() ? nil : "another state at the end"
        }
    }

    @Test func oldFixesChangeNothing() throws {
        try forEachSeed(of: 10) { wild, random in
            var trip = try wild.story.start()
            var disturbed = trip
            var old: [Fix] = []
            for (index, step) in wild.steps.enumerated() {
                let outcome = trip.handle(step.input, at: step.received, among: step.roads)
                let same = disturbed.handle(step.input, at: step.received, among: step.roads)
                if outcome != same { return "step \(index) gives \(same.told)" }
                // What has no place of its own was no fix at all, and may be sent again.
                if case .fix(let fix) = step.input, fix.coordinate.latitude != 0 { old.append(fix) }
                for _ in 0..<(old.isEmpty ? 0 : 3) {
                    let fix = random.pick(old)
                    let repeated = disturbed.handle(.fix(fix), at: step.received)
                    // One that was not usable may be unusable again for the same reason.
                    let isHistory =
                        if case .history = repeated.disposition { true } else { false }
                    if !isHistory || !repeated.events.isEmpty {
                        return "an old fix at step \(index) gives \(repeated)"
                    }
                }
                if trip.progress != disturbed.progress { return "moved at step \(index)" }
            }
            return nil
        }
    }

    @Test func splittingABatchChangesNothing() throws {
        try forEachSeed(of: 11) { wild, random in
            var single = try wild.story.start()
            var batched = single
            var told: (single: [TripEvent], batched: [TripEvent]) = ([], [])
            var batch: [TripInput] = []
            for step in wild.steps {
                guard case .fix = step.input else { continue }
                told.single += single.handle(step.input, at: step.received).events
                batch.append(step.input)
                guard random.chance(0.3) else { continue }
                for input in batch {
                    told.batched += batched.handle(input, at: step.received).events
                }
                batch = []
                let proceed = TripInput.proceed(waypointIndex: nil)
                told.single += single.handle(proceed, at: step.received).events
                told.batched += batched.handle(proceed, at: step.received).events
                if told.single != told.batched { return "other events at \(step.received)" }
                if single.progress != batched.progress { return "elsewhere at \(step.received)" }
            }
            return nil
        }
    }
}
