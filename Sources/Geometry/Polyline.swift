/// Google's encoded polyline format: a line as text, with 5 or 6 digits after the point.
///
/// Each number is the difference to the one before it, zigzagged, in groups of five bits with the lowest
/// first; 63 is added to each group to make a printable character, and 32 before that where more follow.
public enum Polyline {
    /// Returns the line of a text, or `nil` when it breaks off or holds a character that is not of the format.
    ///
    /// Coordinates are taken as they are, also out of range.
    ///
    /// - Parameters:
    ///   - text: The text's bytes.
    ///   - precision: How many digits after the point the numbers have, 0 to 7.
    public static func decode(_ text: some Sequence<UInt8>, precision: Int) -> [Coordinate]? {
        let scale = scale(precision)
        var bytes = text.makeIterator()
        var line: [Coordinate] = []
        var latitude: Int64 = 0
        var longitude: Int64 = 0
        while let first = bytes.next() {
            guard let north = difference(first, &bytes), let second = bytes.next(),
                let east = difference(second, &bytes)
            else { return nil }
            latitude &+= north
            longitude &+= east
            line.append(
                Coordinate(
                    latitude: Double(latitude) / scale, longitude: Double(longitude) / scale))
        }
        return line
    }

    /// Returns the line of a text, or `nil` when it breaks off or holds a character that is not of the
    /// format.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - precision: How many digits after the point the numbers have, 0 to 7.
    public static func decode(_ text: some StringProtocol, precision: Int) -> [Coordinate]? {
        decode(text.utf8, precision: precision)
    }

    /// Returns a line as text, rounded to `precision` digits after the point, 0 to 7.
    public static func encode(_ line: some Sequence<Coordinate>, precision: Int) -> String {
        let scale = scale(precision)
        var bytes: [UInt8] = []
        var latitude: Int64 = 0
        var longitude: Int64 = 0
        for coordinate in line {
            let north = Int64(clamping: coordinate.latitude * scale)
            let east = Int64(clamping: coordinate.longitude * scale)
            append(north &- latitude, to: &bytes)
            append(east &- longitude, to: &bytes)
            latitude = north
            longitude = east
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func scale(_ precision: Int) -> Double {
        var scale = 1.0
        for _ in 0..<max(0, min(precision, 7)) { scale *= 10 }
        return scale
    }

    /// Reads one difference, whose first character is `first`.
    private static func difference(
        _ first: UInt8, _ bytes: inout some IteratorProtocol<UInt8>
    ) -> Int64? {
        var byte = first
        var zigzag: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            // 35 bits hold 180 degrees with 7 digits, so that seven groups are plenty.
            guard (63...126).contains(byte), shift < 40 else { return nil }
            zigzag |= UInt64((byte - 63) & 0x1f) << shift
            shift += 5
            if byte - 63 < 0x20 { break }
            guard let next = bytes.next() else { return nil }
            byte = next
        }
        let half = Int64(zigzag >> 1)
        return zigzag & 1 == 0 ? half : ~half
    }

    private static func append(_ difference: Int64, to bytes: inout [UInt8]) {
        var rest = UInt64(bitPattern: difference < 0 ? ~(difference << 1) : difference << 1)
        while rest >= 0x20 {
            bytes.append(UInt8(truncatingIfNeeded: (rest & 0x1f) | 0x20) + 63)
            rest >>= 5
        }
        bytes.append(UInt8(truncatingIfNeeded: rest) + 63)
    }
}

extension Int64 {
    /// Rounds a number, and takes the nearest limit for what does not fit and 0 for what is none.
    fileprivate init(clamping number: Double) {
        self = Int64(exactly: number.rounded()) ?? (number > 0 ? .max : number < 0 ? .min : 0)
    }
}
