/// The newest messages of the stream, numbered, for any number of clients to read at their own pace.
///
/// Of each vehicle only the newest progress is kept, so a client that is behind is not told what no
/// longer matters, and the log is bounded by the fleet and not by how slow its clients are. What
/// exceeds the bounds is forgotten, oldest first; a client that had still to read it has to start anew.
struct StreamLog: Sendable {
    private struct Entry {
        var id: UInt64
        /// The vehicle whose progress it is; `nil` for an event.
        var vehicleID: String?
        /// The message in its form on the wire; empty once a newer one replaced it.
        var frame: [UInt8]
    }

    /// The number of the newest message, or of the one before the first.
    private(set) var head: UInt64
    /// All messages up to this number may have been forgotten.
    private(set) var floor: UInt64

    private let maxBytes: Int
    private let maxEntries: Int
    /// By number, with replaced ones in between, from `first` on.
    private var entries: [Entry] = []
    private var first = 0
    private var newestProgress: [String: UInt64] = [:]
    private var bytes = 0
    private var kept = 0

    /// Creates an empty log.
    ///
    /// - Parameter start: The number before the first message's. A start that grows with each process
    ///   tells the clients of an earlier one from those of this.
    init(start: UInt64, maxBytes: Int, maxEntries: Int) {
        self.head = start
        self.floor = start
        self.maxBytes = maxBytes
        self.maxEntries = maxEntries
    }

    /// Adds a message, and forgets what it replaces or displaces.
    mutating func append(_ event: StreamEvent) {
        head += 1
        var vehicleID: String?
        switch event.kind {
        case .progress:
            if let id = newestProgress.updateValue(head, forKey: event.subjectID) { drop(id) }
            vehicleID = event.subjectID
        case .event, .alarm, .place: break
        }
        let frame = Self.frame(id: head, name: event.kind.rawValue, json: event.json)
        entries.append(Entry(id: head, vehicleID: vehicleID, frame: frame))
        bytes += frame.count
        kept += 1
        while bytes > maxBytes || kept > maxEntries { forgetOldest() }
        compact()
    }

    /// Returns whether a client that has read up to `id` can read on without missing anything.
    func reaches(_ id: UInt64) -> Bool { id >= floor && id <= head }

    /// Returns the number after which the newest `count` events come, and what else came since.
    func cursor(beforeEvents count: Int) -> UInt64 {
        guard count > 0 else { return head }
        var left = count
        for entry in entries[first...].reversed() where entry.vehicleID == nil {
            left -= 1
            if left == 0 { return entry.id - 1 }
        }
        return floor
    }

    /// Calls `body` with each kept message after `cursor`, oldest first, until it returns `false`.
    func forEach(after cursor: UInt64, _ body: (_ id: UInt64, _ frame: [UInt8]) -> Bool) {
        for entry in entries[index(after: cursor)...] where !entry.frame.isEmpty {
            guard body(entry.id, entry.frame) else { return }
        }
    }

    /// Returns a message as it is sent.
    static func frame(id: UInt64, name: String, json: [UInt8]) -> [UInt8] {
        var frame = Array("event: \(name)\nid: \(id)\ndata: ".utf8)
        frame.reserveCapacity(frame.count + json.count + 2)
        // A line break ends the field; in JSON it can only be white space.
        for byte in json {
            frame.append(byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") ? 0x20 : byte)
        }
        frame.append(contentsOf: [UInt8(ascii: "\n"), UInt8(ascii: "\n")])
        return frame
    }

    /// Returns the place of the first message with a number above `id`.
    private func index(after id: UInt64) -> Int {
        var low = first
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].id > id { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private mutating func drop(_ id: UInt64) {
        let index = index(after: id - 1)
        guard index < entries.count, entries[index].id == id else { return }
        bytes -= entries[index].frame.count
        kept -= 1
        entries[index].frame = []
    }

    private mutating func forgetOldest() {
        let oldest = entries[first]
        first += 1
        guard !oldest.frame.isEmpty else { return }
        bytes -= oldest.frame.count
        kept -= 1
        floor = oldest.id
        if let vehicleID = oldest.vehicleID { newestProgress[vehicleID] = nil }
    }

    /// Makes the replaced messages' places free once they outnumber the kept ones.
    private mutating func compact() {
        guard entries.count > 2 * kept + 1024 else { return }
        entries = entries[first...].filter { !$0.frame.isEmpty }
        first = 0
    }
}
