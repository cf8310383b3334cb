package import Tracking

extension Timestamp {
    /// Reads ISO 8601: date and time with `T` or a blank between them, an optional fraction, `Z` or an
    /// offset; no zone is UTC.
    ///
    /// `nil` for anything else, moments that no calendar or clock has among them.
    package init?(iso8601 bytes: UnsafeRawBufferPointer) {
        var reader = ByteReader(bytes)
        guard let date = CivilDate(&reader),
            reader.skip(anyOf: UInt8(ascii: "T"), UInt8(ascii: " "), UInt8(ascii: "t")),
            let time = TimeOfDay(&reader), let offset = Self.offset(&reader), reader.isAtEnd
        else { return nil }
        self.init(
            microseconds: date.daysSinceEpoch * TimeOfDay.day + time.microseconds - offset)
    }

    /// Reads an offset from UTC, in microseconds; `nil` when it is none.
    private static func offset(_ reader: inout ByteReader) -> Int64? {
        if reader.isAtEnd || reader.skip(UInt8(ascii: "Z")) || reader.skip(UInt8(ascii: "z")) {
            return 0
        }
        let isWest = reader.peek == UInt8(ascii: "-")
        guard reader.skip(UInt8(ascii: "+")) || reader.skip(UInt8(ascii: "-")),
            let hour = reader.digits(2)
        else { return nil }
        let hasColon = reader.skip(UInt8(ascii: ":"))
        var minute = 0
        if hasColon || !reader.isAtEnd {
            guard let digits = reader.digits(2) else { return nil }
            minute = digits
        }
        guard let span = TimeOfDay(hour: hour, minute: minute, second: 0) else { return nil }
        return isWest ? -span.microseconds : span.microseconds
    }

    /// Reads a number of seconds, milliseconds, microseconds or nanoseconds since 1970, by its size.
    package init(epoch value: Double) {
        switch value {
        case ..<1e11: self.init(seconds: value)
        case ..<1e14: self.init(seconds: value / 1e3)
        case ..<1e17: self.init(seconds: value / 1e6)
        default: self.init(seconds: value / 1e9)
        }
    }

    /// Reads a member that tells a position's time.
    ///
    /// - Throws: `missingTime` or `invalidTime`.
    init(reported value: JSONValue?) throws(RejectionReason) {
        guard let value, !value.isNull else { throw .missingTime }
        if let number = value.double {
            self.init(epoch: number)
            return
        }
        guard let text = value.text?.bytes.trimmed else { throw .invalidTime }
        if let number = Double(plainDecimal: text) {
            self.init(epoch: number)
        } else if let time = Timestamp(iso8601: text) {
            self = time
        } else {
            throw .invalidTime
        }
    }
}

extension CivilDate {
    /// Reads `yyyy-mm-dd` or `yyyymmdd`.
    fileprivate init?(_ reader: inout ByteReader) {
        guard let year = reader.digits(4) else { return nil }
        let isExtended = reader.skip(UInt8(ascii: "-"))
        guard let month = reader.digits(2), reader.skip(UInt8(ascii: "-")) == isExtended,
            let day = reader.digits(2)
        else { return nil }
        self.init(year: year, month: month, day: day)
    }
}

extension TimeOfDay {
    /// Reads `hh:mm:ss` with an optional fraction, `hh:mm`, or the same without colons.
    fileprivate init?(_ reader: inout ByteReader) {
        guard let hour = reader.digits(2) else { return nil }
        let isExtended = reader.skip(UInt8(ascii: ":"))
        guard let minute = reader.digits(2) else { return nil }
        var second = 0
        var microsecond = 0
        let hasSecond =
            isExtended
            ? reader.skip(UInt8(ascii: ":")) : reader.peek.map { (48...57).contains($0) } == true
        if hasSecond {
            guard let digits = reader.digits(2) else { return nil }
            second = digits
            if reader.skip(UInt8(ascii: ".")) || reader.skip(UInt8(ascii: ",")) {
                guard let fraction = reader.microseconds() else { return nil }
                microsecond = fraction
            }
        }
        self.init(hour: hour, minute: minute, second: second, microsecond: microsecond)
    }
}

/// The times that a position may have, by the time of its reception.
struct TimeWindow {
    private let earliest: Timestamp
    private let latest: Timestamp

    /// Creates the window of what is received at a moment.
    init(receivedAt: Timestamp, limits: DecodeLimits) {
        earliest = receivedAt.advanced(by: -Double(limits.maxAgeDays) * 86_400)
        latest = receivedAt.advanced(by: limits.maxFuture)
    }

    /// Checks a position's time.
    ///
    /// - Throws: `timeInFuture` or `timeTooOld`.
    func check(_ time: Timestamp) throws(RejectionReason) {
        if time > latest { throw .timeInFuture }
        if time < earliest { throw .timeTooOld }
    }
}
