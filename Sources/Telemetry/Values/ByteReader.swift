/// Reads digits and marks from text, byte by byte.
struct ByteReader {
    private let bytes: UnsafeRawBufferPointer
    private var index: Int

    /// Creates a reader at the start.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        index = 0
    }

    /// Whether everything has been read.
    var isAtEnd: Bool { index == bytes.count }

    /// The next byte, not yet read.
    var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Reads the next byte if it is that one, and tells whether it was.
    mutating func skip(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    /// Reads the next byte if it is one of those, and tells whether it was.
    mutating func skip(anyOf first: UInt8, _ second: UInt8, _ third: UInt8) -> Bool {
        skip(first) || skip(second) || skip(third)
    }

    /// Reads exactly `count` digits as a number; `nil`, with nothing read, when there are not so many.
    mutating func digits(_ count: Int) -> Int? {
        guard index + count <= bytes.count else { return nil }
        var value = 0
        for byte in bytes[index..<(index + count)] {
            let digit = Int(byte) - 48
            guard (0...9).contains(digit) else { return nil }
            value = value * 10 + digit
        }
        index += count
        return value
    }

    /// Reads a fraction of a second as microseconds, the rest cut off; `nil` when there is no digit.
    mutating func microseconds() -> Int? {
        let start = index
        var value = 0
        var scale = 100_000
        while let byte = peek, (48...57).contains(byte) {
            value += (Int(byte) - 48) * scale
            scale /= 10
            index += 1
        }
        return index > start ? value : nil
    }
}
