import Foundation
import Telemetry
import Tracking
import Watching

/// A zone of the machine's time-zone database, for the hours of places.
struct ReplayZone: ZoneRules {
    private let zone: TimeZone

    /// Finds the zone of an IANA name; `nil` where the machine knows none.
    init?(_ name: String) {
        guard let zone = TimeZone(identifier: name) else { return nil }
        self.zone = zone
    }

    func offset(at moment: Timestamp) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: moment.seconds))
    }

    /// What a replay allows of places.
    static let limits = PlaceLimits(isZone: { ReplayZone($0) != nil })
}
