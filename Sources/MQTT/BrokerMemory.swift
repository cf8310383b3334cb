/// Whether the broker still has the messages that it was given to keep.
package enum BrokerMemory: Equatable, Sendable {
    /// This is the first connection, or there is no will to tell it by.
    case unknown
    /// It has kept the will of the connection before.
    case kept
    /// It was restarted without them, or with an older state of them.
    case lost
}

/// Finds out after a reconnection whether the broker has lost kept messages.
///
/// A pure value. When a connection is lost, the broker publishes and keeps the will. A broker that has died
/// itself does not: then something else is kept under the will's topic, or nothing. With MQTT 5 each connection's
/// will bears a mark of its own, so that one which was saved long ago is not taken for the last one.
struct WillRecall {
    /// How long the broker may take to send what it has kept, in seconds.
    static let patience = 2.0

    private let payload: [UInt8]
    /// The mark of the connection before; `nil` with MQTT 3.1.1, which has no place for one.
    private let mark: String?
    private let deadline: Double

    init(of will: Will, mark: String?, at time: Double) {
        payload = will.payload
        self.mark = mark
        deadline = time + Self.patience
    }

    /// Judges what is kept under the will's topic.
    func judge(kept payload: some Sequence<UInt8>, mark: String?) -> BrokerMemory {
        payload.elementsEqual(self.payload) && mark == self.mark ? .kept : .lost
    }

    /// Judges that nothing has come; `nil` while something still may.
    func judge(silentAt time: Double) -> BrokerMemory? {
        time < deadline ? nil : .lost
    }
}
