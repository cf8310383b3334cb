import Geometry
import Testing
import Tracking

/// Rules that no fixture shows.
@Suite struct RuleTests {
    /// Three kilometres due east.
    private static let straight = [(0.0, 0.0), (1000, 0), (2000, 0), (3000, 0)]

    @Test func breachIsToldOnceAHold() throws {
        var story = try TripStory(Self.straight, stops: [(1000, 0), (2000, 0)])
        story.fix(0, 1000, 0)
        #expect(story.fix(10, 1199, 0).told == [])
        let breach = story.fix(20, 1250, 0)
        #expect(breach.told == ["hold_breached 0"])
        guard case .holdBreached(_, let distance) = breach.events.first?.kind else { return }
        #expect(TripStory.isNear(distance, 250))
        #expect(TripStory.isNear(story.trip.progress.remainingDistance, 2000))
        for (second, east) in [(30.0, 1400.0), (40, 1000), (60, 1600)] {
            #expect(story.fix(second, east, 0).told == [])
        }
        story.handle(.proceed(waypointIndex: nil), at: 70)
        #expect(story.fix(80, 2000, 0).told == ["waypoint_reached 1"])
        #expect(story.fix(90, 2300, 0).told == ["hold_breached 1"])
    }

    @Test func skipBeforeTheFirstRoute() throws {
        var story = try TripStory(
            nil, stops: [(1000, 0), (2000, 0)], destination: (3000, 0), source: (0, 0))
        #expect(story.trip.state == .awaitingRoute)
        let other = story.handle(.skip(waypointIndex: 1), at: 5)
        #expect(other.refusal?.reason == .waypointMismatch)
        let skipped = story.handle(.skip(waypointIndex: 0), at: 5)
        #expect(skipped.told == ["waypoint_skipped 0"])
        #expect(skipped.events.first?.remainingWaypoints == 1)
        // The route need not pass what was dropped after it was asked for.
        #expect(
            story.route(10, [(0, 0), (0, 900), (2000, 0), (3000, 0)], request: 1).told == [
                "rerouted"
            ])
        #expect(story.trip.progress.activeWaypoint?.index == 1)
        story.fix(20, 0, 0)
        #expect(story.handle(.skip(waypointIndex: nil), at: 25).told == ["waypoint_skipped 1"])
        let none = story.handle(.skip(waypointIndex: nil), at: 30)
        #expect(none.refusal?.reason == .noWaypointLeft)
    }

    @Test func skipWhileHeldDropsTheNext() throws {
        var story = try TripStory(Self.straight, stops: [(1000, 0), (2000, 0)])
        story.fix(0, 1000, 0)
        #expect(story.handle(.skip(waypointIndex: 1), at: 10).told == ["waypoint_skipped 1"])
        #expect(story.trip.state == .held)
        #expect(story.trip.progress.activeWaypoint?.index == 0)
        story.handle(.proceed(waypointIndex: 0), at: 20)
        #expect(story.fix(60, 2000, 0).told == [])
        #expect(story.fix(90, 3000, 0).told == ["arrived"])
    }

    @Test func rerouteBeforeTheFirstFix() throws {
        var story = try TripStory(Self.straight, stops: [(1000, 0)])
        let outcome = story.handle(.reroute, at: 5)
        #expect(outcome.told == ["will_reroute [0]"])
        guard case .willReroute(let cause) = outcome.events.first?.kind else { return }
        #expect(cause.reason == .requested && cause.deviation == nil && cause.reported == nil)
        #expect((outcome.request?.from.distance(to: TripStory.place(0, 0)) ?? .infinity) < 0.1)
        #expect(story.handle(.reroute, at: 6).told == [])
        // On the route it stays out: it was not asked for because of a deviation.
        #expect(story.fix(10, 500, 0).told == [])
        #expect(story.trip.state == .rerouting)
        let answer = story.route(15, [(500, 0), (1000, 0), (1000, 2000)], request: 1)
        guard case .rerouted(let new) = answer.events.first?.kind else { return }
        #expect(new.reason == .requested && new.revision == 2)
        #expect(TripStory.isNear(story.trip.progress.remainingDistance, 2500))
    }

    @Test func rerouteBeforeTheFirstRouteAsksWithoutEvent() throws {
        var story = try TripStory(nil, destination: (3000, 0), source: (0, 0))
        #expect(story.trip.outstandingRequest?.request.number == 1)
        #expect(story.handle(.reroute, at: 1).request == nil)
        story.handle(.routeFailed(request: 1, reason: "timeout"), at: 20)
        let again = story.handle(.reroute, at: 21)
        #expect(again.told == [] && again.request?.number == 2)
    }

    @Test func failedFirstRouteIsAskedForAfterThePause() throws {
        var story = try TripStory(nil, destination: (3000, 0), source: (0, 0))
        #expect(
            story.handle(.routeFailed(request: 1, reason: "timeout"), at: 20).told == [
                "reroute_failed"
            ])
        #expect(story.fix(49, 100, 0).request == nil)
        let asked = story.fix(50, 110, 0)
        #expect(asked.told == [] && asked.request?.number == 2)
    }

    @Test func routeFromOutsideReplacesTheRequest() throws {
        var story = try TripStory(Self.straight, stops: [(1000, 0)])
        story.fix(0, 500, 0)
        #expect(story.fix(60, 600, 800).told == ["will_reroute [0]"])
        let outside = [(600.0, 800.0), (1000, 0), (3000, 0)]
        let taken = story.route(65, outside, request: nil)
        #expect(taken.told == ["rerouted"])
        guard case .rerouted(let new) = taken.events.first?.kind else { return }
        #expect(new.reason == .external && new.revision == 2)
        #expect(story.trip.state == .tracking)
        let answer = story.route(70, outside, request: 1)
        #expect(answer.told == [] && answer.refusal?.reason == .requestMismatch)
        let bad = story.route(75, [(0, 0)], request: nil)
        #expect(bad.told == [] && bad.refusal?.reason == .invalidRoute)
        let astray = story.route(80, [(600, 800), (3000, 4000)], request: nil)
        #expect(astray.told == [] && astray.refusal?.reason == .waypointNotOnRoute)
        #expect(story.trip.routeRevision == 2)
    }

    @Test func answersToOtherRequestsAreDropped() throws {
        var story = try TripStory(Self.straight)
        story.fix(0, 500, 0)
        #expect(story.route(5, Self.straight, request: 1).refusal?.reason == .requestMismatch)
        story.fix(60, 600, 800)
        let before = story.trip.encodeState()
        #expect(story.route(65, Self.straight, request: 2).refusal?.reason == .requestMismatch)
        #expect(story.handle(.routeFailed(request: 2, reason: "timeout"), at: 66).told == [])
        #expect(story.trip.encodeState() == before)
        #expect(
            story.handle(.routeFailed(request: 1, reason: "timeout"), at: 67).told == [
                "reroute_failed"
            ])
    }

    @Test func startIndexCountsEarlierViaPointsAsVisited() throws {
        // Via point 0 is nowhere near the route, and not asked about.
        var story = try TripStory(Self.straight, stops: [(0, 9000), (1000, 0), (2000, 0)]) {
            $0.startWaypointIndex = 2
        }
        #expect(story.trip.waypoints.map(\.status) == [.visited, .visited, .pending])
        #expect(story.fix(0, 1200, 0).told == [])
        #expect(story.fix(30, 2100, 0).told == ["waypoint_reached 2"])
        let refusal = #expect(throws: Refusal.self) {
            try TripStory(Self.straight, stops: [(1000, 0)]) { $0.startWaypointIndex = 2 }
        }
        #expect(refusal?.reason == .invalidOption)
    }

    @Test(arguments: [StopReason.stopped, .superseded, .expired])
    func nothingComesAfterTheEnd(reason: StopReason) throws {
        var story = try TripStory(Self.straight, stops: [(1000, 0)])
        story.fix(0, 500, 0)
        story.fix(60, 600, 800)
        let stopped = story.handle(.stop(reason), at: 70)
        #expect(stopped.events.map(\.kind) == [.tripStopped(reason)])
        #expect(story.trip.state == .stopped && story.trip.isOver)
        #expect(story.trip.outstandingRequest == nil)
        #expect(story.fix(80, 1000, 0).disposition == .history(.noTrip))
        let inputs: [TripInput] = [
            .proceed(waypointIndex: nil), .skip(waypointIndex: nil), .reroute, .stop(.stopped),
            .route(TripStory.route(Self.straight), request: 1),
        ]
        for input in inputs {
            let outcome = story.handle(input, at: 90)
            #expect(outcome.told == [] && outcome.refusal?.reason == .noActiveTrip)
        }
        #expect(story.handle(.routeFailed(request: 1, reason: "timeout"), at: 95).told == [])
    }

    @Test func standingAtTheDestinationIsArrival() throws {
        // The vehicle turns round a kilometre out, and comes home with 5 km of its route undriven.
        var story = try TripStory([(0, 0), (3000, 0), (0, 0)])
        for second in stride(from: 0.0, through: 300, by: 60) { story.fix(second, 10, 0) }
        story.fix(360, 1000, 0)
        for (second, east) in [(400.0, 20.0), (460, 10), (500, 70), (510, 20), (570, 10), (629, 5)]
        {
            #expect(story.fix(second, east, 0).told == [])
        }
        #expect(story.fix(630, 5, 0).told == ["arrived"])
    }

    @Test func pausesDoubleUpToTenMinutes() throws {
        var story = try TripStory(Self.straight, stops: [(1000, 0)])
        var now = 0.0
        story.fix(now, 500, 1000)
        for (index, pause) in [30.0, 60, 120, 240, 480, 600, 600].enumerated() {
            story.handle(.routeFailed(request: index + 1, reason: "timeout"), at: now + 1)
            #expect(story.fix(now + pause, 500, 1000).request == nil)
            now += pause + 1
            #expect(story.fix(now, 500, 1000).request?.number == index + 2)
        }
        // Back on the route ends the pause and its growth.
        story.handle(.routeFailed(request: 8, reason: "timeout"), at: now + 1)
        #expect(story.fix(now + 20, 500, 100).told == [])
        #expect(story.fix(now + 50, 500, 1000).request?.number == 9)
        story.handle(.routeFailed(request: 9, reason: "timeout"), at: now + 51)
        #expect(story.fix(now + 80, 500, 1000).request == nil)
        #expect(story.fix(now + 81, 500, 1000).request?.number == 10)
    }

    @Test func rerouteIgnoresThePause() throws {
        var story = try TripStory(Self.straight)
        story.fix(0, 500, 1000)
        story.handle(.routeFailed(request: 1, reason: "timeout"), at: 1)
        #expect(story.handle(.reroute, at: 2).request?.number == 2)
    }

    @Test func deviationIsConfirmedInARow() throws {
        var story = try TripStory(Self.straight) { $0.deviationConfirmations = 3 }
        story.fix(0, 500, 0)
        #expect(story.fix(30, 600, 700).told == [])
        #expect(story.fix(60, 600, 100).told == [])
        #expect(story.fix(90, 700, 700).told == [])
        #expect(story.fix(100, 700, 710).told == [])
        // Unusable ones neither count nor break the row.
        #expect(story.fix(105, 700, 0, accuracy: 500).told == [])
        #expect(story.fix(106, 90_000, 0).disposition == .history(.spike))
        #expect(story.fix(110, 700, 720).told == ["will_reroute []"])
        #expect(story.fix(120, 700, 730).told == [])
    }

    @Test func unusableFixDoesNotSilenceThoseAfterIt() throws {
        var story = try TripStory(Self.straight, stops: [(1000, 0)])
        story.fix(0, 300, 0)
        let vague = story.fix(50, 300, 200, accuracy: 800, received: 10)
        #expect(vague.disposition == .history(.inaccurate))
        #expect(story.fix(20, 500, 0).disposition == .tracked)
        let spike = story.fix(75, 90_000, 0, received: 25)
        #expect(spike.disposition == .history(.spike))
        #expect(story.fix(30, 1000, 0).told == ["waypoint_reached 0"])
    }

    @Test func copyOfASpikeDoesNotConfirmIt() throws {
        var story = try TripStory(Self.straight)
        story.fix(0, 300, 0)
        for _ in 0..<3 {
            #expect(story.fix(10, 90_000, 0).disposition == .history(.spike))
        }
        #expect(story.fix(11, 90_010, 0).disposition == .tracked)
    }

    @Test func routeThatTheNextFixIsOffCountsAsAFailure() throws {
        var story = try TripStory(Self.straight)
        story.fix(0, 1000, 0)
        #expect(story.fix(60, 1000, 900).told == ["will_reroute []"])
        // Each pause is twice as long as the one before, and begins when the route came.
        for (came, next) in [(61.0, 91.0), (92, 152), (153, 273)] {
            let road = [(1000.0, 300.0), (3000, 300), (3000, 0)]
            let number = story.trip.outstandingRequest?.request.number
            #expect(story.route(came, road, request: number).told == ["rerouted"])
            for second in [came + 3, next - 1] {
                #expect(story.fix(second, 1000, 900).told == [])
            }
            #expect(story.fix(next, 1000, 900).told == ["will_reroute []"])
        }
    }

    @Test func routeThatTheNextFixIsOnEndsThePause() throws {
        var story = try TripStory(Self.straight)
        story.fix(0, 1000, 0)
        story.fix(60, 1000, 900)
        story.handle(.routeFailed(request: 1, reason: "no_route"), at: 61)
        #expect(story.route(70, [(1000, 900), (3000, 900)], request: nil).told == ["rerouted"])
        #expect(story.fix(71, 1010, 900).told == [])
        #expect(story.fix(90, 1010, 1900).told == ["will_reroute []"])
        story.handle(.routeFailed(request: 2, reason: "no_route"), at: 91)
        #expect(story.fix(120, 1010, 1910).told == [])
        #expect(story.fix(121, 1010, 1920).told == ["will_reroute []"])
    }

    @Test func answerThatIsOutStaysOutWhenItsRouteBeforeFails() throws {
        var story = try TripStory(Self.straight)
        story.fix(0, 1000, 0)
        story.route(10, [(1000, 0), (3000, 300), (3000, 0)], request: nil)
        #expect(story.handle(.reroute, at: 20).told == ["will_reroute []"])
        #expect(story.fix(60, 1000, 900).told == [])
        #expect(story.route(70, [(1000, 900), (3000, 0)], request: 1).told == ["rerouted"])
    }

    /// Level of the via point and of the fix beside it, and whether it is reached.
    @Test(arguments: [
        (Level?.some(.number(2)), Level?.some(.number(2)), true), (.number(2), .text("2"), true),
        (.text("2"), .number(2), true), (.number(2), .number(3), false),
        (.text("B1"), .number(-1), false), (.number(-1), .text("-1"), true),
        (.number(0.5), .text("0.5"), true), (.number(2), nil, true), (nil, .number(7), true),
    ])
    func viaPointOfAnotherFloorIsNotReachedFromBesideIt(
        target: Level?, fix: Level?, isReached: Bool
    ) throws {
        let assignment = Assignment(
            tripID: "trip", vehicleID: "vehicle", route: TripStory.route(Self.straight),
            viaPoints: [Target(coordinate: TripStory.place(1000, 0), level: target)])
        var trip = try Trip.start(assignment, newest: nil, at: Timestamp(seconds: 0)).trip
        let beside = Fix(
            time: Timestamp(seconds: 1), coordinate: TripStory.place(970, 10), level: fix)
        #expect(
            trip.handle(.fix(beside), at: beside.time).told
                == (isReached ? ["waypoint_reached 0"] : []))
        // Beyond it, whatever a barometer says.
        let beyond = Fix(
            time: Timestamp(seconds: 10), coordinate: TripStory.place(1100, 0), level: fix)
        #expect(
            trip.handle(.fix(beyond), at: beyond.time).told
                == (isReached ? [] : ["waypoint_reached 0"]))
    }

    @Test func assignmentCountsFromWhenItWasGiven() throws {
        var assignment = Assignment(
            tripID: "trip", vehicleID: "vehicle", route: TripStory.route(Self.straight),
            viaPoints: [Target(coordinate: TripStory.place(1000, 0))])
        assignment.givenAt = Timestamp(seconds: 1000)
        let received = Timestamp(seconds: 5000)
        let started = try Trip.start(assignment, newest: nil, at: received)
        var trip = started.trip
        #expect(trip.assignedAt == Timestamp(seconds: 1000))
        #expect(trip.lastReception == received)
        #expect(started.outcome.events.map(\.time) == [received])
        let fixes = [699.0, 700, 1100].map {
            Fix(time: Timestamp(seconds: $0), coordinate: TripStory.place($0 - 100, 0))
        }
        let outcomes = fixes.map { trip.handle(.fix($0), at: received) }
        #expect(
            outcomes.map(\.disposition) == [.history(.beforeAssignment), .tracked, .tracked])
        #expect(outcomes[2].told == ["waypoint_reached 0"])
        assignment.givenAt = Timestamp(seconds: 6000)
        #expect(try Trip.start(assignment, newest: nil, at: received).trip.assignedAt == received)
    }
}
