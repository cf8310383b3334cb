import MQTT
import Spool
import Telemetry

/// Recognises positions that the broker delivers again although they were acknowledged.
///
/// A broker may forget acknowledgements, but only delivers again after a reconnection, under the old packet
/// id. So each id can be recognised once a connection, before it is used for something new. A broker that was
/// restarted may also use the same id for a new message with the same text, and nothing tells the two apart.
/// Therefore only what says itself where and when it was is dropped: a copy of it would change nothing. A
/// command is never dropped: a second `skip` is another stop skipped, and one with a `command_id` is
/// recognised by that.
struct Redelivered {
    /// The digest of the last message under each packet id.
    private var known: [UInt16: UInt64] = [:]
    /// Packet ids that have not been seen on this connection.
    private var pending: [UInt16: UInt64] = [:]
    /// What topics mean; without it, nothing is known to be a position.
    private let sources: SourceTable?

    init(_ marks: [Mark], sources: SourceTable?) {
        self.sources = sources
        remember(marks)
        restart()
    }

    /// Begins a connection.
    mutating func restart() {
        pending = known
    }

    /// Forgets what was noted in a session that is gone.
    mutating func forget() {
        known = [:]
        pending = [:]
    }

    /// Notes messages that are durable now.
    mutating func remember(_ marks: [Mark]) {
        for mark in marks { known[mark.packetID] = mark.digest }
    }

    /// Tells whether the message was spooled before and need not be again.
    mutating func recognises(_ message: ReceivedMessage, digest: UInt64) -> Bool {
        guard !pending.isEmpty, pending.removeValue(forKey: message.packetID) == digest else {
            return false
        }
        return isDatedPosition(message)
    }

    /// Whether a copy would have the same place and time: in JSON each fix has its date, GGA has none.
    private func isDatedPosition(_ message: ReceivedMessage) -> Bool {
        guard let first = message.payload.first,
            first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        else { return false }
        if case .position = sources?.match(message.topic) { return true }
        return false
    }
}
