/// Finds the message for which the broker hangs up, by sending it alone.
///
/// A pure value. A broker may end the connection over one message, too large for instance, without
/// saying which; sent again for ever, it would hold up all that follow. After two connections that
/// the broker ended without having acknowledged anything, messages go out one at a time; the one with
/// which three more end is to be given up.
struct PoisonWatch: Equatable {
    private var losses = 0

    /// Tells that messages must go out one at a time.
    var isCautious: Bool { losses >= 2 }

    /// Notes that the broker has acknowledged a message.
    mutating func acknowledged() {
        losses = 0
    }

    /// Notes that the broker ended the connection; returns whether to give the first message up.
    mutating func hungUp(inFlight: Int) -> Bool {
        guard inFlight > 0 else { return false }
        losses += 1
        guard losses >= 5 else { return false }
        losses = 2
        return true
    }
}
