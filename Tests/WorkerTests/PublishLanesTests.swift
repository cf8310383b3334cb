import Store
import Testing

@testable import Worker

/// What goes to the broker when, and what waits for what.
@Suite struct PublishLanesTests {
    private func event(
        _ name: String, lane: String? = nil, type: String = "arrived", position: Int64 = 1
    ) -> Publication {
        Publication(
            .event(id: name, home: .trips), of: .vehicle("v"), topic: "fleet/v/event/\(type)",
            payload: [1, 2],
            position: position, receivedAt: 0, lane: lane)
    }

    private func route(_ vehicle: String, _ payload: String) -> Publication {
        Publication(
            .route, of: .vehicle(vehicle), topic: "fleet/\(vehicle)/route",
            payload: Array(payload.utf8), position: 1, receivedAt: 0)
    }

    /// An event's id, or a route's payload.
    private func name(of publication: Publication) -> String {
        guard case .event(let id, _) = publication.content else {
            return String(decoding: publication.payload, as: UTF8.self)
        }
        return id
    }

    /// Sends all that may go; returns names or payloads with their tokens, in order.
    private func send(_ lanes: inout PublishLanes) -> [String: UInt64] {
        var sent: [String: UInt64] = [:]
        while let next = lanes.next() {
            sent[name(of: next)] = lanes.token
            lanes.sendNext()
        }
        return sent
    }

    /// Has a message refused; returns whether it is the first of its kind.
    private func refuse(
        _ token: UInt64?, _ lanes: inout PublishLanes, _ pauses: PublishLanes.Pauses = .refusal,
        at now: Double
    ) throws -> Bool {
        lanes.refused(try #require(token), pauses, at: now)
    }

    /// The message that goes next, if any may.
    private func next(_ lanes: inout PublishLanes) -> Publication? { lanes.next() }

    /// Has what is sent under its names taken.
    private func take(_ tokens: [String: UInt64], _ lanes: inout PublishLanes, at now: Double) {
        for token in tokens.values.sorted() { _ = lanes.taken(token, at: now) }
    }

    @Test func oneFollowsTheOtherWithinALaneAndLanesGoTogether() throws {
        var lanes = PublishLanes()
        lanes.append([
            event("a1", lane: "a"), event("a2", lane: "a"), event("b1", lane: "b"), event("x"),
            event("y"), event("a3", lane: "a"),
        ])
        let first = send(&lanes)
        #expect(Set(first.keys) == ["a1", "b1", "x", "y"])
        take(first, &lanes, at: 0)
        let second = send(&lanes)
        #expect(Set(second.keys) == ["a2"])
        take(second, &lanes, at: 0)
        let third = send(&lanes)
        #expect(Set(third.keys) == ["a3"])
        #expect(!lanes.isIdle)
        take(third, &lanes, at: 0)
        #expect(lanes.isIdle && lanes.count == 0 && lanes.refused == 0)
    }

    @Test func aRefusalHoldsUpItsOwnLaneOnly() throws {
        var lanes = PublishLanes()
        lanes.append([event("a1", lane: "a"), event("a2", lane: "a", type: "other")])
        let token = try #require(send(&lanes)["a1"])
        #expect(try refuse(token, &lanes, at: 10))
        lanes.append([event("a3", lane: "a"), event("b1", lane: "b", type: "other")])
        let others = send(&lanes)
        #expect(Set(others.keys) == ["b1"])
        take(others, &lanes, at: 10)
        #expect(lanes.refused == 3)
        // Nothing else is to be done, and a stop need not wait for it.
        #expect(lanes.isIdle)

        lanes.retry(at: 11.9)
        #expect(send(&lanes).isEmpty)
        lanes.retry(at: 12)
        let again = send(&lanes)
        #expect(Set(again.keys) == ["a1"])
        #expect(lanes.refused == 1)
        #expect(try !refuse(again["a1"], &lanes, at: 12))
        #expect(lanes.refused == 3)
        // The pause has grown.
        lanes.retry(at: 15.9)
        #expect(send(&lanes).isEmpty)
        lanes.retry(at: 16)
        let third = send(&lanes)
        let taken = lanes.taken(try #require(third["a1"]), at: 16)
        #expect(taken.map { name(of: $0.0) } == "a1" && taken?.endsRefusal == true)
        #expect(lanes.refused == 0)
        for name in ["a2", "a3"] {
            let next = send(&lanes)
            #expect(Set(next.keys) == [name])
            take(next, &lanes, at: 16)
        }
        #expect(lanes.isIdle)
    }

    @Test func pausesEndWithinHalfAMinute() throws {
        var lanes = PublishLanes()
        lanes.append([event("a", lane: "a")])
        var now = 0.0
        var longest = 0.0
        for _ in 0..<20 {
            let token = try #require(send(&lanes)["a"])
            _ = lanes.refused(token, .refusal, at: now)
            let refusedAt = now
            while lanes.next() == nil {
                now += 0.5
                lanes.retry(at: now)
            }
            longest = max(longest, now - refusedAt)
        }
        #expect(longest == 15)
    }

    @Test func ofManyRefusedLanesAFewAreTriedAndWhenOneIsTakenTheOthersFollow() throws {
        var lanes = PublishLanes()
        lanes.append((0..<100).map { event("e\($0)", lane: "l\($0)") })
        for token in send(&lanes).values.sorted() { _ = lanes.refused(token, .refusal, at: 0) }
        #expect(lanes.refused == 100)
        lanes.retry(at: 2)
        let few = send(&lanes)
        #expect(few.count == 8)
        for token in few.values.sorted() { _ = lanes.refused(token, .refusal, at: 2) }
        lanes.retry(at: 3)
        #expect(send(&lanes).isEmpty)
        lanes.retry(at: 6)
        var rounds = 0
        var taken = 0
        while case let sent = send(&lanes), !sent.isEmpty {
            rounds += 1
            taken += sent.count
            take(sent, &lanes, at: 6)
            lanes.retry(at: 6)
        }
        #expect(taken == 100)
        #expect(rounds == 13)
        #expect(lanes.refused == 0 && lanes.isIdle)
    }

    @Test func kindsOfTopicsAreParkedApart() throws {
        var lanes = PublishLanes()
        lanes.append([event("a", lane: "a", type: "arrived"), event("b", lane: "b", type: "other")])
        let sent = send(&lanes)
        #expect(try refuse(sent["a"], &lanes, at: 0))
        #expect(try refuse(sent["b"], &lanes, .hangUp, at: 0))
        lanes.retry(at: 5)
        #expect(Set(send(&lanes).keys) == ["a"])
        // On a new connection, only what costs none is tried at once.
        lanes.retrySoon(at: 6)
        lanes.retry(at: 6)
        #expect(send(&lanes).isEmpty)
        lanes.retry(at: 600)
        #expect(Set(send(&lanes).keys) == ["b"])
    }

    @Test func ofARetainedTopicOnlyTheNewestWaits() throws {
        var lanes = PublishLanes()
        lanes.append([route("v", "1"), route("v", "2"), route("v", "3"), route("w", "1w")])
        let first = send(&lanes)
        #expect(Set(first.keys) == ["1", "1w"])
        #expect(try refuse(first["1"], &lanes, at: 0))
        #expect(lanes.refused == 1)
        lanes.append([route("v", "4")])
        #expect(send(&lanes).isEmpty)
        #expect(lanes.refused == 1)
        lanes.retry(at: 2)
        let again = send(&lanes)
        #expect(Set(again.keys) == ["4"])
        let taken = lanes.taken(try #require(again["4"]), at: 2)
        #expect(taken?.endsRefusal == true)
        #expect(lanes.refused == 0)
        take(first, &lanes, at: 3)
        #expect(lanes.isIdle)
    }

    @Test func somethingElseCanGoInAMessagesPlace() throws {
        var lanes = PublishLanes()
        lanes.append([route("v", "long"), route("v", "newer")])
        lanes.replace(try #require(send(&lanes)["long"]), payload: [])
        let sent = send(&lanes)
        #expect(Array(sent.keys) == [""])
        take(sent, &lanes, at: 0)
        #expect(Set(send(&lanes).keys) == ["newer"])
    }

    @Test func whatIsGivenUpLetsTheNextOneGo() throws {
        var lanes = PublishLanes()
        lanes.append([event("a1", lane: "a"), event("a2", lane: "a")])
        lanes.giveUp(try #require(send(&lanes)["a1"]))
        #expect(Set(send(&lanes).keys) == ["a2"])
    }

    @Test func whatIsRefusedDoesNotHoldUpThePublishedPosition() throws {
        var lanes = PublishLanes()
        lanes.append([
            event("a1", lane: "a", position: 5), event("a2", lane: "a", position: 6),
            event("b1", lane: "b", position: 7),
        ])
        let sent = send(&lanes)
        #expect(lanes.oldestPosition == 5)
        _ = lanes.refused(try #require(sent["a1"]), .refusal, at: 0)
        #expect(lanes.oldestPosition == 7)
        take(sent, &lanes, at: 0)
        #expect(lanes.oldestPosition == nil)
        lanes.append([event("a3", lane: "a", position: 8), event("c", position: 9)])
        #expect(lanes.oldestPosition == 8)
        take(send(&lanes), &lanes, at: 0)
        #expect(lanes.oldestPosition == nil)
        #expect(lanes.refused == 3)
    }

    @Test func whatIsRefusedHasABound() throws {
        var lanes = PublishLanes()
        lanes.append([event("first", lane: "a")])
        _ = lanes.refused(try #require(send(&lanes)["first"]), .refusal, at: 0)
        for batch in 0..<60 where lanes.hasRoom {
            lanes.append((0..<999).map { event("\(batch).\($0)", lane: "a") })
            #expect(next(&lanes) == nil)
        }
        #expect(!lanes.hasRoom)
        #expect((50_000..<51_000).contains(lanes.refused))
    }
}
