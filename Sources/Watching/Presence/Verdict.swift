import Geometry
import Tracking

/// What one fix says of one place: rules W4 and W13.
enum Verdict: Equatable, Sendable {
    /// The vehicle is inside.
    case inside
    /// The vehicle is outside, by the distance or else by the floor alone.
    case outside(byLevel: Bool)
    /// Neither: in the band beyond the boundary, or without the accuracy or the floor that it takes.
    case neither
}

extension PlaceInForce {
    /// Returns what a fix says.
    ///
    /// - Parameter distance: That of the fix from the boundary, in metres; 0 or less inside.
    @inline(__always)
    func verdict(
        _ now: Whereabouts, distance: Double, _ settings: WatchSettings
    ) -> Verdict {
        let accuracy = now.accuracy ?? 0
        if distance > max(exitMargin(settings), accuracy) { return .outside(byLevel: false) }
        var fits = true
        if let level {
            guard let reported = now.level else { return .neither }
            fits = level.isSame(as: reported)
            if !fits { return .outside(byLevel: true) }
        }
        return distance <= 0 && accuracy <= size && extent == .area ? .inside : .neither
    }

    /// Whether a fix is on the place's floor, where it has one.
    func isLevel(of place: Whereabouts) -> Bool {
        guard let level else { return true }
        return place.level.map { level.isSame(as: $0) } ?? false
    }
}
