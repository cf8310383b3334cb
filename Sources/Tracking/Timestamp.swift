/// A moment in UTC, counted in microseconds.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Microseconds since 1970-01-01T00:00:00Z; negative before it.
    public var microseconds: Int64

    /// Creates a moment from microseconds since 1970-01-01T00:00:00Z.
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Creates a moment from seconds since 1970-01-01T00:00:00Z, rounded to the microsecond.
    ///
    /// Values outside the range of 64 bits of microseconds are clamped to it; NaN is the epoch.
    public init(seconds: Double) {
        let scaled = (seconds * 1e6).rounded()
        self.microseconds = Int64(exactly: scaled) ?? (scaled > 0 ? .max : scaled < 0 ? .min : 0)
    }

    /// Seconds since 1970-01-01T00:00:00Z.
    public var seconds: Double { Double(microseconds) / 1e6 }

    /// Returns the seconds from `earlier` to this moment; negative when it comes after.
    public func elapsed(since earlier: Timestamp) -> Double {
        Double(microseconds &- earlier.microseconds) / 1e6
    }

    /// Returns the moment `seconds` later, or earlier when negative.
    public func advanced(by seconds: Double) -> Timestamp {
        Timestamp(microseconds: microseconds &+ Timestamp(seconds: seconds).microseconds)
    }

    /// Tells whether `lhs` comes before `rhs`.
    public static func < (lhs: Timestamp, rhs: Timestamp) -> Bool {
        lhs.microseconds < rhs.microseconds
    }
}
