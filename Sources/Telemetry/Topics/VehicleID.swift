import CSimdjson

/// The rules of vehicle ids: 1 to 128 bytes of UTF-8 without `/ + #` or control characters.
package enum VehicleID {
    /// The longest id, in bytes.
    package static let longest = 128

    /// Tells whether a text can be a vehicle's id.
    package static func isValid(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { checked(UnsafeRawBufferPointer($0)) } != nil
    }

    /// Returns bytes as an id, or `nil` when they break the rules.
    static func checked(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard (1...longest).contains(bytes.count) else { return nil }
        var before: UInt8 = 0
        var all: UInt8 = 0
        for byte in bytes {
            if isForbidden(byte) || isControl(before, byte) { return nil }
            before = byte
            all |= byte
        }
        let isASCII = all < 0x80
        guard isASCII || waygate_is_utf8(bytes.baseAddress, bytes.count) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns an id that is not of the native topic, percent-escaped where it holds `/ + #`, `%` or
    /// control characters; `nil` when it is empty or too long, then.
    static func escaped(_ bytes: [UInt8]) -> String? {
        let isPlain = !bytes.contains(UInt8(ascii: "%"))
        if isPlain, let vehicleID = bytes.withUnsafeBytes({ checked($0) }) { return vehicleID }
        var escaped: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            let opensControl = index + 1 < bytes.count && isControl(byte, bytes[index + 1])
            let closesControl = index > 0 && isControl(bytes[index - 1], byte)
            if isForbidden(byte) || byte == UInt8(ascii: "%") || opensControl || closesControl {
                escaped.append(UInt8(ascii: "%"))
                escaped.append(hexDigit(byte >> 4))
                escaped.append(hexDigit(byte & 15))
            } else {
                escaped.append(byte)
            }
        }
        return escaped.withUnsafeBytes { checked($0) }
    }

    private static func isForbidden(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x00...0x1F, 0x7F, UInt8(ascii: "/"), UInt8(ascii: "+"), UInt8(ascii: "#"): true
        default: false
        }
    }

    /// Tells whether two bytes are one of the controls U+0080 to U+009F.
    private static func isControl(_ first: UInt8, _ second: UInt8) -> Bool {
        first == 0xC2 && (0x80...0x9F).contains(second)
    }
}
