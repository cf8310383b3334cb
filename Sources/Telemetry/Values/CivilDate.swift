/// A day of the Gregorian calendar.
struct CivilDate: Equatable {
    /// Days since 1970-01-01; negative before it.
    let daysSinceEpoch: Int64

    /// Creates a day; `nil` when the calendar has none such.
    init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), day >= 1, day <= Self.length(of: month, year: year) else {
            return nil
        }
        // Years are counted from March, so that the leap day comes last; 400 of them have 146,097 days.
        let shifted = Int64(month > 2 ? year : year - 1)
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let monthFromMarch = Int64((month + 9) % 12)
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        daysSinceEpoch = era * 146_097 + dayOfEra - 719_468
    }

    private static func length(of month: Int, year: Int) -> Int {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

/// A time of the day, in microseconds since midnight.
struct TimeOfDay: Hashable {
    /// The length of a day.
    static let day: Int64 = 86_400_000_000

    /// Microseconds since midnight, less than a day.
    let microseconds: Int64

    /// Creates a time; `nil` when no clock shows it (24:00 and leap seconds are not taken).
    init?(hour: Int, minute: Int, second: Int, microsecond: Int = 0) {
        guard (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second) else {
            return nil
        }
        microseconds = Int64((hour * 60 + minute) * 60 + second) * 1_000_000 + Int64(microsecond)
    }
}
