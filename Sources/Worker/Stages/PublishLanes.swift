/// What waits for the broker, and which of it may go next.
///
/// A pure value. Within a lane (a trip, or a retained topic) one message follows the other: the next one goes
/// when the broker has taken the one before. So a message that the broker refuses holds up its own lane and no
/// other, and the order is kept when it is taken at last. Refused lanes are parked by the kind of their topic,
/// since an access list mostly forbids a whole kind: a few are tried again after a pause that grows, and when
/// one is taken, more follow at once.
struct PublishLanes {
    /// Pauses before refused messages are tried again, in seconds.
    struct Pauses {
        var first: Double
        var longest: Double

        /// For what the broker refuses and may allow at any time.
        static let refusal = Pauses(first: 2, longest: 15)
        /// For what costs a connection each time.
        static let hangUp = Pauses(first: 600, longest: 3600)
    }

    private struct Item {
        var publication: Publication
        /// Counts what has come.
        var number: UInt64
        /// Whether the broker has refused it before.
        var isRetry = false
    }

    private struct Lane {
        var waiting: [Item] = []
        var isParked = false
    }

    private struct Parking {
        var lanes: [String] = []
        let pauses: Pauses
        var pause: Double
        var tryAt: Double
    }

    /// How many lanes of one kind are tried again together.
    private static let tried = 8

    /// Not looked at yet, in order.
    private var arrivals: [Item] = []
    private var nextArrival = 0
    /// The first of lanes whose turn has come.
    private var released: [Item] = []
    private var nextReleased = 0
    private var lanes: [String: Lane] = [:]
    private var sent: [UInt64: Item] = [:]
    private var parkings: [String: Parking] = [:]
    /// Spool positions of what is neither taken nor refused, by number.
    private var pending: [UInt64: Int64] = [:]
    private var oldest: UInt64 = 0
    private var newest: UInt64 = 0
    private var nextToken: UInt64 = 1

    /// How many messages wait in parked lanes.
    private var parked = 0
    /// How many messages wait in lanes, and their bytes.
    private var held = (count: 0, bytes: 0)

    /// How many messages are on their way, those that the broker refuses left out.
    var count: Int { pending.count }
    /// Whether nothing is left to do but for what the broker refuses.
    var isIdle: Bool { pending.isEmpty && sent.isEmpty }
    /// Whether more should be taken: what is refused is remembered, but not without bound.
    var hasRoom: Bool {
        arrivals.count - nextArrival < 1000 && held.count < 50_000 && held.bytes < 64 << 20
    }
    /// How many messages are not published since the broker refuses them or one before them.
    var refused: Int {
        parkings.isEmpty ? 0 : parked + max(sent.values.count { $0.isRetry }, parked == 0 ? 1 : 0)
    }
    /// The position of the oldest message that is neither taken nor refused; `nil` when there is none.
    var oldestPosition: Int64? { pending[oldest] }

    /// Adds messages behind those that wait.
    mutating func append(_ publications: [Publication]) {
        compact()
        for publication in publications {
            newest += 1
            pending[newest] = publication.position
            if pending.count == 1 { oldest = newest }
            arrivals.append(Item(publication: publication, number: newest))
        }
    }

    /// The message to be sent next, or `nil` when none may go; it stays until `sendNext` or `dropNext`.
    mutating func next() -> Publication? {
        if nextReleased < released.count { return released[nextReleased].publication }
        while nextArrival < arrivals.count {
            let item = arrivals[nextArrival]
            guard let lane = item.publication.lane, lanes[lane] != nil else {
                return item.publication
            }
            nextArrival += 1
            wait(item, in: lane)
        }
        compact()
        return nil
    }

    /// The token under which `next` has to be sent.
    var token: UInt64 { nextToken }

    /// Notes that `next` was sent and will be answered.
    mutating func sendNext() {
        let item = takeNext()
        if let lane = item.publication.lane, lanes[lane] == nil { lanes[lane] = Lane() }
        sent[nextToken] = item
        nextToken += 1
    }

    /// Notes that `next` was sent and nobody will answer.
    mutating func dropNext() {
        finish(takeNext())
    }

    /// Notes that the broker has taken a message, and returns it.
    ///
    /// - Returns: With it, whether others of its kind were refused until now.
    mutating func taken(_ token: UInt64, at now: Double) -> (Publication, endsRefusal: Bool)? {
        guard let item = sent.removeValue(forKey: token) else { return nil }
        finish(item)
        release(item.publication.lane)
        guard item.isRetry, var parking = parkings[item.publication.pattern] else {
            return (item.publication, false)
        }
        parking.pause = parking.pauses.first
        parking.tryAt = now
        let isLast = parking.lanes.isEmpty
        parkings[item.publication.pattern] = isLast ? nil : parking
        return (item.publication, isLast)
    }

    /// Returns the message on its way under a token.
    func publication(_ token: UInt64) -> Publication? { sent[token]?.publication }

    /// Forgets a message that will not be tried again.
    mutating func giveUp(_ token: UInt64) {
        guard let item = sent.removeValue(forKey: token) else { return }
        finish(item)
        release(item.publication.lane)
    }

    /// Has something else sent in a message's place.
    mutating func replace(_ token: UInt64, payload: [UInt8]) {
        guard var item = sent.removeValue(forKey: token) else { return }
        item.publication.payload = payload
        released.append(item)
    }

    /// Keeps a message that the broker has refused, to be tried again.
    ///
    /// - Returns: Whether it is the first of its kind.
    mutating func refused(_ token: UInt64, _ pauses: Pauses, at now: Double) -> Bool {
        guard var item = sent.removeValue(forKey: token) else { return false }
        finish(item)
        item.isRetry = true
        let name = item.publication.lane ?? "#\(item.number)"
        var lane = lanes[name] ?? Lane()
        // Of what is retained only the newest matters.
        if !item.publication.isRetained || lane.waiting.isEmpty {
            lane.waiting.insert(item, at: 0)
            hold(item, 1)
        }
        for waiting in lane.waiting { finish(waiting) }
        lane.waiting[0].isRetry = true
        lane.isParked = true
        parked += lane.waiting.count
        lanes[name] = lane
        let pattern = item.publication.pattern
        let isNew = parkings[pattern] == nil
        var parking =
            parkings[pattern]
            ?? Parking(pauses: pauses, pause: pauses.first, tryAt: now + pauses.first)
        parking.lanes.append(name)
        parkings[pattern] = parking
        return isNew
    }

    /// Has lanes tried again whose pause is over.
    mutating func retry(at now: Double) {
        for (pattern, var parking) in parkings where parking.tryAt <= now {
            for name in parking.lanes.prefix(Self.tried) {
                parked -= lanes[name]?.waiting.count ?? 0
                lanes[name]?.isParked = false
                release(name)
            }
            parking.lanes.removeFirst(min(Self.tried, parking.lanes.count))
            parking.pause = min(parking.pause * 2, parking.pauses.longest)
            parking.tryAt = now + parking.pause
            parkings[pattern] = parking
        }
    }

    /// Has everything tried again soon that does not cost a connection: the broker may be another one.
    mutating func retrySoon(at now: Double) {
        for (pattern, parking) in parkings where parking.pauses.first < Pauses.hangUp.first {
            parkings[pattern]?.tryAt = now
        }
    }
}

extension PublishLanes {
    private mutating func wait(_ item: Item, in name: String) {
        guard var lane = lanes[name] else { return }
        // In the dictionary the lane would be copied for each change.
        lanes[name] = nil
        if item.publication.isRetained {
            for older in lane.waiting {
                finish(older)
                hold(older, -1)
                if lane.isParked { parked -= 1 }
            }
            let isRetry = lane.waiting.first?.isRetry ?? false
            lane.waiting.removeAll()
            lane.waiting.append(item)
            lane.waiting[0].isRetry = isRetry
        } else {
            lane.waiting.append(item)
        }
        hold(item, 1)
        if lane.isParked {
            finish(item)
            parked += 1
        }
        lanes[name] = lane
    }

    /// Lets the next message of a lane go; forgets a lane that is empty.
    private mutating func release(_ name: String?) {
        guard let name, var lane = lanes[name], !lane.isParked else { return }
        guard !lane.waiting.isEmpty else {
            lanes[name] = nil
            return
        }
        lanes[name] = nil
        let item = lane.waiting.removeFirst()
        hold(item, -1)
        // One that had no lane of its own needs none any more.
        if item.publication.lane != nil { lanes[name] = lane }
        released.append(item)
    }

    private mutating func hold(_ item: Item, _ sign: Int) {
        held.count += sign
        held.bytes += sign * item.publication.payload.count
    }

    /// Notes that the message holds up the published position no longer.
    private mutating func finish(_ item: Item) {
        guard pending.removeValue(forKey: item.number) != nil else { return }
        while oldest <= newest, pending[oldest] == nil { oldest += 1 }
    }

    private mutating func takeNext() -> Item {
        if nextReleased < released.count {
            defer { nextReleased += 1 }
            return released[nextReleased]
        }
        defer { nextArrival += 1 }
        return arrivals[nextArrival]
    }

    private mutating func compact() {
        arrivals.removeFirst(nextArrival)
        nextArrival = 0
        released.removeFirst(nextReleased)
        nextReleased = 0
    }
}
