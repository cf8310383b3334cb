package import Spool
package import Tracking

/// What a spool entry can be.
///
/// The raw values are part of the spool's format: they never change their meaning.
package enum EntryKind: UInt8, Sendable {
    /// A message from the broker.
    case message = 1
    /// The worker's settings, as they are from here on; written at each start.
    case settings = 2
    /// A planner's route.
    case route = 3
    /// A planner's failure, or its silence for too long.
    case routeFailed = 4
    /// No fix has come for a trip for too long.
    case expiry = 5
    /// A deadline of a vehicle's watch or trip, or of a roadblock, may have come.
    case clock = 6
    /// The machine's clock was set: what follows was received by another time than what came before.
    case clockSet = 7

    /// Whether an input of the worker's own counts as received when it is spooled, like a message.
    var isReceivedWhenSpooled: Bool {
        switch self {
        case .route, .routeFailed, .expiry: true
        case .message, .settings, .clock, .clockSet: false
        }
    }
}

/// One input of the worker, as it lies in the spool; the bytes are borrowed from its batch.
package struct Entry {
    /// Its place in the spool, counted from 0 for ever.
    package var position: Int64
    /// What it is.
    package var kind: EntryKind
    /// Whether the broker had kept the message for new subscribers.
    package var isRetained: Bool
    /// When the worker took it.
    package var receivedAt: Timestamp
    /// The message's topic; for other kinds, the vehicle.
    package var topic: UnsafeRawBufferPointer
    /// What it says; cut short when the message was too large to be accepted.
    package var payload: UnsafeRawBufferPointer
    /// The length of the payload before it was cut.
    package var payloadLength: Int
}

/// A run of entries in one piece of memory, as they are spooled and handed on.
///
/// Every entry is a header of 20 bytes (length of the entry, kind, flags, length of the topic, time in
/// microseconds, length of the payload before it was cut; little endian), the topic, and the payload.
package struct EntryBatch: Sendable {
    /// The spool position of the first entry.
    package var first: Int64 = 0
    /// How many entries there are.
    package private(set) var count = 0
    /// The entries.
    package private(set) var bytes: [UInt8] = []

    private static let headerLength = 20

    /// Creates an empty batch.
    package init() {}

    /// Takes a batch back from the spool.
    package init(_ stored: SpoolBatch) {
        first = stored.first
        count = stored.count
        bytes = stored.blob
    }

    /// The position after the last entry.
    package var end: Int64 { first + Int64(count) }
    /// Whether there is nothing in it.
    package var isEmpty: Bool { count == 0 }

    /// Appends an entry.
    ///
    /// - Parameters:
    ///   - topic: At most 65,535 bytes; MQTT allows no more.
    ///   - payload: What of the payload is kept.
    ///   - payloadLength: The length of the whole payload.
    package mutating func append(
        _ kind: EntryKind, isRetained: Bool = false, receivedAt: Timestamp,
        topic: UnsafeRawBufferPointer, payload: UnsafeRawBufferPointer, payloadLength: Int? = nil
    ) {
        let length = Self.headerLength + topic.count + payload.count
        append(UInt32(truncatingIfNeeded: length))
        bytes.append(kind.rawValue)
        bytes.append(isRetained ? 1 : 0)
        append(UInt16(truncatingIfNeeded: topic.count))
        append(UInt64(bitPattern: receivedAt.microseconds))
        append(UInt32(truncatingIfNeeded: payloadLength ?? payload.count))
        bytes.append(contentsOf: topic)
        bytes.append(contentsOf: payload)
        count += 1
    }

    /// Appends an entry of the worker's own.
    package mutating func append(_ own: OwnEntry) {
        var topic = own.vehicleID
        topic.withUTF8 { topic in
            own.payload.withUnsafeBytes { payload in
                append(
                    own.kind, receivedAt: own.receivedAt, topic: UnsafeRawBufferPointer(topic),
                    payload: payload)
            }
        }
    }

    /// Forgets everything but the memory.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        count = 0
    }

    /// Calls `body` with each entry from position `start` up to but not `end`, in order.
    ///
    /// An entry that is cut off or of an unknown kind ends the walk: the spool checks its rows, so that
    /// only a newer version's entries could be met here, and the schema version keeps those away.
    package func forEach(from start: Int64, to end: Int64 = .max, _ body: (Entry) -> Void) {
        bytes.withUnsafeBytes { all in
            var offset = 0
            var position = first
            while position < end, offset + Self.headerLength <= all.count {
                let length = Int(Self.load(UInt32.self, all, offset))
                let topicLength = Int(Self.load(UInt16.self, all, offset + 6))
                let topic = offset + Self.headerLength
                guard let kind = EntryKind(rawValue: all[offset + 4]),
                    length >= Self.headerLength + topicLength, offset + length <= all.count
                else { return }
                if position >= start {
                    body(
                        Entry(
                            position: position, kind: kind, isRetained: all[offset + 5] & 1 == 1,
                            receivedAt: Timestamp(
                                microseconds: Int64(
                                    bitPattern: Self.load(UInt64.self, all, offset + 8))),
                            topic: UnsafeRawBufferPointer(
                                rebasing: all[topic..<topic + topicLength]),
                            payload: UnsafeRawBufferPointer(
                                rebasing: all[topic + topicLength..<offset + length]),
                            payloadLength: Int(Self.load(UInt32.self, all, offset + 16))))
                }
                offset += length
                position += 1
            }
        }
    }

    private mutating func append<Value: FixedWidthInteger>(_ value: Value) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private static func load<Value: FixedWidthInteger>(
        _ type: Value.Type, _ bytes: UnsafeRawBufferPointer, _ offset: Int
    ) -> Value {
        Value(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: type))
    }
}

/// An input that the worker makes itself, on its way to the spool.
package struct OwnEntry: Equatable, Sendable {
    /// What it is.
    package var kind: EntryKind
    /// When it came about.
    package var receivedAt: Timestamp
    /// The vehicle it concerns; empty for settings, and for what concerns all.
    package var vehicleID: String
    /// What it says.
    package var payload: [UInt8]

    /// Creates an input.
    package init(kind: EntryKind, receivedAt: Timestamp, vehicleID: String, payload: [UInt8]) {
        self.kind = kind
        self.receivedAt = receivedAt
        self.vehicleID = vehicleID
        self.payload = payload
    }

    /// The clock's word to a vehicle's watch, by the vehicle's own time.
    package static func watchClock(_ vehicleID: String, at time: Timestamp) -> OwnEntry {
        OwnEntry(kind: .clock, receivedAt: time, vehicleID: vehicleID, payload: [])
    }

    /// The clock's word to a vehicle's trip, by the time of day: known by its payload.
    package static func tripClock(_ vehicleID: String, at time: Timestamp) -> OwnEntry {
        OwnEntry(kind: .clock, receivedAt: time, vehicleID: vehicleID, payload: [1])
    }

    /// The clock's word to the roadblocks, by the time of day: it names no vehicle.
    package static func roadClock(at time: Timestamp) -> OwnEntry {
        OwnEntry(kind: .clock, receivedAt: time, vehicleID: "", payload: [])
    }
}
