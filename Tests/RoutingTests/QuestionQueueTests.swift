import Testing

@testable import Routing

@Suite struct QuestionQueueTests {
    private let now = ContinuousClock().now

    private func question(_ trip: Int, number: Int = 1) -> PlannerQuestion {
        PlannerQuestion(vehicleID: "\(trip)", tripID: "\(trip)", request: request(number: number))
    }

    @Test func servesFirstComeFirst() {
        var queue = QuestionQueue()
        for trip in 1...4 { queue.append(question(trip), deadline: now) }
        queue.remove(vehicleID: "2")
        queue.append(question(3, number: 2), deadline: now)
        #expect(queue.count == 3)
        #expect(queue.popFirst()?.question == question(1))
        #expect(queue.popFirst()?.question == question(3, number: 2))
        #expect(queue.popFirst()?.question == question(4))
        #expect(queue.popFirst() == nil)
        queue.append(question(5), deadline: now)
        #expect(queue.popFirst()?.question == question(5))
    }

    @Test func dropsWhatIsTooLate() {
        var queue = QuestionQueue()
        for trip in 1...4 {
            queue.append(question(trip), deadline: now.advanced(by: .seconds(trip)))
        }
        #expect(queue.removeExpired(at: now).isEmpty)
        let expired = queue.removeExpired(at: now.advanced(by: .seconds(2)))
        #expect(Set(expired.map(\.tripID)) == ["1", "2"])
        #expect(queue.nextDeadline == now.advanced(by: .seconds(3)))
        #expect(queue.popFirst()?.question == question(3))
    }

    @Test func forgetsTripsThatComeAndGo() {
        var queue = QuestionQueue()
        queue.append(question(0), deadline: now)
        for trip in 1...10_000 {
            queue.append(question(trip), deadline: now)
            queue.remove(vehicleID: "\(trip)")
        }
        for number in 1...100 { queue.append(question(0, number: number), deadline: now) }
        #expect(queue.orderCount < 100)
        #expect(queue.popFirst()?.question == question(0, number: 100))
        #expect(queue.popFirst() == nil)
    }
}
