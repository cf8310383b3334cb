extension Double {
    /// Reads digits with at most one point among them and a sign before; `nil` for all else.
    ///
    /// Stricter than `Double.init`, which takes `0x34`, `nan` and `1e400`: commas, exponents,
    /// hexadecimal and names are nothing a device writes on purpose.
    init?(plainDecimal bytes: UnsafeRawBufferPointer) {
        var digits: UInt64 = 0
        var digitCount = 0
        var decimals: Int?
        let isSigned = bytes.first == UInt8(ascii: "-") || bytes.first == UInt8(ascii: "+")
        for byte in bytes.dropFirst(isSigned ? 1 : 0) {
            if byte == UInt8(ascii: "."), decimals == nil {
                decimals = 0
                continue
            }
            guard (48...57).contains(byte) else { return nil }
            if digitCount < Self.exactDigits { digits = digits * 10 + UInt64(byte - 48) }
            digitCount += 1
            if let before = decimals { decimals = before + 1 }
        }
        guard digitCount > 0 else { return nil }
        guard digitCount <= Self.exactDigits else {
            self.init(String(decoding: bytes, as: UTF8.self))
            return
        }
        // Both are exact, so that the quotient is correctly rounded.
        let magnitude = Double(digits) / Self.powersOfTen[decimals ?? 0]
        self = bytes.first == UInt8(ascii: "-") ? -magnitude : magnitude
    }

    /// So many digits always fit the 53 bits of a double.
    private static let exactDigits = 15

    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]
}
