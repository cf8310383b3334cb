import Geometry
import Testing
import Tracking

/// Rules T1 to T7.
struct BetterRouteTests {
    /// 30 km to the east, an hour of driving.
    private static let slow = route([(0, 0), (30_000, 0)], hours: 1)
    /// Another way that leaves it after 5 km.
    private static let fast: [(Double, Double)] = [
        (1000, 0), (5000, 0), (5000, 2000), (30_000, 2000), (30_000, 0),
    ]

    private static func route(_ places: [(Double, Double)], hours: Double) -> ProvidedRoute {
        var route = TripStory.route(places)
        route.duration = hours * 3600
        return route
    }

    /// A trip under way at 1,000 m, with a question for a better route out.
    private static func asked(
        _ use: TripOptions.BetterRoute = .suggest, _ options: (inout TripOptions) -> Void = { _ in }
    ) throws -> TripStory {
        var story = try Self.underway(use, options)
        let outcome = story.handle(.clock, at: 300)
        #expect(outcome.events.isEmpty && outcome.request?.purpose == .better)
        return story
    }

    private static func underway(
        _ use: TripOptions.BetterRoute = .suggest, _ options: (inout TripOptions) -> Void = { _ in }
    ) throws -> TripStory {
        var story = try TripStory(nil, destination: (30_000, 0), source: (0, 0)) {
            $0.betterRoute = use
            options(&$0)
        }
        story.roads.offersBetter = true
        story.handle(.route(slow, request: 1), at: 0)
        story.fix(10, 0, 0)
        story.fix(120, 1000, 0)
        return story
    }

    @discardableResult
    private static func answer(
        _ story: inout TripStory, _ places: [(Double, Double)] = fast, hours: Double = 0.7,
        at seconds: Double = 301
    ) -> TripOutcome {
        let number = story.trip.outstandingRequest?.request.number ?? 0
        return story.handle(.route(route(places, hours: hours), request: number), at: seconds)
    }

    @Test func isNotAskedForByDefault() throws {
        var story = try Self.underway(.off)
        #expect(story.trip.nextDeadline == nil)
        #expect(story.handle(.clock, at: 300) == TripOutcome())
    }

    @Test func isOfferedWithWhereItBranchesOff() throws {
        var story = try Self.asked()
        #expect(story.trip.progress.state == .tracking)
        let outcome = Self.answer(&story)
        #expect(outcome.told == ["better_route_found"])
        guard case .betterRouteFound(let proposal) = outcome.events.first?.kind else { return }
        #expect(proposal.number == 2)
        #expect(abs((proposal.gain ?? 0) - (3600.0 * 29 / 30 - 0.7 * 3600)) < 2)
        #expect(proposal.duration == 0.7 * 3600)
        #expect(abs(proposal.length - 33_000) < 10)
        #expect(abs(proposal.branchDistance - 4000) < 15)
        #expect(proposal.branch.distance(to: TripStory.place(5000, 0)) < 15)
        #expect(proposal.validUntil == Timestamp(seconds: 601))
        #expect(story.trip.proposal?.proposal == proposal)
    }

    @Test(arguments: [(0.95, 30_000.0), (0.7, 20)])
    func isNotOfferedWhereItGainsLittleOrIsTheSameWay(_ hours: Double, _ beside: Double) throws {
        var story = try Self.asked()
        let places: [(Double, Double)] = [(1000, 0), (5000, beside), (30_000, beside), (30_000, 0)]
        #expect(Self.answer(&story, places, hours: hours).events.isEmpty)
        #expect(story.trip.proposal == nil && story.trip.outstandingRequest == nil)
    }

    @Test func isOfferedWithoutAGainWhereItAvoidsARoadblock() throws {
        var story = try Self.underway()
        try story.roads.close("bridge", 20_000, 0)
        story.handle(.clock, at: 300)
        let outcome = Self.answer(&story, hours: 1.2)
        guard case .betterRouteFound(let proposal) = outcome.events.first?.kind else {
            Issue.record("\(outcome.told)")
            return
        }
        #expect(proposal.gain == nil)
    }

    @Test func aFailureIsNoEvent() throws {
        var story = try Self.asked()
        let failed = story.handle(.routeFailed(request: 2, reason: "timeout"), at: 320)
        #expect(failed.events.isEmpty)
        #expect(story.handle(.clock, at: 599).request == nil)
        #expect(story.handle(.clock, at: 600).request?.number == 3)
    }

    @Test func anyOtherRequestTakesTheQuestionBack() throws {
        var story = try Self.asked()
        #expect(story.handle(.reroute, at: 301).request?.number == 3)
        let stale = story.handle(.route(Self.route(Self.fast, hours: 0.7), request: 2), at: 302)
        #expect(stale.refusal?.reason == .requestMismatch)
    }

    @Test func isNotAskedForWhileHeldOrNearTheEndOrARequestIsOut() throws {
        var short = try Self.underway()
        short.handle(
            .route(Self.route([(1000, 0), (30_000, 0)], hours: 0.16), request: nil), at: 130)
        #expect(short.handle(.clock, at: 430).request == nil)
        var busy = try Self.underway()
        busy.handle(.reroute, at: 130)
        #expect(busy.handle(.clock, at: 430).request == nil)
    }

    @Test func isPutInForceWhenAccepted() throws {
        var story = try Self.asked()
        Self.answer(&story)
        let stale = story.handle(.accept(proposal: 1), at: 310)
        #expect(stale.refusal?.reason == .noProposal)
        let outcome = story.handle(.accept(proposal: 2), at: 311)
        #expect(outcome.told == ["better_route_gone", "rerouted"])
        guard case .betterRouteGone(2, .accepted) = outcome.events[0].kind,
            case .rerouted(let route) = outcome.events[1].kind
        else {
            Issue.record("not accepted")
            return
        }
        #expect(route.reason == .better && route.revision == 2 && route.duration == 0.7 * 3600)
        #expect(story.handle(.accept(proposal: 2), at: 312).refusal?.reason == .noProposal)
    }

    @Test func isPutInForceByItselfWhereTheTripTakesIt() throws {
        var story = try Self.asked(.take)
        let outcome = Self.answer(&story)
        #expect(outcome.told == ["better_route_found", "better_route_gone", "rerouted"])
        #expect(story.trip.routeRevision == 2 && story.trip.proposal == nil)
    }

    @Test func aDeclinedWayIsNotOfferedForAWhile() throws {
        var story = try Self.asked()
        Self.answer(&story)
        #expect(story.handle(.decline(proposal: nil), at: 310).told == ["better_route_gone"])
        for (second, isOffered) in [(600.0, false), (900, false), (1200, false), (1500, true)] {
            story.handle(.clock, at: second)
            let told = Self.answer(&story, at: second + 1).told
            #expect(told.isEmpty != isOffered, "at \(second): \(told)")
        }
    }

    @Test func isGoneBeyondTheBranch() throws {
        var story = try Self.asked()
        Self.answer(&story)
        #expect(story.fix(360, 5040, 0).events.isEmpty)
        let outcome = story.fix(361, 5080, 0)
        #expect(outcome.told == ["better_route_gone"])
        guard case .betterRouteGone(2, .passed) = outcome.events.first?.kind else {
            Issue.record("not passed")
            return
        }
    }

    @Test func isGoneWhenItExpiresOrAnotherRouteComesOrTheTripEnds() throws {
        let ends: [(TripInput, TripEvent.ProposalEnd)] = [
            (.clock, .expired), (.route(Self.slow, request: nil), .rerouted),
            (.stop(.stopped), .ended),
        ]
        for (input, reason) in ends {
            var story = try Self.asked()
            Self.answer(&story)
            #expect(story.trip.nextDeadline == Timestamp(seconds: 600))
            #expect(story.handle(.clock, at: 600).events.isEmpty)
            let outcome = story.handle(input, at: 601)
            guard case .betterRouteGone(2, reason) = outcome.events.first?.kind else {
                Issue.record("\(reason): \(outcome.told)")
                continue
            }
        }
    }

    @Test func isAskedForAtOnceWhenAnAvoidedRoadblockIsLifted() throws {
        var story = try Self.underway()
        try story.roads.close("bridge", 20_000, 0)
        story.handle(.roadsClosed(["bridge"]), at: 130)
        story.handle(.route(Self.route(Self.fast, hours: 2), request: 2), at: 131)
        story.roads.closed = []
        let outcome = story.handle(.roadsOpened(["bridge"]), at: 140)
        #expect(outcome.request?.purpose == .better && outcome.events.isEmpty)
        let found = Self.answer(&story, [(1000, 0), (30_000, 0)], hours: 1, at: 141)
        #expect(found.told == ["better_route_found"])
    }

    @Test func anOfferOutlivesARestart() throws {
        var story = try Self.asked()
        Self.answer(&story)
        let proposal = story.trip.proposal?.proposal
        story.trip = try Trip(
            assignment: story.trip.encodeAssignment(), route: story.trip.encodeRoute(),
            state: story.trip.encodeState())
        #expect(story.trip.proposal?.proposal == proposal)
        #expect(
            story.handle(.accept(proposal: 2), at: 311).told == ["better_route_gone", "rerouted"])
        #expect(story.trip.route?.duration == 0.7 * 3600)
    }

    @Test func aStepOfTheClockEndsNoOffer() throws {
        var story = try Self.asked()
        Self.answer(&story)
        story.trip.followClock(by: 1000, to: Timestamp(seconds: 1310))
        #expect(story.handle(.clock, at: 1500).events.isEmpty)
        #expect(story.handle(.clock, at: 1601).told == ["better_route_gone"])
    }
}
