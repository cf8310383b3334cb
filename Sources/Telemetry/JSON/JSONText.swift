import CSimdjson

/// The bytes of a JSON string, with its escapes resolved: a view into the parser's buffers.
package struct JSONText {
    private let start: UnsafeRawPointer
    /// How many bytes of UTF-8 it has.
    package let count: Int

    /// Creates a view of the string that simdjson wrote: four bytes of length, then the string.
    @inline(__always)
    init(at header: UnsafePointer<UInt8>) {
        start = UnsafeRawPointer(header) + 4
        count = Int(UnsafeRawPointer(header).loadUnaligned(as: UInt32.self))
    }

    /// The string's bytes, in UTF-8.
    package var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start, count: count)
    }

    /// The string as a value of its own, U+0000 left out: no database takes that.
    package var string: String {
        guard bytes.contains(0) else { return String(decoding: bytes, as: UTF8.self) }
        return String(decoding: bytes.lazy.filter { $0 != 0 }, as: UTF8.self)
    }

    /// Tells whether the bytes are those of a literal.
    ///
    /// Inlined, the comparison is one of integers: the literal's length is known to the compiler.
    @inline(__always)
    package static func == (text: JSONText, literal: StaticString) -> Bool {
        text.count == literal.utf8CodeUnitCount
            && waygate_bytes_equal(text.start, literal.utf8Start, literal.utf8CodeUnitCount)
    }

    /// Tells whether the bytes begin with those of a literal.
    package func hasPrefix(_ literal: StaticString) -> Bool {
        count >= literal.utf8CodeUnitCount
            && waygate_bytes_equal(start, literal.utf8Start, literal.utf8CodeUnitCount)
    }

    /// Tells whether the bytes are those of a string that is no literal.
    package func equals(_ string: String) -> Bool {
        bytes.elementsEqual(string.utf8)
    }
}
