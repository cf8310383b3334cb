import CSimdjson

/// The bytes of a JSON string, with its escapes resolved: a view into the parser's buffers.
package struct JSONText {
    /// The string's bytes, in UTF-8.
    package let bytes: UnsafeRawBufferPointer

    /// Creates a view of the string that simdjson wrote: four bytes of length, then the string.
    init(at start: UnsafePointer<UInt8>) {
        let raw = UnsafeRawPointer(start)
        let count = Int(raw.loadUnaligned(as: UInt32.self))
        bytes = UnsafeRawBufferPointer(start: raw + 4, count: count)
    }

    /// The string as a value of its own, U+0000 left out: no database takes that.
    package var string: String {
        guard bytes.contains(0) else { return String(decoding: bytes, as: UTF8.self) }
        return String(decoding: bytes.lazy.filter { $0 != 0 }, as: UTF8.self)
    }

    /// Tells whether the bytes are those of a literal.
    package static func == (text: JSONText, literal: StaticString) -> Bool {
        guard text.bytes.count == literal.utf8CodeUnitCount, let start = text.bytes.baseAddress
        else { return false }
        return waygate_bytes_equal(start, literal.utf8Start, text.bytes.count)
    }

    /// Tells whether the bytes begin with those of a literal.
    package func hasPrefix(_ literal: StaticString) -> Bool {
        guard bytes.count >= literal.utf8CodeUnitCount, let start = bytes.baseAddress else {
            return false
        }
        return waygate_bytes_equal(start, literal.utf8Start, literal.utf8CodeUnitCount)
    }

    /// Tells whether the bytes are those of a string.
    package static func == (text: JSONText, string: String) -> Bool {
        text.bytes.elementsEqual(string.utf8)
    }
}
