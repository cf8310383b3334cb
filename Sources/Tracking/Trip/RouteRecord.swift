public import Geometry

/// A route in force: its line, where the via points are on it, and how long it takes.
///
/// Immutable, and shared by all copies of a trip.
final class RouteRecord: Sendable {
    let line: RouteLine
    /// 1, 2, 3 … for the trip.
    let revision: Int
    /// The via points' offsets; `nil` for those that were visited before the route.
    let spots: [Compact<Double>]
    /// Driving time in seconds, where known.
    let duration: Double?
    /// Driving time from the start to the end of each segment, in tenths of a second; empty where unknown.
    let arrivals: [UInt32]
    /// The speed limits of the segments; `nil` where none is known.
    let limits: SegmentLimits?

    init(line: RouteLine, revision: Int, route: ProvidedRoute, spots: [Double?]) {
        self.line = line
        self.revision = revision
        self.spots = spots.map(Compact.init)
        let durations = Self.durations(of: route, line)
        var total = 0.0
        arrivals = durations.map { seconds in
            total += seconds
            return UInt32(min(total * 10, 4e9).rounded())
        }
        duration = route.duration ?? (durations.isEmpty ? nil : total)
        limits =
            route.speedLimits.count == line.vertexCount - 1
            ? SegmentLimits(route.speedLimits) : nil
    }

    init(
        line: RouteLine, revision: Int, spots: [Double?], duration: Double?, arrivals: [UInt32],
        limits: SegmentLimits?
    ) {
        self.line = line
        self.revision = revision
        self.spots = spots.map(Compact.init)
        self.duration = duration
        self.arrivals = arrivals
        self.limits = limits
    }

    /// Creates a route that was on offer as the one in force.
    init(_ offered: RouteRecord, revision: Int) {
        line = offered.line
        self.revision = revision
        spots = offered.spots
        duration = offered.duration
        arrivals = offered.arrivals
        limits = offered.limits
    }

    /// Returns a via point's offset; `nil` when it was visited before the route.
    func spot(_ index: Int) -> Double? { spots[index].wrappedValue }

    /// Returns the last segment that begins at or before an offset.
    func segment(at offset: Double) -> Int {
        min(max(line.vertexCount(upTo: offset) - 1, 0), line.vertexCount - 2)
    }

    /// Seconds of driving from `offset` to the end; `nil` where unknown.
    func remainingDuration(from offset: Double) -> Double? {
        guard let duration else { return nil }
        guard let last = arrivals.last else {
            return line.length > 0 ? duration * (1 - offset / line.length) : 0
        }
        let segment = segment(at: offset)
        let begin = segment == 0 ? 0 : Double(arrivals[segment - 1])
        let end = Double(arrivals[segment])
        let from = line.offset(ofVertex: segment)
        let length = line.offset(ofVertex: segment + 1) - from
        let share = length > 0 ? min(max((offset - from) / length, 0), 1) : 1
        let passed = begin + (end - begin) * share
        return max((Double(last) - passed) / 10, 0)
    }

    /// Driving times of the segments: as given, or else by their speed limits where all are known.
    private static func durations(of route: ProvidedRoute, _ line: RouteLine) -> [Double] {
        let segments = line.vertexCount - 1
        if route.segmentDurations.count == segments,
            route.segmentDurations.allSatisfy({ $0 >= 0 && $0 < 1e7 })
        {
            return route.segmentDurations
        }
        guard route.duration == nil, route.speedLimits.count == segments,
            route.speedLimits.allSatisfy({ $0 > 0 })
        else { return [] }
        return (0..<segments).map { segment in
            (line.offset(ofVertex: segment + 1) - line.offset(ofVertex: segment))
                / route.speedLimits[segment]
        }
    }
}

/// The route in force, for those who draw it.
public struct RouteInForce: Sendable {
    /// 1, 2, 3 … for the trip.
    public var revision: Int
    /// The line.
    public var line: RouteLine
    /// Metres along it that lie behind the vehicle; 0 before the first match.
    public var travelledOffset: Double
    /// Driving time in seconds, where known.
    public var duration: Double?

    /// The line's coordinates.
    public var coordinates: [Coordinate] { line.coordinates }
    /// Its length in metres.
    public var length: Double { line.length }

    /// How many of the coordinates lie at or before `offset`.
    public func vertexCount(upTo offset: Double) -> Int { line.vertexCount(upTo: offset) }
}

extension RouteLine {
    /// How many vertices lie at or before `offset`.
    fileprivate func vertexCount(upTo offset: Double) -> Int {
        var low = 0
        var high = vertexCount
        while low < high {
            let middle = (low + high) / 2
            if self.offset(ofVertex: middle) <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
