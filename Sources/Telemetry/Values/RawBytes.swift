import CSimdjson

extension UnsafeRawBufferPointer {
    /// The bytes without blanks and line ends around them, and without NULs behind them.
    var trimmed: UnsafeRawBufferPointer {
        var start = 0
        var end = count
        while start < end, Self.isBlank(self[start]) { start += 1 }
        while start < end, Self.isBlank(self[end - 1]) || self[end - 1] == 0 { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: self[start..<end])
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// Tells whether the bytes are those of a literal.
    @inline(__always)
    func equals(_ literal: StaticString) -> Bool {
        count == literal.utf8CodeUnitCount && hasPrefix(literal)
    }

    /// Tells whether the bytes begin with those of a literal.
    @inline(__always)
    func hasPrefix(_ literal: StaticString) -> Bool {
        guard count >= literal.utf8CodeUnitCount, let baseAddress else { return false }
        return waygate_bytes_equal(baseAddress, literal.utf8Start, literal.utf8CodeUnitCount)
    }

    /// Tells whether the bytes begin with others.
    func hasPrefix(_ other: UnsafeRawBufferPointer) -> Bool {
        guard let baseAddress, let start = other.baseAddress else { return other.isEmpty }
        return count >= other.count && waygate_bytes_equal(baseAddress, start, other.count)
    }

    /// Returns the bytes from `offset` on.
    func from(_ offset: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[offset...])
    }

    /// Returns the place of the first such byte from `start` on, or the end.
    func place(of byte: UInt8, from start: Int = 0) -> Int {
        var index = start
        while index < count, self[index] != byte { index += 1 }
        return index
    }

    /// Returns the part of that number from 0 between separators, or `nil` when there are not so many.
    func part(_ number: Int, separatedBy separator: UInt8) -> UnsafeRawBufferPointer? {
        var start = 0
        for _ in 0..<number {
            start = place(of: separator, from: start) + 1
            if start > count { return nil }
        }
        return UnsafeRawBufferPointer(rebasing: self[start..<place(of: separator, from: start)])
    }
}
