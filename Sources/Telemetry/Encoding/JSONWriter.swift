/// Writes JSON text into a byte buffer that can be used again.
///
/// The caller gives the order of members and elements; commas, quotes and escapes are the writer's. Nothing
/// is looked up or sorted and no value is boxed, so that an event costs about a microsecond.
package struct JSONWriter: Sendable {
    /// What has been written since the last `reset`.
    package private(set) var bytes: [UInt8] = []
    /// Whether the next key or element has one before it in the same object or array.
    private var followsValue = false

    /// Creates an empty writer with room for `capacity` bytes.
    package init(capacity: Int = 1024) {
        bytes.reserveCapacity(capacity)
    }

    /// What has been written since the last `reset`, as text.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Forgets what has been written and keeps the memory for what comes next.
    package mutating func reset() {
        bytes.removeAll(keepingCapacity: true)
        followsValue = false
    }

    /// Writes an object with the members that `body` writes.
    package mutating func object(_ body: (inout JSONWriter) throws -> Void) rethrows {
        begin(UInt8(ascii: "{"))
        try body(&self)
        end(UInt8(ascii: "}"))
    }

    /// Writes an array with the elements that `body` writes.
    package mutating func array(_ body: (inout JSONWriter) throws -> Void) rethrows {
        begin(UInt8(ascii: "["))
        try body(&self)
        end(UInt8(ascii: "]"))
    }

    /// Writes the name of the member whose value comes next; it must need no escapes.
    package mutating func key(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        append(name)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        followsValue = false
    }

    /// Writes the name of the member whose value comes next.
    package mutating func key(text name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        followsValue = false
    }

    /// Writes a text; U+0000, which no database text can hold, is left out.
    package mutating func string(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { appendEscaped($0) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes `true` or `false`.
    package mutating func bool(_ value: Bool) {
        separate()
        append(value ? "true" : "false")
    }

    /// Writes `null`.
    package mutating func null() {
        separate()
        append("null")
    }

    /// Writes a value that is JSON text already.
    package mutating func raw(_ json: String) {
        separate()
        bytes.append(contentsOf: json.utf8)
    }

    /// Writes the comma that a value after another one needs.
    mutating func separate() {
        if followsValue { bytes.append(UInt8(ascii: ",")) }
        followsValue = true
    }

    /// Appends text that needs no escapes.
    mutating func append(_ text: StaticString) {
        bytes.append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends one byte.
    mutating func append(_ byte: UInt8) {
        bytes.append(byte)
    }

    /// Appends the decimal digits of `value`, padded with zeros to `width`, at most 20.
    mutating func append(digits value: UInt64, width: Int = 1) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var rest = value
            var place = 20
            repeat {
                place -= 1
                digits[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0 || place > 20 - width
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[place...]))
        }
    }

    /// Appends `value` with the last `decimals` of its digits behind a point, without zeros at its end.
    mutating func append(fraction value: UInt64, decimals: Int) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 24) { digits in
            var rest = value
            var place = 24
            for _ in 0..<decimals {
                let digit = rest % 10
                rest /= 10
                if digit == 0, place == 24 { continue }
                place -= 1
                digits[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
            }
            if place < 24 {
                place -= 1
                digits[place] = UInt8(ascii: ".")
            }
            repeat {
                place -= 1
                digits[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[place...]))
        }
    }

    private mutating func begin(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        followsValue = false
    }

    private mutating func end(_ bracket: UInt8) {
        bytes.append(bracket)
        followsValue = true
    }

    /// Appends runs of plain bytes whole, and escapes what stands between them.
    private mutating func appendEscaped(_ utf8: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for index in utf8.indices where Self.needsEscape(utf8[index]) {
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<index]))
            appendEscape(of: utf8[index])
            start = index + 1
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func appendEscape(of byte: UInt8) {
        switch byte {
        case 0: break
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case UInt8(ascii: "\n"): append("\\n")
        case UInt8(ascii: "\r"): append("\\r")
        case UInt8(ascii: "\t"): append("\\t")
        default:
            append("\\u00")
            bytes.append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
            let low = byte & 0x0f
            bytes.append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
        }
    }
}
