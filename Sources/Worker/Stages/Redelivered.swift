import Spool

/// Recognises messages that the broker delivers again although they were acknowledged.
///
/// A broker may forget acknowledgements, but only delivers again after a reconnection, under the old packet
/// id. So each id can be recognised once a connection, before it is used for something new.
struct Redelivered {
    /// The digest of the last message under each packet id.
    private var known: [UInt16: UInt64] = [:]
    /// Packet ids that have not been seen on this connection.
    private var pending: [UInt16: UInt64] = [:]

    init(_ marks: [Mark]) {
        remember(marks)
        restart()
    }

    /// Begins a connection.
    mutating func restart() {
        pending = known
    }

    /// Notes messages that are durable now.
    mutating func remember(_ marks: [Mark]) {
        for mark in marks { known[mark.packetID] = mark.digest }
    }

    /// Tells whether the message was spooled before.
    mutating func recognises(packetID: UInt16, digest: UInt64) -> Bool {
        guard !pending.isEmpty else { return false }
        return pending.removeValue(forKey: packetID) == digest
    }
}
