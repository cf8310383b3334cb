import Foundation
import Synchronization
import Tracking
import Watching

/// A time zone of the machine's database.
struct SystemZone: ZoneRules {
    private let zone: TimeZone

    private static let known = Mutex<Set<String>?>(nil)

    /// Finds a zone by its IANA name; `nil` when the machine does not know it.
    init?(named name: String) {
        guard Self.exists(name), let zone = TimeZone(identifier: name) else { return nil }
        self.zone = zone
    }

    func offset(at moment: Timestamp) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: moment.seconds))
    }

    /// Whether the machine knows a zone of that name; abbreviations such as `CET` are links in its database.
    static func exists(_ name: String) -> Bool {
        known.withLock { known in
            let names = known ?? Set(TimeZone.knownTimeZoneIdentifiers)
            known = names
            return names.contains(name) || name == "UTC" || TimeZone(identifier: name) != nil
        }
    }
}
