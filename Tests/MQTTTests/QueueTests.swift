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

    @Test("a message can be taken out before it is sent again, and the others go on")
    func takesOut() {
        var queue = queue(0..<4)
        for id in 1...3 as ClosedRange<Int32> { queue.markSent(id) }
        #expect(queue.flying.map(\.token).sorted() == [0, 1, 2])
        _ = queue.settle(1)
        queue.sendAgain()
        #expect(queue.takeOut(2)?.token == 2)
        #expect(queue.takeOut(2) == nil)
        #expect(queue.takeOut(0) == nil)
        #expect(queue.count == 2)
        var order: [UInt64] = []
        while let message = queue.unsent {
            order.append(message.token)
            queue.markSent(Int32(10 + order.count))
        }
        #expect(order == [1, 3])
    }
}

@Suite("What the broker hangs up on")
struct PoisonWatchTests {
    private func sent(_ token: UInt64, _ size: Int = 100) -> PoisonWatch.Sent {
        PoisonWatch.Sent(token: token, size: size)
    }

    @Test("a small message with which connections end is found by sending one at a time")
    func findsPoison() {
        var watch = PoisonWatch()
        let many = (0..<9 as Range<UInt64>).map { sent($0) }
        #expect(watch.hungUp(inFlight: [], at: 0) == .none)
        #expect(watch.hungUp(inFlight: many, at: 0) == .none)
        #expect(!watch.isCautious)
        #expect(watch.hungUp(inFlight: many, at: 0) == .none)
        #expect(watch.isCautious)
        #expect(watch.hungUp(inFlight: [sent(0)], at: 0) == .none)
        #expect(watch.hungUp(inFlight: [sent(0)], at: 0) == .none)
        #expect(watch.hungUp(inFlight: [sent(0)], at: 0) == .giveUpFirst)
        #expect(watch.isCautious)
        watch.acknowledged(sent(1))
        #expect(!watch.isCautious)
        for _ in 0..<4 { #expect(watch.hungUp(inFlight: [sent(2)], at: 0) == .none) }
        watch.acknowledged(sent(2))
        #expect(watch.hungUp(inFlight: [sent(3)], at: 0) == .none)
    }

    @Test("the largest is suspected first, and two connections that end with it alone convict it")
    func suspectsTheLargest() {
        var watch = PoisonWatch()
        watch.acknowledged(sent(0, 3000))
        let flying = [sent(1, 200), sent(2, 70_000), sent(3, 5000)]
        #expect(watch.hungUp(inFlight: flying, at: 0) == .isolate(2))
        // Others are still before it, and a connection that ends then says nothing about it.
        #expect(watch.hungUp(inFlight: [sent(1, 200)], at: 1) == .none)
        #expect(watch.hungUp(inFlight: [sent(2, 70_000)], at: 2) == .none)
        #expect(!watch.isTooLarge(70_000, at: 2))
        #expect(watch.hungUp(inFlight: [sent(2, 70_000)], at: 3) == .tooLarge(sent(2, 70_000)))
        #expect(watch.isTooLarge(70_000, at: 3))
        #expect(watch.isTooLarge(80_000, at: 3))
        #expect(!watch.isTooLarge(69_999, at: 3))
        #expect(!watch.isCautious)
    }

    @Test("the limit is forgotten after an hour, or when the broker takes as much")
    func forgetsTheLimit() {
        var watch = PoisonWatch()
        func convict() {
            for time in [0.0, 1, 2] { _ = watch.hungUp(inFlight: [sent(7, 5000)], at: time) }
        }
        convict()
        #expect(watch.isTooLarge(5000, at: 3601))
        #expect(!watch.isTooLarge(5000, at: 3603))
        watch.acknowledged(sent(8, 5000))
        #expect(!watch.isTooLarge(5000, at: 4))
    }

    @Test("one that the broker takes alone is innocent")
    func acquits() {
        var watch = PoisonWatch()
        #expect(watch.hungUp(inFlight: [sent(1, 5000)], at: 0) == .isolate(1))
        watch.acknowledged(sent(1, 5000))
        // As large as what was taken: not its size, then.
        #expect(watch.hungUp(inFlight: [sent(2, 5000)], at: 1) == .none)
        #expect(!watch.isTooLarge(5000, at: 1))
    }
}
