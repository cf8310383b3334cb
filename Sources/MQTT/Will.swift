/// A message that the broker publishes for us, or that we publish as the last one.
package struct Will: Equatable, Sendable {
    package var topic: String
    package var payload: [UInt8]
    package var qos: Int
    package var isRetained: Bool

    package init(topic: String, payload: [UInt8], qos: Int, isRetained: Bool) {
        self.topic = topic
        self.payload = payload
        self.qos = qos
        self.isRetained = isRetained
    }
}
