public import Tracking

/// When a place's alarms are told: immutable, and shared by reference.
public final class ActiveHours: Sendable, Equatable {
    /// A stretch of each week on the clocks of the zone.
    public struct Window: Hashable, Sendable {
        /// The days on which it begins: bit 0 is Monday's, bit 6 Sunday's.
        public var days: UInt8
        /// Minutes from midnight to its beginning, 0 to 1,439.
        public var from: UInt16
        /// Minutes from midnight to its end, 0 to 1,440; where it is not after `from`, of the next day.
        public var to: UInt16

        /// Creates a window.
        public init(days: UInt8, from: UInt16, to: UInt16) {
            self.days = days
            self.from = from
            self.to = to
        }
    }

    /// Name of the IANA zone that the windows are in; `nil` where there are none.
    public let zone: String?
    /// The windows; empty for all the time.
    public let weekly: [Window]
    /// When alarms begin to be told; `nil` for from ever.
    public let since: Timestamp?
    /// When they are told no more; `nil` for never.
    public let until: Timestamp?

    /// Creates hours.
    public init(
        zone: String? = nil, weekly: [Window] = [], since: Timestamp? = nil,
        until: Timestamp? = nil
    ) {
        self.zone = zone
        self.weekly = weekly
        self.since = since
        self.until = until
    }

    /// Whether two hours are the same.
    public static func == (left: ActiveHours, right: ActiveHours) -> Bool {
        left === right
            || left.zone == right.zone && left.weekly == right.weekly
                && left.since == right.since && left.until == right.until
    }
}
