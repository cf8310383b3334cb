/// One message as the broker delivered it, borrowed: valid only until the handler returns.
package struct ReceivedMessage {
    /// The topic's UTF-8, without a terminating zero.
    package let topic: UnsafeRawBufferPointer
    package let payload: UnsafeRawBufferPointer
    /// 0 or 1.
    package let qos: Int
    /// Tells that the broker had kept the message from before the subscription.
    package let isRetained: Bool
    /// Names a QoS 1 message until it is acknowledged, 1 to 65535; 0 for QoS 0.
    package let packetID: UInt16

    package init(
        topic: UnsafeRawBufferPointer, payload: UnsafeRawBufferPointer, qos: Int, isRetained: Bool,
        packetID: UInt16
    ) {
        self.topic = topic
        self.payload = payload
        self.qos = qos
        self.isRetained = isRetained
        self.packetID = packetID
    }
}
