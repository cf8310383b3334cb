/// QoS 1 messages in order, from when they are given to us until the broker has acknowledged them.
///
/// A pure value. A message has a number at the broker only for one connection; when that is lost,
/// all that are not settled are sent again, in the same order.
struct OutgoingQueue {
    struct Message {
        var token: UInt64
        var topic: String
        var payload: [UInt8]
        var isRetained: Bool
        fileprivate var isSettled = false

        init(token: UInt64, topic: String, payload: [UInt8], isRetained: Bool) {
            self.token = token
            self.topic = topic
            self.payload = payload
            self.isRetained = isRetained
        }

        /// The message as it is watched; its packet has a few bytes more than topic and payload.
        var watched: PoisonWatch.Sent {
            PoisonWatch.Sent(token: token, size: topic.utf8.count + payload.count + 12)
        }
    }

    /// How many messages are not settled.
    private(set) var count = 0
    private var messages: [Message] = []
    /// The place of the first message that is not settled; before it is what waits to be dropped.
    private var head = 0
    /// The place of the first message not sent on this connection.
    private var next = 0
    /// How many places were dropped, so that a message keeps its number while places move.
    private var dropped = 0
    private var sent: [Int32: Int] = [:]

    /// How many messages are sent and not settled.
    var inFlight: Int { sent.count }

    /// The message to send next, or `nil` when all are sent.
    var unsent: Message? { next < messages.count ? messages[next] : nil }

    mutating func append(_ message: Message) {
        messages.append(message)
        count += 1
    }

    /// What is sent and not settled.
    var flying: [PoisonWatch.Sent] { sent.values.map { messages[$0 - dropped].watched } }

    /// The message that the broker knows by this number.
    func message(sentAs id: Int32) -> Message? { sent[id].map { messages[$0 - dropped] } }

    /// Tells whether the broker has yet to answer the message that it knows by this number.
    func isInFlight(_ id: Int32) -> Bool { sent[id] != nil }

    /// Notes that `unsent` went out under a number.
    mutating func markSent(_ id: Int32) {
        sent[id] = next + dropped
        next += 1
        skipSettled()
    }

    /// Takes `unsent` out, since no broker would take it; returns its token.
    mutating func refuseUnsent() -> UInt64? {
        guard next < messages.count else { return nil }
        let place = next
        next += 1
        skipSettled()
        return settle(at: place)
    }

    /// Takes the message out that the broker has answered; returns its token.
    mutating func settle(_ id: Int32) -> UInt64? {
        sent.removeValue(forKey: id).map { settle(at: $0 - dropped) }
    }

    /// Takes a message out that is not sent on this connection.
    mutating func takeOut(_ token: UInt64) -> Message? {
        let places = next..<messages.count
        guard let place = places.first(where: { messages[$0].token == token }),
            !messages[place].isSettled
        else { return nil }
        let message = messages[place]
        _ = settle(at: place)
        skipSettled()
        return message
    }

    /// Starts again with the first message that is not settled, on a new connection.
    mutating func sendAgain() {
        sent.removeAll(keepingCapacity: true)
        next = head
    }

    private mutating func settle(at place: Int) -> UInt64 {
        let token = messages[place].token
        messages[place].isSettled = true
        messages[place].payload = []
        count -= 1
        while head < messages.count, messages[head].isSettled { head += 1 }
        next = max(next, head)
        if head >= 1024 || head == messages.count {
            messages.removeFirst(head)
            next -= head
            dropped += head
            head = 0
        }
        return token
    }

    private mutating func skipSettled() {
        while next < messages.count, messages[next].isSettled { next += 1 }
    }
}
