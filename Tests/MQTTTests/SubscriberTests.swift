import Foundation
import MQTT
import TestServers
import Testing

@Suite(.timeLimit(.minutes(2)))
struct SubscriberTests {
    @Test("3,000 messages read and not acknowledged come again after abandoning")
    func redelivers() throws {
        let server = try MosquittoServer()
        let driver = SubscriberDriver(server)
        #expect(driver.becomeReady())
        let publisher = PublisherDriver(server)
        #expect(publisher.publish(0..<3000))
        #expect(driver.run(acknowledging: false) { driver.messages.count == 3000 })
        let first = driver.messages
        driver.messages = []
        driver.subscriber.abandon()
        #expect(!driver.subscriber.isReady)
        #expect(driver.run { driver.messages.count == 3000 })
        let second = driver.messages == first
        #expect(second)
        let isInOrder = first.map(\.payload) == (0..<3000).map { "m\($0)" }
        #expect(isInOrder)

        driver.subscriber.disconnect()
        let next = SubscriberDriver(server)
        #expect(next.becomeReady())
        next.run(for: 0.3) { false }
        #expect(next.messages.isEmpty)
        #expect(next.events.first == .connected(sessionPresent: true, version: .v5))
    }
}
