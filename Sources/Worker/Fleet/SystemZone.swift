import Foundation
package import Tracking
import Watching

/// A time zone of the machine's database.
package struct SystemZone: ZoneRules {
    private let zone: TimeZone

    /// Finds a zone by its IANA name; `nil` when the machine does not know it.
    package init?(named name: String) {
        guard let zone = TimeZone(identifier: name) else { return nil }
        self.zone = zone
    }

    package func offset(at moment: Timestamp) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: moment.seconds))
    }

    /// Whether the machine knows a zone of that name; abbreviations such as `CET` are links in its database.
    package static func exists(_ name: String) -> Bool {
        SystemZone(named: name) != nil
    }
}
