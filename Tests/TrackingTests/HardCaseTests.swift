import Geometry
import Testing
import Tracking

/// The hard cases of which there is no fixture.
@Suite struct HardCaseTests {
    /// Three kilometres due east.
    private static let straight = [(0.0, 0.0), (1000, 0), (2000, 0), (3000, 0)]

    @Test("A road 400 m beside the route is the route") func parallelRoad() throws {
        var story = try TripStory([(0, 0), (3000, 0)], stops: [(1000, 0)])
        #expect(story.fix(0, 500, 400).told == [])
        #expect(TripStory.isNear(story.trip.progress.deviation, 400))
        #expect(story.fix(60, 1500, 400).told == ["waypoint_reached 0"])
        #expect(TripStory.isNear(story.trip.progress.remainingDistance, 2000))
    }

    @Test("A vehicle that may have turned at an unseen stop has not") func missedTurn() throws {
        var story = try TripStory([(0, 0), (2000, 0), (0, 0)], stops: [(2000, 0)])
        story.fix(0, 1800, 0)
        story.fix(60, 1400, 0)
        #expect(story.told == [])
        #expect(TripStory.isNear(story.trip.progress.remainingDistance, 2600))
    }

    @Test("A stop behind the start is reached by the first fix") func stopBehindStart() throws {
        var story = try TripStory(Self.straight, stops: [(-300, 0)])
        #expect(story.fix(0, 100, 0).told == ["waypoint_reached 0"])
        #expect(throws: Refusal.self) { try TripStory(Self.straight, stops: [(-700, 0)]) }
    }

    @Test("Stops against the direction are refused") func stopsAgainstTheLine() throws {
        let refusal = #expect(throws: Refusal.self) {
            try TripStory([(0, 0), (3000, 0)], stops: [(2000, 0), (1000, 0)])
        }
        #expect(refusal?.reason == .waypointNotOnRoute)
    }

    @Test("A long segment is straight in longitude and latitude", arguments: [true, false])
    func longSegment(isOnChord: Bool) throws {
        let west = Coordinate(latitude: 60, longitude: 10)
        let east = Coordinate(latitude: 60, longitude: 10 + 1.7929)
        #expect(abs(west.distance(to: east) - 100_000) < 50)
        var options = TripOptions()
        options.deviationDistance = 300
        let assignment = Assignment(
            tripID: "trip", vehicleID: "vehicle",
            route: ProvidedRoute(coordinates: [west, east]), options: options)
        var trip = try Trip.start(assignment, newest: nil, at: Timestamp(seconds: 0)).trip
        // The geodesic passes 338.6 m north of the middle of the segment.
        let middle = Coordinate(
            latitude: isOnChord ? 60 : 60 + 338.6 / 111_412, longitude: 10 + 1.7929 / 2)
        let fix = Fix(time: Timestamp(seconds: 10), coordinate: middle)
        let outcome = trip.handle(.fix(fix), at: fix.time)
        #expect(outcome.told == (isOnChord ? [] : ["will_reroute []"]))
        #expect(TripStory.isNear(trip.progress.deviation, isOnChord ? 0 : 338.6))
    }

    @Test("A restart while held repeats nothing and releases nothing") func restart() throws {
        var story = try TripStory(Self.straight, stops: [(1000, 0)])
        story.fix(0, 500, 0)
        let reached = story.fix(30, 1010, 0)
        #expect(reached.told == ["waypoint_reached 0"])
        story.trip = try Trip(
            assignment: story.trip.encodeAssignment(), route: story.trip.encodeRoute(),
            state: story.trip.encodeState())
        #expect(story.trip.state == .held)
        #expect(story.trip.progress.activeWaypoint?.index == 0)
        let again = story.fix(30, 1010, 0, received: 45)
        #expect(again.told == [] && again.disposition == .history(.notNewer))
        let released = story.handle(.proceed(waypointIndex: 0), at: 60)
        #expect(released.told == ["waypoint_resumed 0"])
        #expect(released.events.first?.sequence == (reached.events.first?.sequence ?? 0) + 1)
    }

    @Test("A clock an hour fast is seen, and does not deafen the trip") func fastClock() throws {
        var story = try TripStory(Self.straight, stops: [(1000, 0)])
        for second in stride(from: 10.0, through: 50, by: 10) {
            let outcome = story.fix(second + 3600, 20 * second, 0, received: second)
            #expect(outcome.disposition == .history(.inFuture))
        }
        #expect(story.fix(60, 1000, 0).told == ["waypoint_reached 0"])
    }

    @Test("Joining in the middle", arguments: [(0, 0), (1, 1), (2, nil)])
    func joiningInTheMiddle(start: Int, reached: Int?) throws {
        var story = try TripStory(Self.straight, stops: [(1000, 0), (2000, 0)]) {
            $0.startWaypointIndex = start
        }
        #expect(story.fix(0, 2500, 0).told == (reached.map { ["waypoint_reached \($0)"] } ?? []))
        #expect(story.trip.progress.remainingWaypoints == max(1 - start, 0))
    }

    @Test("A stop 700 m off the road is refused") func stopOffTheRoad() throws {
        let refusal = #expect(throws: Refusal.self) {
            try TripStory(Self.straight, stops: [(1000, 0), (2000, 700)])
        }
        #expect(refusal?.reason == .waypointNotOnRoute)
        #expect(refusal?.detail.contains("via point 1") == true)
    }

    @Test("An answer that forgot a stop is none") func forgottenStop() throws {
        var story = try TripStory(
            [(0, 0), (5000, 0), (9000, 0)], stops: [(1000, 0), (5000, 0), (8000, 0)])
        story.fix(0, 1000, 0)
        story.handle(.proceed(waypointIndex: nil), at: 10)
        #expect(story.fix(60, 1500, 900).told == ["will_reroute [1, 2]"])
        // It passes via point 1 at 3 km.
        let answer = story.route(
            65, [(1500, 900), (1500, 3000), (8000, 3000), (8000, 0), (9000, 0)], request: 1)
        #expect(answer.told == ["reroute_failed"])
        guard case .rerouteFailed(let error) = answer.events.first?.kind else {
            Issue.record("nothing failed")
            return
        }
        #expect(error.hasPrefix("waypoint_not_on_route") && error.contains("via point 1"))
        #expect(story.trip.routeRevision == 1)
        #expect(story.trip.progress.remainingWaypoints == 2)
    }

    @Test("A first fix far away does not deafen the trip") func firstFixIsTheSpike() throws {
        var story = try TripStory(Self.straight, stops: [(2000, 0)])
        let far = Fix(
            time: Timestamp(seconds: 0), coordinate: Coordinate(latitude: 60, longitude: 20))
        #expect(story.handle(.fix(far), at: 0).told == ["will_reroute [0]"])
        #expect(story.fix(10, 300, 0).disposition == .history(.spike))
        #expect(story.fix(20, 450, 0).told == ["reroute_cancelled"])
        #expect(TripStory.isNear(story.trip.progress.remainingDistance, 2550))
    }

    @Test("A position from before the trip is history", arguments: [-86_400.0, -301, -300, -10])
    func retainedPosition(time: Double) throws {
        var story = try TripStory(Self.straight, stops: [(1000, 0)])
        let outcome = story.fix(time, 1000, 0, received: 1)
        let isOld = time < -300
        #expect(outcome.disposition == (isOld ? .history(.beforeAssignment) : .tracked))
        #expect(outcome.told == (isOld ? [] : ["waypoint_reached 0"]))
    }

    @Test("Of two fixes of one moment the first counts") func sameSecond() throws {
        var story = try TripStory(Self.straight)
        story.fix(10, 500, 0)
        #expect(story.fix(10, 520, 0).disposition == .history(.notNewer))
        #expect(TripStory.isNear(story.trip.progress.remainingDistance, 2500))
        #expect(story.fix(10.2, 504, 0).disposition == .tracked)
        #expect(TripStory.isNear(story.trip.progress.remainingDistance, 2496))
    }

    @Test("Passing a later stop early is not visiting it", arguments: [true, false])
    func laterStopEarly(waits: Bool) throws {
        // Via point 1 is 4010 m along the line, and 10 m from where it is 600 m along.
        var story = try TripStory(
            [(0, 0), (2300, 0), (2300, 10), (600, 10), (0, 10)], stops: [(2000, 0), (600, 10)]
        ) { $0.waitsAtWaypoints = waits }
        for (second, east) in [(0.0, 300.0), (10, 590), (20, 600), (30, 620), (60, 1500)] {
            #expect(story.fix(second, east, 8).told == [])
        }
        #expect(story.fix(80, 2000, 0).told == ["waypoint_reached 0"])
        if waits { story.handle(.proceed(waypointIndex: 0), at: 90) }
        #expect(story.fix(120, 2300, 5).told == [])
        #expect(story.fix(200, 600, 10).told == ["waypoint_reached 1"])
    }

    @Test("A stop passed while a request is out counts") func stopWhileRerouting() throws {
        var story = try TripStory(Self.straight, stops: [(1000, 0), (2000, 0)])
        story.fix(0, 500, 0)
        #expect(story.fix(60, 800, 600).told == ["will_reroute [0, 1]"])
        #expect(story.fix(90, 1000, 20).told == ["reroute_cancelled", "waypoint_reached 0"])
        let late = story.route(95, [(800, 600), (1000, 0), (2000, 0), (3000, 0)], request: 1)
        #expect(late.told == [] && late.refusal?.reason == .requestMismatch)
        story.handle(.proceed(waypointIndex: 0), at: 100)
        let next = story.fix(130, 1400, 700)
        #expect(next.told == ["will_reroute [1]"])
        #expect(next.request?.number == 2)
    }

    @Test("After the last proceed the next fix decides") func proceedAtTheDestination() throws {
        var story = try TripStory(Self.straight, stops: [(3000, 0)])
        #expect(story.fix(0, 3000, 0).told == ["waypoint_reached 0"])
        #expect(story.fix(30, 3000, 0).told == [])
        #expect(story.handle(.proceed(waypointIndex: 0), at: 40).told == ["waypoint_resumed 0"])
        #expect(story.trip.state == .tracking)
        #expect(story.fix(50, 3000, 0).told == ["arrived"])
    }
}
