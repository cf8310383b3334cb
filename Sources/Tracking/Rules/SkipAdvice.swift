import Geometry

/// Notices that a vehicle drives on without its next via point: rule L6.
///
/// It never skips by itself.
struct SkipAdvice: Equatable, Sendable {
    /// Where the vehicle was nearest to the via point.
    struct Nearest: Equatable, Sendable {
        /// Metres from there to the via point.
        var distance: Double
        /// Metres from there to what follows the via point.
        var onward: Double
    }

    /// The leg so far.
    struct Leg: Equatable, Sendable {
        /// The via point that closes it.
        var index: Int
        /// Where the vehicle was nearest to it.
        var nearest: Nearest
        /// Whether the fix before was on the way away from it.
        var isLeaving: Bool
        /// Whether skipping was suggested since the vehicle was nearest.
        var isTold: Bool
    }

    /// `nil` before the first fix of a leg.
    @Seldom private(set) var leg: Leg? = nil

    init() {}

    init(leg: Leg?) { self.leg = leg }

    /// Notes a usable fix on the way to a via point, and returns where the vehicle was nearest to it when skipping it
    /// is to be suggested.
    ///
    /// - Parameters:
    ///   - distance: Metres from the fix to the via point.
    ///   - onward: Metres from the fix to what follows the via point.
    ///   - least: How many metres farther away, and nearer to what follows, suggest it.
    mutating func note(
        _ distance: Double, onward: Double, index: Int, least: Double
    ) -> Nearest? {
        guard var leg, leg.index == index, distance >= leg.nearest.distance else {
            leg = Leg(
                index: index, nearest: Nearest(distance: distance, onward: onward),
                isLeaving: false, isTold: false)
            return nil
        }
        let wasLeaving = leg.isLeaving
        leg.isLeaving =
            distance >= leg.nearest.distance + least && onward <= leg.nearest.onward - least
        let isNews = wasLeaving && leg.isLeaving && !leg.isTold
        if isNews { leg.isTold = true }
        if leg != self.leg { self.leg = leg }
        return isNews ? leg.nearest : nil
    }
}
