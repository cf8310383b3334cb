/// What PostgreSQL's binary format fixes.
enum BinaryFormat {
    /// Where PostgreSQL counts from: 2000-01-01T00:00:00Z.
    static let epoch: Microseconds = 946_684_800_000_000
    /// The years 1 to 9999, which every client can read; PostgreSQL itself goes further.
    static let times: ClosedRange<Microseconds> =
        -62_135_596_800_000_000...253_402_300_799_999_999
}

/// Writes values as PostgreSQL's binary format has them: a length, then the bytes; -1 is null.
///
/// What no column could take is put right on the way, so that a batch is not refused for it: U+0000
/// is left out of texts, a number that is not finite is null, a time is clamped to the years 1 to 9999.
struct FieldWriter {
    /// What was written so far.
    private(set) var bytes: [UInt8] = []

    /// Takes back what was written and keeps the memory.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// Appends a bare integer, most significant byte first.
    mutating func append<I: FixedWidthInteger>(_ value: I) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// Appends bytes as they are.
    mutating func append(contentsOf raw: [UInt8]) {
        bytes.append(contentsOf: raw)
    }

    private mutating func field<I: FixedWidthInteger>(_ value: I) {
        append(Int32(MemoryLayout<I>.size))
        append(value)
    }

    /// Writes null.
    mutating func null() {
        append(Int32(-1))
    }

    /// Writes a `double precision`.
    mutating func write(_ value: Double?) {
        guard let value, value.isFinite else { return null() }
        field(value.bitPattern)
    }

    /// Writes an `integer`, clamped to its range.
    mutating func write(_ value: Int?) {
        guard let value else { return null() }
        field(Int32(clamping: value))
    }

    /// Writes a `bigint`.
    mutating func write(_ value: Int64?) {
        guard let value else { return null() }
        field(value)
    }

    /// Writes a `boolean`.
    mutating func write(_ value: Bool) {
        field(value ? 1 as UInt8 : 0)
    }

    /// Writes a `timestamptz`.
    mutating func write(time: Microseconds?) {
        guard let time else { return null() }
        let clamped = min(max(time, BinaryFormat.times.lowerBound), BinaryFormat.times.upperBound)
        field(clamped - BinaryFormat.epoch)
    }

    /// Writes a `bytea`.
    mutating func write(_ value: [UInt8]?) {
        guard let value else { return null() }
        append(Int32(clamping: value.count))
        bytes.append(contentsOf: value)
    }

    /// Writes a `text`.
    mutating func write(_ value: String?) {
        guard let value else { return null() }
        measured { bytes in
            let start = bytes.count
            bytes.append(contentsOf: value.utf8)
            if bytes[start...].contains(0) {
                bytes.removeSubrange(start...)
                bytes.append(contentsOf: value.utf8.lazy.filter { $0 != 0 })
            }
        }
    }

    /// Writes a `jsonb`.
    mutating func write(json value: String?) {
        guard let value else { return null() }
        measured { bytes in
            bytes.append(1)  // the format's version
            StoredJSON.append(value, to: &bytes)
        }
    }

    /// Writes a `uuid`.
    ///
    /// - Throws: `StoreError.Reason.dataRefused` when the text is none, as the server would.
    mutating func write(uuid value: String) throws(StoreError) {
        guard let uuid = Self.uuid(value) else {
            throw StoreError(.dataRefused, "not a UUID: \"\(value)\"", sqlState: "22P02")
        }
        append(Int32(uuid.count))
        bytes.append(contentsOf: uuid)
    }

    /// Writes a length and then what `body` appends.
    private mutating func measured(_ body: (inout [UInt8]) -> Void) {
        let start = bytes.count
        append(Int32(0))
        body(&bytes)
        let length = Int32(clamping: bytes.count - start - 4)
        withUnsafeBytes(of: length.bigEndian) {
            bytes.replaceSubrange(start..<start + 4, with: $0)
        }
    }

    private static func uuid(_ text: String) -> [UInt8]? {
        var digits: [UInt8] = []
        for character in text.utf8 where character != UInt8(ascii: "-") {
            guard let digit = Character(UnicodeScalar(character)).hexDigitValue else { return nil }
            digits.append(UInt8(digit))
        }
        guard digits.count == 32, text.utf8.count == 36 else { return nil }
        return stride(from: 0, to: 32, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
