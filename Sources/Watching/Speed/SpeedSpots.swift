import Geometry
import Tracking

/// The fixes of the last seconds, from the one that the next is measured from: rule S2.
struct SpeedSpots: Equatable, Sendable {
    /// A way is measured over this time at least, in seconds, and at most.
    static let (shortest, longest) = (5.0, 300.0)
    /// More than ten fixes a second are thinned out.
    private static let spacing = 0.1

    private(set) var spots: [SpeedSpot] = []

    init(_ spots: [SpeedSpot] = []) { self.spots = spots }

    var isEmpty: Bool { spots.isEmpty }

    /// The newest fix that a way up to `time` can be measured from; `nil` where there is none.
    mutating func base(for time: Timestamp) -> SpeedSpot? {
        // What is older than the last one that will do is never needed again.
        let later = spots.firstIndex { time.elapsed(since: $0.time) < Self.shortest }
        let old = (later ?? spots.count) - 1
        if old > 0 { spots.removeFirst(old) }
        guard old >= 0, let base = spots.first,
            time.elapsed(since: base.time) <= Self.longest
        else { return nil }
        return base
    }

    /// Adds the newest.
    mutating func add(_ spot: SpeedSpot) {
        if spots.isEmpty, spot.limit == nil, spot.match == nil { return }
        if let last = spots.last, spot.time.elapsed(since: last.time) < Self.spacing { return }
        spots.append(spot)
    }

    /// Forgets all: what was driven up to now has been told.
    mutating func forget() { spots.removeAll() }
}
