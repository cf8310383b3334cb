import Geometry
import Testing
import Tracking

/// What a trip tells ahead of its via points and its destination.
@Suite struct AheadTests {
    /// Three kilometres due east.
    private static let straight = [(0.0, 0.0), (1000, 0), (2000, 0), (3000, 0)]

    @Test func approachIsToldOnceForEachGoal() throws {
        var story = try TripStory(Self.straight, stops: [(1000, 0)]) {
            $0.waitsAtWaypoints = false
            $0.approachDistance = 500
        }
        #expect(story.fix(0, 400, 0).told == [])
        let approach = story.fix(10, 600, 0)
        #expect(approach.told == ["waypoint_approached 0"])
        guard case .waypointApproached(_, let left) = approach.events.first?.kind else { return }
        #expect(TripStory.isNear(left.distance, 400))
        #expect(left.eta != nil)
        #expect(story.fix(20, 800, 0).told == [])
        #expect(story.fix(30, 1000, 0).told == ["waypoint_reached 0"])
        #expect(story.fix(90, 2400, 0).told == [])
        #expect(story.fix(100, 2600, 0).told == ["waypoint_approached"])
        #expect(story.fix(120, 3000, 0).told == ["arrived"])
    }

    @Test func approachIsNotRepeatedOnANewRoute() throws {
        var story = try TripStory(Self.straight, stops: [(1000, 0)]) { $0.approachDistance = 500 }
        #expect(story.fix(10, 600, 0).told == ["waypoint_approached 0"])
        #expect(story.route(20, Self.straight, request: nil).told == ["rerouted"])
        #expect(story.fix(30, 700, 0).told == [])
    }

    @Test func approachInTimeGoesByTheTripsPace() throws {
        var story = try TripStory([(0, 0), (3000, 0)]) { $0.approachTime = 60 }
        #expect(story.fix(0, 0, 0).told == [])
        #expect(story.fix(60, 1200, 0).told == [])
        #expect(story.fix(100, 2000, 0).told == ["waypoint_approached"])
    }

    @Test func goalThatIsReachedAtOnceIsNotApproached() throws {
        var story = try TripStory(Self.straight, stops: [(1000, 0)]) { $0.approachDistance = 500 }
        story.fix(0, 100, 0)
        #expect(story.fix(60, 1000, 0).told == ["waypoint_reached 0"])
        // Held, a vehicle approaches nothing.
        #expect(story.fix(70, 1010, 0).told == [])
    }

    /// Away from the via point at 1,000 m, towards the destination north of it.
    private static let corner = [(0.0, 0.0), (1000, 0), (1000, 3000)]

    private func cornerStory() throws -> TripStory {
        try TripStory(Self.corner, stops: [(1000, 0)]) {
            $0.deviationDistance = 5000
            $0.skipSuggestion = 300
        }
    }

    @Test func skipIsSuggestedByTwoFixesInARow() throws {
        var story = try cornerStory()
        story.fix(0, 0, 0)
        #expect(story.fix(60, 0, 900).told == [])
        let advice = story.fix(70, 0, 920)
        #expect(advice.told == ["skip_suggested 0"])
        guard
            case .skipSuggested(_, let distance, let nearest) = advice.events.first?.kind
        else { return }
        #expect(TripStory.isNear(distance, 1358.8))
        #expect(TripStory.isNear(nearest, 1000))
        #expect(story.fix(80, 0, 940).told == [])
    }

    @Test func skipIsNotSuggestedAfterOneFixThatCameBack() throws {
        var story = try cornerStory()
        story.fix(0, 0, 0)
        story.fix(60, 0, 900)
        story.fix(70, 0, 700)
        #expect(story.fix(80, 0, 920).told == [])
    }

    @Test func skipIsNotSuggestedWhereNothingElseComesNearer() throws {
        var story = try cornerStory()
        story.fix(0, 0, 0)
        story.fix(60, 0, -900)
        #expect(story.fix(70, 0, -920).told == [])
    }

    @Test func whatWasToldAheadOutlivesARestart() throws {
        var story = try TripStory(Self.corner, stops: [(1000, 0)]) {
            $0.deviationDistance = 5000
            $0.skipSuggestion = 300
            $0.approachDistance = 1200
            $0.speedLimit = 13.9
        }
        story.fix(0, 0, 0)
        story.fix(60, 0, 900)
        story.trip = try Trip(
            assignment: story.trip.encodeAssignment(), route: story.trip.encodeRoute(),
            state: story.trip.encodeState())
        #expect(story.trip.options.speedLimit == 13.9)
        #expect(story.fix(70, 0, 920).told == ["skip_suggested 0"])
        #expect(story.told == ["waypoint_approached 0", "skip_suggested 0"])
    }
}
