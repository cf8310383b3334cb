import Geometry
import Tracking

/// A vehicle that stands.
struct Standing: Equatable, Sendable {
    /// How a stop began: what never changes of it.
    final class Beginning: Equatable, Sendable {
        let start: StopStart
        /// What all its fixes lie around.
        let location: Coordinate

        init(start: StopStart, location: Coordinate) {
            self.start = start
            self.location = location
        }

        static func == (left: Beginning, right: Beginning) -> Bool {
            left.start == right.start && left.location == right.location
        }
    }

    /// A place and when the vehicle was there.
    struct Spot: Equatable, Sendable {
        var time: Timestamp
        var coordinate: Coordinate
    }

    let beginning: Beginning
    /// The last fix within.
    private(set) var last: Spot
    /// Seconds with the ignition on; `nil` where it was never reported.
    @Compact private(set) var idle: Double? = nil
    /// A fix outside that the next one may confirm.
    @Seldom private(set) var stray: Footprint? = nil

    /// Stops at the first of some footprints, the last of which is within.
    init(at prints: ArraySlice<Footprint>, radius: Double, facts: StopFacts) {
        let first = prints[prints.startIndex]
        beginning = Beginning(
            start: StopStart(
                since: first.time, place: facts.place, waypointIndex: facts.waypointIndex,
                isPlanned: facts.isPlanned),
            location: first.coordinate)
        last = Spot(time: first.time, coordinate: first.coordinate)
        // Seconds on the way here are not the stop's, but that they were reported counts.
        idle = first.leg.idle.map { _ in 0 }
        var way = Leg.none
        for print in prints.dropFirst() {
            way += print.leg
            if print.hasStrayed(from: first.coordinate, radius: radius) { continue }
            stay(at: print, after: way)
            way = Leg.none
        }
    }

    init(beginning: Beginning, last: Spot, idle: Double?, stray: Footprint?) {
        self.beginning = beginning
        self.last = last
        self.idle = idle
        self.stray = stray
    }

    /// Adds a footprint; returns those of a departure, oldest first, where it shows one: two in a row outside, or one
    /// twice as far (rule J2).
    ///
    /// - Parameter isAlone: Whether one outside is enough: after a long silence (J3).
    mutating func add(
        _ print: Footprint, isAlone: Bool, radius: Double
    ) -> [Footprint]? {
        guard print.hasStrayed(from: beginning.location, radius: radius) else {
            var way = stray?.leg ?? Leg.none
            way += print.leg
            stay(at: print, after: way)
            return nil
        }
        if let stray { return [stray, print] }
        if isAlone || print.hasStrayed(from: beginning.location, radius: radius, times: 2) {
            return [print]
        }
        stray = print
        return nil
    }

    /// How it ends at the last fix within.
    var end: StopEnd { StopEnd(start: beginning.start, until: last.time, idle: idle) }

    private mutating func stay(at print: Footprint, after way: Leg) {
        last = Spot(time: print.time, coordinate: print.coordinate)
        if let seconds = way.idle { idle = (idle ?? 0) + seconds }
        if stray != nil { stray = nil }
    }
}
