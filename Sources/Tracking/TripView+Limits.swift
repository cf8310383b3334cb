import Geometry

/// A piece of a route on which one speed limit counts.
public struct LimitedPiece: Equatable, Sendable {
    /// How long it is, in metres.
    public var length: Double
    /// Metres per second.
    public var limit: Double

    /// Creates a piece.
    public init(length: Double, limit: Double) {
        self.length = length
        self.limit = limit
    }
}

/// The speed limits of the trip's route.
extension TripView {
    /// The limit on the route's segment at an offset, in metres per second; `nil` where it is unknown.
    public func speedLimit(at offset: Double) -> Double? {
        guard let record, let limits = record.limits else { return nil }
        return limits[record.segment(at: offset)]
    }

    /// The pieces of the route between two offsets, in order, with their limits; `nil` where one is unknown.
    public func limitedPieces(from start: Double, to end: Double) -> [LimitedPiece]? {
        guard let record, let limits = record.limits else { return nil }
        let first = record.segment(at: start)
        let last = record.segment(at: end)
        var pieces: [LimitedPiece] = []
        for segment in first...max(first, last) {
            let from = max(record.line.offset(ofVertex: segment), start)
            let to = min(record.line.offset(ofVertex: segment + 1), end)
            guard to > from else { continue }
            guard let limit = limits[segment] else { return nil }
            if let newest = pieces.last, newest.limit == limit {
                pieces[pieces.count - 1].length += to - from
            } else {
                pieces.append(LimitedPiece(length: to - from, limit: limit))
            }
        }
        return pieces
    }
}
