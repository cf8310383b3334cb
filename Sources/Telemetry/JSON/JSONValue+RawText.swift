extension JSONValue {
    /// The value as JSON text without blanks, U+0000 left out of its strings and keys.
    ///
    /// Numbers keep their value, and the huge ones their digits.
    package var rawText: String {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the value as JSON text without blanks.
    package func write(to bytes: inout [UInt8]) {
        switch word {
        case Word.null: bytes.append(contentsOf: "null".utf8)
        case Word.true: bytes.append(contentsOf: "true".utf8)
        case Word.false: bytes.append(contentsOf: "false".utf8)
        case Word.int64:
            bytes.append(contentsOf: Int64(bitPattern: tape[index + 1]).description.utf8)
        case Word.uint64: bytes.append(contentsOf: tape[index + 1].description.utf8)
        case Word.double:
            bytes.append(contentsOf: Double(bitPattern: tape[index + 1]).description.utf8)
        case Word.big: writeBigNumber(to: &bytes)
        case Word.array: writeArray(to: &bytes)
        case Word.object: writeObject(to: &bytes)
        default: storedText.write(to: &bytes)
        }
    }

    /// Appends an integer's digits as they are, anything else quoted.
    ///
    /// PostgreSQL's `numeric` holds 131,072 digits before the point; a value such as 1e999999 would
    /// make it refuse the row.
    private func writeBigNumber(to bytes: inout [UInt8]) {
        let digits = storedText.bytes
        let isInteger = digits.dropFirst().allSatisfy { (48...57).contains($0) }
        if isInteger, digits.count <= 1_000 {
            bytes.append(contentsOf: digits)
        } else {
            storedText.write(to: &bytes)
        }
    }

    private func writeArray(to bytes: inout [UInt8]) {
        guard let array else { return }
        bytes.append(UInt8(ascii: "["))
        var isFirst = true
        for element in array {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            element.write(to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private func writeObject(to bytes: inout [UInt8]) {
        guard let object else { return }
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        for (key, value) in object {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            key.write(to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            value.write(to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }
}

extension JSONText {
    /// Appends the string as JSON text in quotes, U+0000 left out.
    package func write(to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        for byte in bytes {
            switch byte {
            case 0: continue
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                output.append(UInt8(ascii: "\\"))
                output.append(byte)
            case 0x01...0x1F:
                output.append(contentsOf: "\\u00".utf8)
                output.append(hexDigit(byte >> 4))
                output.append(hexDigit(byte & 15))
            default: output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\""))
    }
}

/// Returns the upper-case hexadecimal digit of a number below 16.
func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
}
