import Foundation
import Geometry
import Glibc
import TestServers
import Testing
import Tracking

@testable import Routing

@Suite(.timeLimit(.minutes(5))) struct PlannerClientTests {
    private func client(
        _ engine: FakeEngine, timeout: Double = 5, maxAnswerBytes: Int = 1 << 20
    ) throws -> PlannerClient {
        var settings = PlannerSettings(kind: .osrm, url: engine.url)
        settings.timeout = timeout
        settings.maxAnswerBytes = maxAnswerBytes
        return try PlannerClient(settings: settings)
    }

    private func question(_ trip: Int, number: Int = 1) -> PlannerQuestion {
        PlannerQuestion(
            vehicleID: "trip-\(trip)", tripID: "trip-\(trip)", request: request(number: number))
    }

    @Test func answersWithTheRoute() throws {
        let engine = try FakeEngine { .json(osrmAnswer(to: $0.target)) }
        defer { engine.stop() }
        let client = try client(engine)
        client.ask(
            PlannerQuestion(vehicleID: "t", tripID: "t", request: request(number: 3, via: [via])))
        let answer = try #require(client.answers(1).first)
        #expect(answer.tripID == "t")
        #expect(answer.number == 3)
        #expect(try answer.result.get().route.coordinates == [start, via, end])
        #expect(answer.latency > 0 && answer.latency < 5)
        #expect(client.inFlight == 0 && client.waiting == 0)
    }

    private static let bad: [(FakeReply, PlannerError.Reason, String)] = [
        (.silence, .timeout, "timed out"),
        (.drip, .timeout, "timed out"),
        (.hangUp, .unreachable, "Empty reply"),
        (.half("{"), .unreachable, "transfer closed"),
        (.raw("\u{1}\u{2}garbage\r\n"), .unusable, "HTTP/0.9"),
        (.endless, .unusable, "longer than 1048576 bytes"),
        (
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 104857600\r\n\r\n{"), .unusable,
            "longer than 1048576 bytes"
        ),
        (.raw("HTTP/1.1 301 Moved\r\nLocation: file:///etc/passwd\r\n\r\n"), .refused, "301"),
        (.json("<html>", status: 502), .refused, "HTTP status 502"),
        (.json("<html>"), .unusable, "not JSON"),
        (.json(osrmAnswer([])), .unusable, "empty"),
        (
            .json(osrmAnswer([via, Coordinate(latitude: 0, longitude: 0)])), .unusable,
            "wrong place"
        ),
        (
            .json(#"{"code":"TooBig","message":"Too many"}"#, status: 400), .refused,
            "TooBig: Too many"
        ),
    ]

    @Test(arguments: bad)
    func survives(_ reply: FakeReply, _ reason: PlannerError.Reason, _ words: String) throws {
        let engine = try FakeEngine { request in
            request.target.contains("9.530000") ? reply : .json(osrmAnswer(to: request.target))
        }
        defer { engine.stop() }
        let client = try client(engine, timeout: 1)
        let stray = request(from: Coordinate(latitude: 47.141, longitude: 9.53))
        client.ask(PlannerQuestion(vehicleID: "bad", tripID: "bad", request: stray))
        for trip in 1...20 { client.ask(question(trip)) }
        let answers = client.answers(21)
        #expect(answers.count == 21)
        for answer in answers where answer.tripID != "bad" {
            #expect(throws: Never.self) { try answer.result.get() }
            #expect(answer.latency < 1)
        }
        let bad = try #require(answers.first { $0.tripID == "bad" })
        let error = #expect(throws: PlannerError.self) { try bad.result.get() }
        #expect(error?.reason == reason)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test func tellsThatNobodyListens() throws {
        let engine = try FakeEngine { _ in .hangUp }
        engine.stop()
        let client = try PlannerClient(
            settings: PlannerSettings(
                kind: .osrm, url: "http://user:secret@127.0.0.1:\(engine.port)/?key=hidden"))
        let error = #expect(throws: PlannerError.self) { try client.answer(to: request()).get() }
        #expect(error?.reason == .unreachable)
        #expect(error?.text.contains("127.0.0.1:\(engine.port)") == true)
        #expect(error?.text.contains("secret") == false)
        #expect(error?.text.contains("hidden") == false)
    }

    @Test func sendsTheURLsCredentialsAndQuery() throws {
        let engine = try FakeEngine { .json(osrmAnswer(to: $0.target)) }
        defer { engine.stop() }
        let client = try PlannerClient(
            settings: PlannerSettings(
                kind: .osrm, url: "http://us%65r:pass@127.0.0.1:\(engine.port)/?key=k"))
        _ = try client.answer(to: request()).get()
        let sent = try #require(engine.requests.first)
        #expect(sent.headers["authorization"] == "Basic dXNlcjpwYXNz")
        #expect(sent.target.contains("?key=k&overview=full"))
    }

    @Test func boundsWhatIsInFlight() throws {
        let gate = DispatchSemaphore(value: 0)
        let engine = try FakeEngine { request in
            gate.wait()
            return .json(osrmAnswer(to: request.target))
        }
        defer { engine.stop() }
        let client = try client(engine, timeout: 20)
        for trip in 1...500 { client.ask(question(trip)) }
        while client.inFlight < 16 { _ = client.turn(timeout: 100, wake: -1) }
        while engine.requests.count < 16 { _ = client.turn(timeout: 10, wake: -1) }
        #expect(client.inFlight == 16)
        #expect(client.waiting == 484)
        for _ in 1...500 { gate.signal() }
        let answers = client.answers(500)
        #expect(Set(answers.map(\.tripID)).count == 500)
        #expect(answers.allSatisfy { (try? $0.result.get()) != nil })
        #expect(engine.mostAtOnce == 16)
        #expect(engine.connectionCount == 16)
    }

    @Test func replacesATripsOlderQuestion() throws {
        let gate = DispatchSemaphore(value: 0)
        let engine = try FakeEngine { request in
            gate.wait()
            return .json(osrmAnswer(to: request.target))
        }
        defer { engine.stop() }
        let client = try client(engine, timeout: 20)
        for trip in 1...17 { client.ask(question(trip)) }
        while engine.requests.count < 16 { _ = client.turn(timeout: 10, wake: -1) }
        // One that is out, one that waits.
        client.ask(question(3, number: 2))
        client.ask(question(17, number: 2))
        client.cancel(vehicleID: "trip-4")
        client.cancel(vehicleID: "trip-99")
        #expect(client.inFlight == 14)
        #expect(client.waiting == 2)
        for _ in 1...20 { gate.signal() }
        let answers = client.answers(16) + client.turn(timeout: 0, wake: -1)
        #expect(answers.count == 16)
        let numbers = Dictionary(uniqueKeysWithValues: answers.map { ($0.tripID, $0.number) })
        #expect(numbers["trip-3"] == 2)
        #expect(numbers["trip-17"] == 2)
        #expect(numbers["trip-4"] == nil)
        #expect(numbers["trip-1"] == 1)
    }

    @Test func givesUpOnQuestionsThatWaitTooLong() throws {
        let engine = try FakeEngine { _ in .silence }
        defer { engine.stop() }
        let client = try client(engine, timeout: 20)
        for trip in 1...16 { client.ask(question(trip)) }
        while engine.requests.count < 16 { _ = client.turn(timeout: 10, wake: -1) }
        var late = question(17)
        late.timeout = 0.2
        client.ask(late)
        let clock = ContinuousClock()
        let begun = clock.now
        var answers: [PlannerAnswer] = []
        while answers.isEmpty { answers = client.turn(timeout: 15_000, wake: -1) }
        #expect(clock.now - begun < .seconds(4))
        #expect(answers.map(\.tripID) == ["trip-17"])
        let error = #expect(throws: PlannerError.self) { try answers[0].result.get() }
        #expect(error?.reason == .timeout)
        #expect(client.inFlight == 16)
    }

    @Test func asksAgainWithoutTheCourse() throws {
        let engine = try FakeEngine { request in
            request.target.contains("bearings")
                ? .json(#"{"code":"NoSegment","message":"none"}"#, status: 400)
                : .json(osrmAnswer(to: request.target))
        }
        defer { engine.stop() }
        let client = try client(engine)
        let route = try client.answer(to: request(course: 90)).get().route
        #expect(route.coordinates == [start, end])
        #expect(engine.requests.count == 2)
        #expect(engine.requests.first?.target.contains("bearings=90,45;&") == true)
        #expect(engine.connectionCount == 1)
    }

    @Test func keepsAnswersApartThatComeTogether() throws {
        let engine = try FakeEngine { request in
            request.target.contains("bearings")
                ? .json(#"{"code":"NoSegment"}"#, status: 400)
                : .json(osrmAnswer(to: request.target))
        }
        defer { engine.stop() }
        let client = try client(engine)
        for trip in 1...100 {
            let place = Coordinate(latitude: 47.16, longitude: 9 + Double(trip) / 1000)
            let request = request(number: trip, from: place, course: 90, to: place)
            client.ask(
                PlannerQuestion(vehicleID: "trip-\(trip)", tripID: "trip-\(trip)", request: request)
            )
        }
        var answers: [PlannerAnswer] = []
        while client.inFlight + client.waiting > 0 {
            answers += client.turn(timeout: 1000, wake: -1)
            // Lets answers pile up, so that a turn takes several.
            usleep(2000)
        }
        #expect(Set(answers.map(\.tripID)).count == 100)
        for answer in answers {
            let start = try answer.result.get().route.coordinates[0]
            #expect(abs(start.longitude - 9 - Double(answer.number) / 1000) < 1e-6)
        }
    }

    @Test func asksOnceWithoutTheCourse() throws {
        let engine = try FakeEngine { _ in .json(#"{"code":"NoSegment"}"#, status: 400) }
        defer { engine.stop() }
        let client = try client(engine)
        for (course, count) in [(90.0, 2), (nil, 3)] {
            let error = #expect(throws: PlannerError.self) {
                try client.answer(to: request(course: course)).get()
            }
            #expect(error?.text == "refused: NoSegment")
            #expect(engine.requests.count == count)
        }
    }

    @Test func leavesOutAPedestriansCourse() throws {
        let engine = try FakeEngine { .json(osrmAnswer(to: $0.target)) }
        defer { engine.stop() }
        let client = try client(engine)
        _ = try client.answer(to: request(course: 90, profile: .walking)).get()
        #expect(engine.requests.first?.target.contains("bearings") == false)
    }

    @Test func asksForTheDeviationPath() throws {
        let engine = try FakeEngine { .json(osrmAnswer(to: $0.target)) }
        defer { engine.stop() }
        let client = try client(engine)
        let planned = try client.answer(to: request(course: 90, deviationPathStart: via)).get()
        #expect(planned.route.coordinates == [start, end])
        #expect(planned.deviationPath == [via, start])
        #expect(engine.requests.count == 2)
    }

    @Test(arguments: [
        FakeReply.silence, .hangUp, .json("{}"), .json(#"{"code":"NoRoute"}"#, status: 400),
    ])
    func keepsTheRouteWithoutADeviationPath(_ reply: FakeReply) throws {
        let engine = try FakeEngine { request in
            request.target.contains("/9.522000,")
                ? reply : .json(osrmAnswer(to: request.target))
        }
        defer { engine.stop() }
        let client = try client(engine, timeout: 1)
        let planned = try client.answer(to: request(deviationPathStart: via)).get()
        #expect(planned.route.coordinates == [start, end])
        #expect(planned.deviationPath.isEmpty)
    }

    @Test func wakesUpWhenTold() throws {
        let engine = try FakeEngine { _ in .silence }
        defer { engine.stop() }
        let client = try client(engine)
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        #expect(write(ends[1], "x", 1) == 1)
        let wake = ends[0]
        let clock = ContinuousClock()
        let begun = clock.now
        #expect(client.turn(timeout: 10_000, wake: wake).isEmpty)
        client.ask(question(1))
        #expect(client.turn(timeout: 10_000, wake: wake).isEmpty)
        #expect(clock.now - begun < .seconds(5))
    }

    @Test func comesBackAfterARestart() throws {
        let first = try FakeEngine { .json(osrmAnswer(to: $0.target)) }
        let client = try client(first)
        _ = try client.answer(to: request()).get()
        first.stop()
        let error = #expect(throws: PlannerError.self) { try client.answer(to: request()).get() }
        #expect(error?.reason == .unreachable)
        let second = try FakeEngine(port: first.port) { .json(osrmAnswer(to: $0.target)) }
        defer { second.stop() }
        _ = try client.answer(to: request()).get()
        #expect(second.requests.count == 1)
    }

    @Test(arguments: [
        (PlannerSettings.Kind.osrm, #"{"code":"Ok","data_version":"7"}"#, "OSRM, data version 7"),
        (.osrm, #"{"code":"NoSegment"}"#, "OSRM"),
        (.valhalla, #"{"version":"3.9.1"}"#, "Valhalla 3.9.1"),
    ])
    func checks(_ kind: PlannerSettings.Kind, _ reply: String, _ expected: String) throws {
        let engine = try FakeEngine { _ in .json(reply) }
        defer { engine.stop() }
        let client = try PlannerClient(settings: PlannerSettings(kind: kind, url: engine.url))
        #expect(try client.check() == "\(expected) at \(engine.url)")
    }

    @Test(arguments: [
        (PlannerSettings.Kind.osrm, FakeReply.json(#"{"version":"3.9.1"}"#)),
        (.osrm, .json(#"{"code":"InvalidUrl"}"#, status: 400)),
        (.valhalla, .json(#"{"code":"Ok"}"#)), (.valhalla, .hangUp),
        (.valhalla, .json("", status: 404)),
    ])
    func checkFails(_ kind: PlannerSettings.Kind, _ reply: FakeReply) throws {
        let engine = try FakeEngine { _ in reply }
        defer { engine.stop() }
        let client = try PlannerClient(settings: PlannerSettings(kind: kind, url: engine.url))
        #expect(throws: PlannerError.self) { try client.check() }
    }

    /// A closed road at `via`, past which the usual way goes.
    private func closed() throws -> ClosedRoad {
        let area = try Area(.point(via))
        return ClosedRoad(place: nil, closure: try #require(RoadClosure(area)))
    }

    @Test func goesAroundInRounds() throws {
        let aside = Coordinate(latitude: 47.15, longitude: 9.53)
        let engine = try FakeEngine { request in
            let isExcluded = request.body.contains("exclude_locations")
            return .json(osrmAnswer([start, isExcluded ? aside : via, end]))
        }
        defer { engine.stop() }
        let client = try PlannerClient(
            settings: PlannerSettings(kind: .valhalla, url: engine.url))
        client.ask(
            PlannerQuestion(
                vehicleID: "t", tripID: "t", request: request(avoid: [try closed()])))
        let answer = try #require(client.answers(1).first)
        #expect(try answer.result.get().route.coordinates == [start, aside, end])
        #expect(answer.rounds == 2 && !answer.isBlocked)
    }

    @Test func aRoundThatFailsLosesNothing() throws {
        let engine = try FakeEngine { request in
            request.body.contains("exclude_locations")
                ? .json(
                    #"{"error_code":442,"error":"No path could be found for input"}"#, status: 400)
                : .json(osrmAnswer([start, via, end]))
        }
        defer { engine.stop() }
        let client = try PlannerClient(
            settings: PlannerSettings(kind: .valhalla, url: engine.url))
        client.ask(
            PlannerQuestion(
                vehicleID: "t", tripID: "t", request: request(avoid: [try closed()])))
        let answer = try #require(client.answers(1).first)
        #expect(try answer.result.get().route.coordinates == [start, via, end])
        #expect(answer.isBlocked)
    }
}
