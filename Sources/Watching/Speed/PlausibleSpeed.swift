import Geometry
import Tracking

/// How far a fix may be off where the device does not say so, in metres, when speeds are measured.
let unknownAccuracy = 10.0

extension Step {
    /// The reported speed, in metres per second, where it can be believed: rule S3.
    ///
    /// `nil` where there is none, or where it is faster than anything on a road, or than the way driven allows.
    func plausibleSpeed(_ settings: WatchSettings) -> Double? {
        guard let speed, speed <= settings.maxSpeed else { return nil }
        // Nothing slower than this is ever ignored, so that most fixes cost no distance.
        guard speed > 5, let before, let gap, gap >= 2, gap <= 60 else { return speed }
        let errors = (before.accuracy ?? unknownAccuracy) + (now.accuracy ?? unknownAccuracy)
        return speed <= 2 * (way + errors) / gap + 5 ? speed : nil
    }
}
