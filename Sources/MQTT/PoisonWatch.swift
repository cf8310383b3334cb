/// Finds the message for which the broker hangs up.
///
/// A pure value. A broker may end the connection over one message, too large for instance, without saying which;
/// sent again for ever, it would hold up all that follow. Most often it is one that is larger than any which the
/// broker has taken: that one is sent alone, after all others; when two connections end with it, it is given up,
/// and so is at once whatever is as large. Otherwise, after two connections that the broker ended without having
/// acknowledged anything, messages go out one at a time; the one with which three more end is given up.
struct PoisonWatch {
    /// A message as it is watched.
    struct Sent: Equatable {
        var token: UInt64
        /// About the bytes of its packet.
        var size: Int
    }

    enum Verdict: Equatable {
        case none
        /// Send this message alone, after all others.
        case isolate(UInt64)
        /// The message that was sent alone is too large.
        case tooLarge(Sent)
        /// Give up the first message that is not acknowledged.
        case giveUpFirst
    }

    /// Smaller packets are never suspected for their size, in bytes.
    private static let small = 1024
    /// How long a limit that was found out is believed, in seconds: the broker's settings may change.
    private static let memory = 3600.0

    private var losses = 0
    private var largestTaken = 0
    private var suspect: Sent?
    private var suspectLosses = 0
    /// From which size on packets are given up unsent, and since when that is known.
    private var limit: (size: Int, since: Double)?

    /// Tells that messages must go out one at a time.
    var isCautious: Bool { losses >= 2 }

    /// Tells whether the broker would hang up on a packet of that size.
    func isTooLarge(_ size: Int, at time: Double) -> Bool {
        guard let limit, time - limit.since < Self.memory else { return false }
        return size >= limit.size
    }

    /// Notes that the broker has acknowledged a message.
    mutating func acknowledged(_ message: Sent) {
        losses = 0
        largestTaken = max(largestTaken, message.size)
        if let limit, largestTaken >= limit.size { self.limit = nil }
        guard message.token == suspect?.token else { return }
        suspect = nil
        suspectLosses = 0
    }

    /// Notes that the broker ended the connection, and says what to do about it.
    ///
    /// - Parameter inFlight: What was sent on it and not acknowledged.
    mutating func hungUp(inFlight: [Sent], at time: Double) -> Verdict {
        if let suspect {
            guard inFlight == [suspect] else { return .none }
            suspectLosses += 1
            guard suspectLosses >= 2 else { return .none }
            self.suspect = nil
            suspectLosses = 0
            limit = (suspect.size, time)
            return .tooLarge(suspect)
        }
        guard let largest = inFlight.max(by: { $0.size < $1.size }) else { return .none }
        if largest.size > max(largestTaken, Self.small) {
            suspect = largest
            return .isolate(largest.token)
        }
        losses += 1
        guard losses >= 5 else { return .none }
        losses = 2
        return .giveUpFirst
    }
}
