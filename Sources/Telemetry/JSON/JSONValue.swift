/// One value of a parsed text: a view into the parser's buffers that allocates nothing.
///
/// Valid until the parser's next call. Every accessor is strict: `true` is no number, `"1"` neither,
/// and asking a value for what it is not gives `nil`.
package struct JSONValue {
    /// What a value is.
    package enum Kind: Sendable {
        case null, bool, number, string, array, object
    }

    /// simdjson's tape; its format is described in simdjson's `doc/tape.md`.
    let tape: UnsafePointer<UInt64>
    let strings: UnsafePointer<UInt8>
    let index: Int

    /// The types that a word of the tape may have, in its top byte.
    enum Word {
        static let null = UInt8(ascii: "n")
        static let `true` = UInt8(ascii: "t")
        static let `false` = UInt8(ascii: "f")
        static let int64 = UInt8(ascii: "l")
        static let uint64 = UInt8(ascii: "u")
        static let double = UInt8(ascii: "d")
        /// A number too large for the others, kept as text; not simdjson's own.
        static let big = UInt8(ascii: "b")
        static let string = UInt8(ascii: "\"")
        static let array = UInt8(ascii: "[")
        static let object = UInt8(ascii: "{")
    }

    /// The type of the word that the value starts with.
    var word: UInt8 { UInt8(truncatingIfNeeded: tape[index] >> 56) }

    /// The word without its type: an index into the tape or the strings.
    private var payload: Int { Int(tape[index] & 0x00FF_FFFF_FFFF_FFFF) }

    /// Where on the tape the next value starts.
    var next: Int {
        switch word {
        case Word.array, Word.object: Int(UInt32(truncatingIfNeeded: tape[index]))
        case Word.int64, Word.uint64, Word.double: index + 2
        default: index + 1
        }
    }

    /// The value at another index of the same tape.
    func sibling(at index: Int) -> JSONValue {
        JSONValue(tape: tape, strings: strings, index: index)
    }

    /// The string that a string, key or big number points to.
    var storedText: JSONText { JSONText(at: strings + payload) }

    /// What the value is.
    package var kind: Kind {
        switch word {
        case Word.null: .null
        case Word.true, Word.false: .bool
        case Word.string: .string
        case Word.array: .array
        case Word.object: .object
        default: .number
        }
    }

    /// Whether the value is `null`.
    package var isNull: Bool { word == Word.null }

    /// The value of `true` or `false`.
    package var bool: Bool? {
        switch word {
        case Word.true: true
        case Word.false: false
        default: nil
        }
    }

    /// The value of a number; infinite where a double cannot hold it.
    package var double: Double? {
        switch word {
        case Word.double: Double(bitPattern: tape[index + 1])
        case Word.int64: Double(Int64(bitPattern: tape[index + 1]))
        case Word.uint64: Double(tape[index + 1])
        case Word.big: Double(storedText.string)
        default: nil
        }
    }

    /// The value of a whole number (`2.0` is one) within 64 bits.
    package var int64: Int64? {
        switch word {
        case Word.int64: Int64(bitPattern: tape[index + 1])
        case Word.double: Int64(exactly: Double(bitPattern: tape[index + 1]))
        default: nil
        }
    }

    /// The bytes of a string.
    package var text: JSONText? { word == Word.string ? storedText : nil }

    /// A string as a value of its own, U+0000 left out.
    package var string: String? { text?.string }

    /// The elements of an array.
    package var array: JSONArray? {
        word == Word.array ? JSONArray(value: self) : nil
    }

    /// The members of an object.
    package var object: JSONObject? {
        word == Word.object ? JSONObject(value: self) : nil
    }

    /// The first member of that name; `nil` also when the value is not an object.
    @inline(__always)
    package subscript(_ key: StaticString) -> JSONValue? {
        guard let object else { return nil }
        for member in object where member.key == key { return member.value }
        return nil
    }

    /// Returns the first member of that name; `nil` also when the value is not an object.
    package func member(named key: String) -> JSONValue? {
        guard let object else { return nil }
        for member in object where member.key.equals(key) { return member.value }
        return nil
    }
}

/// The elements of a JSON array, in order.
package struct JSONArray: Sequence {
    /// Walks over the elements.
    package struct Iterator: IteratorProtocol {
        private let tape: UnsafePointer<UInt64>
        private let strings: UnsafePointer<UInt8>
        private var index: Int
        private let end: Int

        fileprivate init(_ value: JSONValue) {
            tape = value.tape
            strings = value.strings
            index = value.index + 1
            end = value.next - 1
        }

        /// Returns the next element, or `nil` at the end.
        package mutating func next() -> JSONValue? {
            guard index < end else { return nil }
            let element = JSONValue(tape: tape, strings: strings, index: index)
            index = element.next
            return element
        }
    }

    fileprivate let value: JSONValue

    /// Whether there is no element.
    package var isEmpty: Bool { value.next - 1 == value.index + 1 }

    /// How many elements there are; counts no further than 16,777,215.
    package var count: Int { Int((value.tape[value.index] >> 32) & 0xFF_FFFF) }

    /// Returns an iterator at the first element.
    package func makeIterator() -> Iterator { Iterator(value) }
}

/// The members of a JSON object, in the order of the text.
package struct JSONObject: Sequence {
    /// Walks over the members.
    package struct Iterator: IteratorProtocol {
        private let tape: UnsafePointer<UInt64>
        private let strings: UnsafePointer<UInt8>
        private var index: Int
        private let end: Int

        fileprivate init(_ value: JSONValue) {
            tape = value.tape
            strings = value.strings
            index = value.index + 1
            end = value.next - 1
        }

        /// Returns the next member, or `nil` at the end.
        package mutating func next() -> (key: JSONText, value: JSONValue)? {
            guard index < end else { return nil }
            let key = JSONValue(tape: tape, strings: strings, index: index)
            let value = JSONValue(tape: tape, strings: strings, index: index + 1)
            index = value.next
            return (key.storedText, value)
        }
    }

    fileprivate let value: JSONValue

    /// Whether there is no member.
    package var isEmpty: Bool { value.next - 1 == value.index + 1 }

    /// Returns an iterator at the first member.
    package func makeIterator() -> Iterator { Iterator(value) }
}
