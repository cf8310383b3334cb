import Geometry
import Tracking

/// The newest footprints of a vehicle that does not stand, as many as a stop may still turn out to have begun at.
///
/// The first is the earliest of them that all later ones lie around. There is always one.
struct Trail: Equatable, Sendable {
    /// A stop that lasts as long as a worker allows, with a fix a second, must not remember each.
    static let capacity = 64

    private(set) var prints: [Footprint]

    init(_ prints: [Footprint]) { self.prints = prints }

    var first: Footprint { prints[0] }
    var last: Footprint { prints[prints.count - 1] }

    /// Adds the newest.
    mutating func append(_ print: Footprint) {
        if prints.count >= Self.capacity { thin() }
        prints.append(print)
    }

    /// Drops what a stop can no longer have begun at, and returns the way from the first footprint to the one that is
    /// now the first; `nil` where it still is.
    mutating func dropLeft(radius: Double) -> Leg? {
        guard hasLeft(from: 0, radius: radius) else { return nil }
        let rest = prints.indices.dropFirst()
        return drop(rest.first { holds(from: $0, radius: radius) } ?? prints.count - 1)
    }

    /// Drops the first footprints, at least one, and returns the way from the first to the one that is now the first.
    mutating func drop(_ count: Int) -> Leg {
        let way = way(from: 0, to: count)
        prints.removeFirst(count)
        return way
    }

    /// The way from one footprint to a later one.
    func way(from start: Int, to end: Int) -> Leg {
        var way = Leg.none
        for print in prints[(start + 1)..<(end + 1)] { way += print.leg }
        return way
    }

    /// The earliest footprint where the vehicle would stand if it stayed where it is.
    func rest(radius: Double) -> Int {
        // All later ones lie around the first.
        if !isOutside(prints.count - 1, of: 0, radius) { return 0 }
        return prints.indices.dropFirst().first {
            !isOutside(prints.count - 1, of: $0, radius) && holds(from: $0, radius: radius)
        } ?? prints.count - 1
    }

    /// Whether the vehicle has left the first footprint as one leaves a stop: two in a row outside, or one twice as far.
    func hasDeparted(radius: Double) -> Bool {
        guard prints.count > 1 else { return false }
        return last.hasStrayed(from: first.coordinate, radius: radius, times: 2)
            || hasLeft(from: 0, radius: radius)
    }

    /// Whether the last two footprints both lie outside: one alone may be an error.
    private func hasLeft(from index: Int, radius: Double) -> Bool {
        index < prints.count - 2 && isOutside(prints.count - 1, of: index, radius)
            && isOutside(prints.count - 2, of: index, radius)
    }

    /// Whether no two footprints in a row after this one lie outside.
    private func holds(from index: Int, radius: Double) -> Bool {
        // The newest are those that most often do.
        if hasLeft(from: index, radius: radius) { return false }
        var wasOutside = false
        for later in prints.indices.dropFirst(index + 1) {
            let isOutside = isOutside(later, of: index, radius)
            if isOutside && wasOutside { return false }
            wasOutside = isOutside
        }
        return true
    }

    private func isOutside(_ index: Int, of beginning: Int, _ radius: Double) -> Bool {
        guard index != beginning else { return false }
        return prints[index].hasStrayed(from: prints[beginning].coordinate, radius: radius)
    }

    /// Joins every second footprint between the first and the newest two with the one after it.
    private mutating func thin() {
        var kept = [prints[0]]
        kept.reserveCapacity(Self.capacity)
        var skipped: Leg?
        for index in prints.indices.dropFirst() {
            var print = prints[index]
            if var leg = skipped {
                leg += print.leg
                print.leg = leg
                skipped = nil
            } else if index < prints.count - 2 {
                skipped = print.leg
                continue
            }
            kept.append(print)
        }
        prints = kept
    }
}
