/// One line of NMEA 0183: its sentences, each with the TAG blocks before it.
///
/// `$`, `!` and `\` are kept from the content of sentences, so that each of them begins something new: several
/// sentences may share a line, and one that lost its end does not take the next one with it.
struct NMEALine {
    private var rest: UnsafeRawBufferPointer

    /// Begins with a line that is not empty.
    init(_ line: UnsafeRawBufferPointer) {
        rest = line.trimmed
    }

    /// Returns the next sentence; `nil` at the line's end.
    ///
    /// - Throws: What is wrong with it or with its TAG block, or `not_a_location` for other sentences.
    mutating func next() throws(NoPosition) -> NMEASentence? {
        guard !rest.isEmpty else { return nil }
        var fault: RejectionReason?
        while rest.first == UInt8(ascii: "\\") {
            let end = rest.place(of: UInt8(ascii: "\\"), from: 1)
            guard end < rest.count else {
                rest = rest.from(rest.count)
                throw .rejected(.nmeaMalformed)
            }
            let block = UnsafeRawBufferPointer(rebasing: rest[1..<end])
            fault = fault ?? NMEASentence.fault(ofTagBlock: block)
            rest = rest.from(end + 1).trimmed
        }
        let sentence = cutSentence()
        if let fault { throw .rejected(fault) }
        guard !sentence.isEmpty else { throw .ignored(.notALocation) }
        return try NMEASentence(sentence)
    }

    /// Takes what comes before the next thing that begins.
    private mutating func cutSentence() -> UnsafeRawBufferPointer {
        var end = min(1, rest.count)
        while end < rest.count, !Self.begins(rest[end]) { end += 1 }
        defer { rest = rest.from(end).trimmed }
        return UnsafeRawBufferPointer(rebasing: rest[..<end]).trimmed
    }

    private static func begins(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "$") || byte == UInt8(ascii: "!") || byte == UInt8(ascii: "\\")
    }
}
