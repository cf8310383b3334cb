import Geometry
import Tracking

/// A usable fix of a vehicle that is not standing: where a stop may turn out to have begun.
struct Footprint: Equatable, Sendable {
    /// When the vehicle was there.
    var time: Timestamp
    /// Where it was.
    var coordinate: Coordinate
    /// The way that led here.
    var leg: Leg
    /// The device's own error estimate, in metres; 0 where it was not reported.
    var accuracy: Float

    /// Whether this is farther from the beginning of a stop than a standing vehicle may stray, so many times.
    func hasStrayed(from beginning: Coordinate, radius: Double, times: Double = 1) -> Bool {
        beginning.isFarther(from: coordinate, than: times * max(radius, Double(accuracy)))
    }
}

/// What lies between a footprint and the one before it.
struct Leg: Equatable, Sendable {
    /// Metres.
    var distance = 0.0
    /// Seconds with the ignition on; `nil` where it was never reported.
    @Compact var idle: Double? = nil
    /// The greatest speed reported, in metres per second; `nil` where none was.
    @Compact var topSpeed: Double? = nil
    /// How many usable fixes, that of the footprint included.
    var fixes: UInt32 = 1

    /// Goes on with what came next.
    static func += (way: inout Leg, next: Leg) {
        way.distance += next.distance
        way.idle = join(way.idle, next.idle, +)
        way.topSpeed = join(way.topSpeed, next.topSpeed, max)
        way.fixes &+= next.fixes
    }

    /// Both, one after the other.
    static func + (way: Leg, next: Leg) -> Leg {
        var both = way
        both += next
        return both
    }

    /// No way at all.
    static var none: Leg { Leg(fixes: 0) }

    private static func join(
        _ left: Double?, _ right: Double?, _ both: (Double, Double) -> Double
    ) -> Double? {
        guard let left, let right else { return left ?? right }
        return both(left, right)
    }
}

extension Footprint {
    /// Makes the footprint of a usable fix.
    ///
    /// - Parameter speed: As reported, where that can be believed.
    init(_ step: Step, speed: Double?) {
        time = step.now.time
        coordinate = step.now.coordinate
        accuracy = Float(step.now.accuracy ?? 0)
        leg = Leg(topSpeed: speed)
        leg.distance = step.straight
        if let ignition = step.now.ignition {
            let isOn = ignition && step.before?.ignition == true
            leg.idle = isOn ? step.gap ?? 0 : 0
        }
    }
}
