import Foundation
import Tracking
import Watching

/// A zone of the system's time-zone database.
struct SystemZone: ZoneRules {
    private let zone: TimeZone

    /// Finds the zone of a name; `nil` where there is none.
    init?(_ name: String) {
        guard let zone = TimeZone(identifier: name) else { return nil }
        self.zone = zone
    }

    func offset(at moment: Timestamp) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: moment.seconds))
    }
}
