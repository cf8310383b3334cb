import Testing

@testable import MQTT

struct QueueTests {
    private func queue(_ tokens: Range<UInt64>) -> OutgoingQueue {
        var queue = OutgoingQueue()
        for token in tokens {
            queue.append(.init(token: token, topic: "t", payload: [1], isRetained: false))
        }
        return queue
    }

    @Test("messages go out in order, and again in order on the next connection")
    func sendsAgain() {
        var queue = queue(0..<5)
        #expect(queue.unsent?.token == 0)
        for id in 1...3 as ClosedRange<Int32> { queue.markSent(id) }
        #expect(queue.unsent?.token == 3 && queue.inFlight == 3 && queue.count == 5)
        #expect(queue.settle(2) == 1)
        #expect(queue.settle(2) == nil)
        #expect(queue.settle(9) == nil)
        queue.sendAgain()
        #expect(queue.inFlight == 0 && queue.count == 4)
        var order: [UInt64] = []
        var id: Int32 = 10
        while let message = queue.unsent {
            order.append(message.token)
            queue.markSent(id)
            id += 1
        }
        #expect(order == [0, 2, 3, 4])
        let settled = (10..<14).map { queue.settle($0) }
        #expect(settled == [0, 2, 3, 4])
        #expect(queue.count == 0 && queue.unsent == nil)
    }

    @Test("a message that nobody would take is left out, and the next one follows")
    func refuses() {
        var queue = queue(0..<3)
        queue.markSent(1)
        #expect(queue.refuseUnsent() == 1)
        #expect(queue.unsent?.token == 2)
        queue.markSent(2)
        #expect(queue.refuseUnsent() == nil)
        #expect(queue.settle(2) == 2)
        #expect(queue.settle(1) == 0)
        #expect(queue.count == 0)
    }

    @Test("tokens stay with their messages over many thousands of them")
    func survivesCompaction() {
        var queue = OutgoingQueue()
        var settled: [UInt64] = []
        var id: Int32 = 0
        for token in 0..<10_000 as Range<UInt64> {
            queue.append(.init(token: token, topic: "t", payload: [], isRetained: false))
            id = id % 65535 + 1
            queue.markSent(id)
            if token >= 50 { settled.append(queue.settle((id + 65535 - 51) % 65535 + 1) ?? .max) }
            if token % 3000 == 2999 {
                queue.sendAgain()
                while queue.unsent != nil {
                    id = id % 65535 + 1
                    queue.markSent(id)
                }
            }
        }
        #expect(settled == (0..<9950).map { UInt64($0) })
        #expect(queue.count == 50)
    }

    @Test("the message with which connections end is found by sending it alone")
    func findsPoison() {
        var watch = PoisonWatch()
        #expect(watch.hungUp(inFlight: 0) == false)
        #expect(watch.hungUp(inFlight: 9) == false)
        #expect(!watch.isCautious)
        #expect(watch.hungUp(inFlight: 9) == false)
        #expect(watch.isCautious)
        #expect(watch.hungUp(inFlight: 1) == false)
        #expect(watch.hungUp(inFlight: 1) == false)
        #expect(watch.hungUp(inFlight: 1) == true)
        #expect(watch.isCautious)
        watch.acknowledged()
        #expect(!watch.isCautious)
        for _ in 0..<4 { #expect(watch.hungUp(inFlight: 1) == false) }
        watch.acknowledged()
        #expect(watch.hungUp(inFlight: 1) == false)
    }
}
