/// Makes a JSON text one that `jsonb` takes, without reading more of it than its tokens.
///
/// `jsonb` refuses what JSON allows: U+0000 in a string, half of a surrogate pair, and a number of
/// more digits than `numeric` has. The first is left out, the second becomes U+FFFD, the third null.
enum StoredJSON {
    /// A number of more bytes, or with a larger exponent, is one that no device measured.
    private static let longestNumber = 400

    /// Appends a text, put right.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        guard mayOffend(bytes[start...]) else { return }
        let source = Array(bytes[start...])
        bytes.removeSubrange(start...)
        var cleaner = Cleaner(source: source)
        cleaner.clean(into: &bytes)
    }

    /// Tells whether a text has anything in it that has to be looked at closely.
    private static func mayOffend(_ text: ArraySlice<UInt8>) -> Bool {
        var digits = 0
        for byte in text {
            switch byte {
            case 0, UInt8(ascii: "\\"):
                return true
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digits += 1
                if digits > 20 { return true }
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                if digits > 0 { return true }
            case UInt8(ascii: "."):
                break
            default:
                digits = 0
            }
        }
        return false
    }

    private struct Cleaner {
        let source: [UInt8]
        var index = 0

        mutating func clean(into bytes: inout [UInt8]) {
            while index < source.count {
                switch source[index] {
                case 0:
                    index += 1
                case UInt8(ascii: "\""):
                    string(into: &bytes)
                case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                    number(into: &bytes)
                default:
                    bytes.append(source[index])
                    index += 1
                }
            }
        }

        private mutating func string(into bytes: inout [UInt8]) {
            bytes.append(source[index])
            index += 1
            while index < source.count {
                let byte = source[index]
                if byte == UInt8(ascii: "\\"), index + 1 < source.count {
                    escape(into: &bytes)
                    continue
                }
                index += 1
                if byte != 0 { bytes.append(byte) }
                if byte == UInt8(ascii: "\"") { return }
            }
        }

        private mutating func escape(into bytes: inout [UInt8]) {
            guard let unit = codeUnit(at: index) else {
                bytes.append(contentsOf: source[index...index + 1])
                index += 2
                return
            }
            var length = 6
            var stands = true
            if UTF16.isLeadSurrogate(unit) {
                stands = codeUnit(at: index + 6).map(UTF16.isTrailSurrogate) ?? false
                length = stands ? 12 : 6
            } else if UTF16.isTrailSurrogate(unit) {
                stands = false
            }
            if !stands {
                bytes.append(contentsOf: "\\ufffd".utf8)
            } else if unit != 0 {
                bytes.append(contentsOf: source[index..<index + length])
            }
            index += length
        }

        /// Returns the code unit that an escape at a place stands for, or `nil` when none is there.
        private func codeUnit(at place: Int) -> UInt16? {
            guard place + 6 <= source.count, source[place] == UInt8(ascii: "\\"),
                source[place + 1] == UInt8(ascii: "u")
            else { return nil }
            var unit: UInt16 = 0
            for digit in source[place + 2..<place + 6] {
                guard let value = Character(UnicodeScalar(digit)).hexDigitValue else { return nil }
                unit = unit << 4 | UInt16(value)
            }
            return unit
        }

        private mutating func number(into bytes: inout [UInt8]) {
            let start = index
            var exponentStart: Int?
            while index < source.count {
                switch source[index] {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
                    UInt8(ascii: "+"):
                    index += 1
                case UInt8(ascii: "e"), UInt8(ascii: "E"):
                    index += 1
                    exponentStart = index
                default:
                    return finish(start, exponentStart, into: &bytes)
                }
            }
            finish(start, exponentStart, into: &bytes)
        }

        private func finish(_ start: Int, _ exponentStart: Int?, into bytes: inout [UInt8]) {
            var isTooLong = index - start > longestNumber
            if let exponentStart {
                let digits = source[exponentStart..<index].drop {
                    $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "0")
                }
                let exponent = digits.reduce(0) { min($0 * 10 + Int($1 & 15), 1_000_000) }
                isTooLong = isTooLong || exponent > longestNumber
            }
            if isTooLong {
                bytes.append(contentsOf: "null".utf8)
            } else {
                bytes.append(contentsOf: source[start..<index])
            }
        }
    }
}
