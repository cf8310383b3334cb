package import Tracking

extension JSONWriter {
    /// Writes an integer.
    package mutating func integer(_ value: Int) {
        separate()
        if value < 0 { append(UInt8(ascii: "-")) }
        append(digits: UInt64(value.magnitude))
    }

    /// Writes a number with as few digits as give the same `Double` back; `null` when not finite.
    package mutating func number(_ value: Double) {
        guard value.isFinite else { return null() }
        let isShort =
            fixed(value, decimals: 7, onlyIfExact: true)
            || fixed(value, decimals: 0, onlyIfExact: true)
        if !isShort { raw(value.description) }
    }

    /// Writes a number rounded to `decimals` digits after the point, without zeros at its end; `null`
    /// when not finite.
    package mutating func number(_ value: Double, decimals: Int) {
        guard value.isFinite else { return null() }
        if !fixed(value, decimals: decimals, onlyIfExact: false) { raw(value.description) }
    }

    /// Writes a moment as ISO 8601 in UTC with milliseconds, the rest cut off.
    package mutating func time(_ time: Timestamp) {
        separate()
        append(UInt8(ascii: "\""))
        append(iso8601: time)
        append(UInt8(ascii: "\""))
    }

    /// Appends a decimal fraction and returns `true`, or returns `false` when it would not fit 53 bits or, if
    /// asked, would not read back as `value`.
    private mutating func fixed(_ value: Double, decimals: Int, onlyIfExact: Bool) -> Bool {
        let scale = Self.powersOfTen[decimals]
        let scaled = (value.magnitude * scale).rounded()
        guard scaled < 0x1p53, !onlyIfExact || scaled / scale == value.magnitude else {
            return false
        }
        separate()
        if value < 0, scaled > 0 { append(UInt8(ascii: "-")) }
        append(fraction: UInt64(scaled), decimals: decimals)
        return true
    }

    private static let powersOfTen = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7]

    /// Appends a moment without quotes.
    private mutating func append(iso8601 time: Timestamp) {
        let (second, micros) = Self.floorDivide(time.microseconds, 1_000_000)
        let (day, secondOfDay) = Self.floorDivide(second, 86_400)
        let date = Self.civil(daysSinceEpoch: day)
        // ISO 8601 writes a sign before years outside its four digits.
        if date.year < 0 || date.year > 9999 {
            append(UInt8(ascii: date.year < 0 ? "-" : "+"))
        }
        append(digits: date.year.magnitude, width: 4)
        append(UInt8(ascii: "-"))
        append(digits: UInt64(date.month), width: 2)
        append(UInt8(ascii: "-"))
        append(digits: UInt64(date.day), width: 2)
        append(UInt8(ascii: "T"))
        append(digits: UInt64(secondOfDay / 3600), width: 2)
        append(UInt8(ascii: ":"))
        append(digits: UInt64(secondOfDay / 60 % 60), width: 2)
        append(UInt8(ascii: ":"))
        append(digits: UInt64(secondOfDay % 60), width: 2)
        append(UInt8(ascii: "."))
        append(digits: UInt64(micros / 1000), width: 3)
        append(UInt8(ascii: "Z"))
    }

    private static func floorDivide(_ value: Int64, _ by: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: by)
        return remainder < 0 ? (quotient - 1, remainder + by) : (quotient, remainder)
    }

    /// Returns the date of a day in the proleptic Gregorian calendar.
    ///
    /// Years are counted from March here, so that the leap day comes last; 400 of them have 146,097 days.
    private static func civil(daysSinceEpoch: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = floorDivide(daysSinceEpoch + 719_468, 146_097)
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}

extension Timestamp {
    /// ISO 8601 in UTC with milliseconds: `2026-03-01T12:00:00.000Z`.
    package var iso8601: String {
        var writer = JSONWriter(capacity: 32)
        writer.time(self)
        return String(decoding: writer.bytes.dropFirst().dropLast(), as: UTF8.self)
    }
}
