/// Entries that were appended together, as the caller encoded them.
package struct SpoolBatch: Equatable, Sendable {
    /// The position of the first entry.
    package let first: Int64
    /// How many entries `blob` holds.
    package let count: Int
    /// When the batch was appended, in microseconds since 1970.
    package let time: Int64
    package let blob: [UInt8]

    /// The position after the last entry.
    package var end: Int64 { first + Int64(count) }

    package init(first: Int64, count: Int, time: Int64, blob: [UInt8]) {
        self.first = first
        self.count = count
        self.time = time
        self.blob = blob
    }
}

/// What to recognise a QoS 1 message by when the broker delivers it again.
package struct Mark: Hashable, Sendable {
    /// What the broker's session calls the message.
    package var packetID: UInt16
    /// `Digest.of` its topic and payload.
    package var digest: UInt64

    package init(packetID: UInt16, digest: UInt64) {
        self.packetID = packetID
        self.digest = digest
    }
}
