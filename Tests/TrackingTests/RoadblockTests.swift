import Geometry
import Testing
import Tracking

extension PlaceLabel {
    /// A place of which nothing but its name matters.
    static func named(_ id: String) -> PlaceLabel {
        PlaceLabel(id: id, name: id, category: nil, level: nil, revision: 1)
    }
}

extension RoadConditions {
    /// Closes all roads around a place in metres.
    mutating func close(
        _ id: String, _ east: Double, _ north: Double, radius: Double = 50,
        profiles: [TripOptions.Profile]? = nil
    ) throws {
        let area = try Area(.circle(center: TripStory.place(east, north), radius: radius))
        closed.append(
            ClosedRoad(
                place: .named(id), closure: try #require(RoadClosure(area)), profiles: profiles))
    }
}

/// Rules R2 and R4 to R6.
struct RoadblockTests {
    private static let straight: [(Double, Double)] = [(0, 0), (10_000, 0)]
    private static let around: [(Double, Double)] = [
        (1000, 0), (1000, 1000), (8000, 1000), (8000, 0), (10_000, 0),
    ]
    /// What a vehicle at 1,000 m drives where the roadblock is not avoided.
    private static let ahead: [(Double, Double)] = [(1000, 0), (10_000, 0)]

    private static func story(
        stops: [(Double, Double)] = [], _ options: (inout TripOptions) -> Void = { _ in }
    ) throws -> TripStory {
        var story = try TripStory(straight, stops: stops, options: options)
        story.fix(0, 0, 0)
        story.fix(60, 1000, 0)
        return story
    }

    @Test func aRoadblockAheadIsDrivenAround() throws {
        var story = try Self.story()
        try story.roads.close("bridge", 5000, 0)
        let outcome = story.handle(.roadsClosed(["bridge"]), at: 61)
        #expect(outcome.told == ["will_reroute []"])
        guard case .willReroute(let cause) = outcome.events.first?.kind else { return }
        #expect(cause.reason == .roadblock && cause.roadblocks == ["bridge"])
        #expect(outcome.request?.avoid.map(\.place?.id) == ["bridge"])
        #expect(outcome.request?.purpose == .roadblock)
        let answer = story.route(62, Self.around, request: 1)
        guard case .rerouted(let route) = answer.events.first?.kind else {
            Issue.record("no new route")
            return
        }
        #expect(route.reason == .roadblock && route.roadblocks.isEmpty)
    }

    @Test func aRoadblockBehindOrBesideConcernsNobody() throws {
        var story = try Self.story()
        try story.roads.close("behind", 500, 0)
        try story.roads.close("beside", 5000, 300)
        try story.roads.close("trucks", 5000, 0, profiles: [.truck])
        let ids = ["behind", "beside", "trucks"]
        #expect(story.handle(.roadsClosed(ids), at: 61) == TripOutcome())
    }

    @Test(arguments: [(1000.0, 0.0, [] as [Double]), (10_000, 0, []), (4000, 0, [4000])])
    func whatCannotBeAvoidedIsToldOnce(_ east: Double, _ north: Double, _ stop: [Double]) throws {
        var story = try Self.story(stops: stop.map { ($0, 0) })
        try story.roads.close("there", east, north, radius: 200)
        let outcome = story.handle(.roadsClosed(["there"]), at: 61)
        #expect(outcome.told == ["roadblock_ahead"])
        guard case .roadblockAhead(let place, let distance) = outcome.events.first?.kind else {
            return
        }
        #expect(place.id == "there")
        #expect(TripStory.isNear(distance, max(east - 200 - 1000, 0)))
        #expect(story.handle(.roadsClosed(["there"]), at: 70).events.isEmpty)
        // It is another one when it comes back.
        story.handle(.roadsOpened(["there"]), at: 80)
        #expect(story.handle(.roadsClosed(["there"]), at: 90).told == ["roadblock_ahead"])
    }

    @Test func withTheOptionOffItIsOnlyTold() throws {
        var story = try Self.story { $0.reroutesAtRoadblocks = false }
        try story.roads.close("bridge", 5000, 0)
        #expect(story.handle(.roadsClosed(["bridge"]), at: 61).told == ["roadblock_ahead"])
    }

    @Test func anAnswerThatIsOnItsWayIsLookedAt() throws {
        var story = try Self.story()
        story.handle(.reroute, at: 60)
        try story.roads.close("bridge", 5000, 0)
        #expect(story.handle(.roadsClosed(["bridge"]), at: 61).events.isEmpty)
        let outcome = story.route(62, Self.ahead, request: 1)
        #expect(outcome.told == ["rerouted", "will_reroute []"])
        #expect(outcome.request?.number == 2)
    }

    @Test func aFailureIsTriedAgainAfterThePauseThoughTheVehicleIsOnItsRoute() throws {
        var story = try Self.story()
        try story.roads.close("bridge", 5000, 0)
        story.handle(.roadsClosed(["bridge"]), at: 61)
        story.handle(.routeFailed(request: 1, reason: "no_route"), at: 62)
        #expect(story.fix(70, 1100, 0).events.isEmpty)
        #expect(story.fix(91, 1200, 0).events.isEmpty)
        let again = story.fix(93, 1300, 0)
        #expect(again.told == ["will_reroute []"] && again.request?.number == 2)
        // Twice as long after the second one.
        story.handle(.routeFailed(request: 2, reason: "no_route"), at: 94)
        #expect(story.fix(150, 1400, 0).events.isEmpty)
        #expect(story.fix(155, 1500, 0).told == ["will_reroute []"])
    }

    @Test func anExpiredRoadblockIsNoReasonToAsk() throws {
        var story = try Self.story()
        try story.roads.close("bridge", 5000, 0)
        story.handle(.roadsClosed(["bridge"]), at: 61)
        story.handle(.routeFailed(request: 1, reason: "no_route"), at: 62)
        story.roads.closed = []
        story.handle(.roadsOpened(["bridge"]), at: 63)
        #expect(story.fix(100, 1300, 0).events.isEmpty)
    }

    @Test func aRouteThatCrossesAllTheSameSaysSoOrIsNone() throws {
        for policy in RoadConditions.Policy.allCases {
            var story = try Self.story()
            story.roads.policy = policy
            try story.roads.close("second", 7000, 0)
            try story.roads.close("first", 5000, 0)
            story.handle(.roadsClosed(["first", "second"]), at: 61)
            let outcome = story.route(62, Self.ahead, request: 1)
            switch outcome.events.first?.kind {
            case .rerouted(let route):
                #expect(policy == .avoid && route.roadblocks == ["first", "second"])
            case .rerouteFailed(let error):
                #expect(policy == .forbid && error.hasPrefix("roadblocked"))
            default: Issue.record("\(outcome.told)")
            }
            #expect(outcome.events.count == 1)
        }
    }

    @Test func whatHoldsTheStartDoesNotForbidARoute() throws {
        var story = try Self.story()
        story.roads.policy = .forbid
        try story.roads.close("yard", 1000, 0, radius: 100)
        story.handle(.reroute, at: 61)
        #expect(story.route(62, Self.ahead, request: 1).told == ["rerouted"])
    }

    @Test func anAssignedRouteNamesWhatItCrosses() throws {
        var roads = RoadConditions()
        try roads.close("bridge", 5000, 0)
        let assignment = Assignment(
            tripID: "t", vehicleID: "v", route: TripStory.route(Self.straight))
        let outcome = try Trip.start(
            assignment, newest: nil, at: Timestamp(seconds: 0), among: roads
        ).outcome
        guard case .tripAssigned(_, _, let roadblocks) = outcome.events.first?.kind else { return }
        #expect(roadblocks == ["bridge"])
    }

    @Test func requestsNameTheNearestInTheBoxOfTheirPoints() throws {
        var story = try Self.story()
        story.roads.mostAvoided = 2
        try story.roads.close("far", 9000, 4000)
        try story.roads.close("outside", 5000, 6000)
        try story.roads.close("near", 2000, 100)
        try story.roads.close("middle", 5000, 0)
        try story.roads.close("start", 1000, 0)
        let request = try #require(story.handle(.reroute, at: 61).request)
        #expect(request.avoid.map(\.place?.id) == ["near", "middle"])
    }

    @Test func aPieceOfTheRouteIsClosedForTheTrip() throws {
        var story = try Self.story()
        let outcome = story.handle(.avoid(start: 500, length: 1000), at: 61)
        #expect(outcome.told == ["will_reroute []"])
        let request = try #require(outcome.request)
        #expect(request.purpose == .avoid && request.avoid.count == 1)
        guard let avoided = request.avoid.first,
            case .line(let piece, _) = avoided.closure.area.shape
        else { return }
        #expect(avoided.place == nil)
        #expect(TripStory.isNear(piece.first?.distance(to: TripStory.place(1500, 0)), 0))
        #expect(TripStory.isNear(piece.last?.distance(to: TripStory.place(2500, 0)), 0))
        // It stays closed, also after a restart.
        story.route(62, Self.around, request: 1)
        story.trip = try Trip(
            assignment: story.trip.encodeAssignment(), route: story.trip.encodeRoute(),
            state: story.trip.encodeState())
        #expect(story.handle(.reroute, at: 63).request?.avoid == [avoided])
    }

    @Test func aPieceBeyondTheEndIsRefused() throws {
        var story = try Self.story()
        let outcome = story.handle(.avoid(start: 0, length: 9500), at: 61)
        #expect(outcome.refusal?.reason == .noRouteAhead)
        #expect(story.handle(.avoid(start: 0, length: 8900), at: 62).request != nil)
    }

    @Test func aClosedPieceTakesTheRequestThatIsOutBack() throws {
        var story = try Self.story()
        story.handle(.reroute, at: 61)
        let outcome = story.handle(.avoid(start: 0, length: 500), at: 62)
        #expect(outcome.told == ["reroute_cancelled", "will_reroute []"])
        #expect(outcome.request?.number == 2)
    }
}
