/// One request as it came: nothing in it is trusted.
struct HTTPRequest: Sendable {
    /// The method, as sent.
    var method: String
    /// The path's parts, each percent-decoded; `nil` when one is not UTF-8 or holds a NUL.
    var path: [String]?
    /// The headers by their names in lower case; of repeated ones the first.
    var headers: [String: String]
    /// The query's arguments by name, as sent.
    var arguments: [String: String]
    /// The body.
    var body: [UInt8]
    /// Whether the body was longer than allowed, and is not kept.
    var isTooLarge = false

    /// Returns the parts of a path, `[]` for `/`; `nil` when it does not decode.
    static func parts(ofPath path: String) -> [String]? {
        guard path.hasPrefix("/") else { return nil }
        guard path != "/" else { return [] }
        var parts: [String] = []
        let slash = UInt8(ascii: "/")
        for raw in path.utf8.dropFirst().split(separator: slash, omittingEmptySubsequences: false) {
            guard let part = percentDecoded(raw) else { return nil }
            parts.append(part)
        }
        return parts
    }

    private static func percentDecoded(_ raw: Substring.UTF8View) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(raw.count)
        var rest = raw
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexValue),
                let low = rest.popFirst().flatMap(hexValue)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        guard !bytes.contains(0) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexValue(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
