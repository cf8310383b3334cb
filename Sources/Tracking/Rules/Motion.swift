/// What speaks against a vehicle's having gone from one place on its route to another between two fixes.
///
/// A cost is a negative logarithm of a likelihood. A fix is off by an error that lasts: the next one's is mostly the
/// same. So the way that fixes went is told better than where they are, and is compared with the way along the route:
/// across the road, where the error shows, and along it, by the speed. Great differences cost no more than in
/// proportion, since errors, streets and drivers are not as regular as the model.
struct Motion {
    /// The speed of a vehicle of which nothing is known, in metres per second.
    static let usualSpeed: Float = 12
    /// What a place costs on a route's first match that is not the first one: most trips begin at the beginning.
    static let laterStart: Float = 8

    /// Error of a fix to each side, in metres, where it does not say how accurate it is.
    private static let usualError: Float = 15
    /// An error no better is believed, in metres.
    private static let leastError: Float = 6
    /// Seconds that errors last.
    private static let errorTime: Float = 7.7
    /// The part of an error that does not last, as a share of it.
    private static let whiteShare: Float = 0.5
    /// Where the cost of an error stops growing with its square, in standard deviations; and that of a way.
    private static let bends: (error: Float, way: Float) = (1.3, 1.2)
    /// How well a vehicle keeps its speed: a share of it, and metres per second besides; how many times less well it
    /// keeps from being slower.
    private static let speedSpread: (share: Float, least: Float, slower: Float) = (0.35, 6, 1.5)
    /// Within how many seconds fixes tell little of the speed; and for how many it is remembered.
    private static let speedTimes: (noticed: Float, kept: Float) = (5, 20)
    /// For how many seconds of a longer gap a vehicle is expected to have driven, so that it may as well have stood.
    private static let longestDrive: Float = 60
    /// What turning round costs at the most.
    private static let turn: Float = 6
    /// What passing a via point costs at the most where vehicles hold.
    private static let unheld: Float = 12
    /// What being anywhere else costs, and what more for the root of each kilometre: the model was wrong.
    private static let jump: (base: Float, farther: Float) = (12, 6)

    /// Seconds between the fixes.
    private let seconds: Float
    /// The standard deviation of the error to each side, in metres, and its square.
    private let error: Float
    private let square: Float
    /// What is left of an error after that time, as a share.
    private let rest: Float
    /// How much the fixes tell of the speed, 0 to 1.
    private let weight: Float

    /// Describes what may happen in some seconds, more than 0, up to a fix.
    init(seconds: Double, to fix: Fix) {
        self.seconds = Float(seconds)
        error = Self.error(of: fix)
        square = error * error
        let age = self.seconds / Self.errorTime
        // The first terms of the exponential function.
        rest = 1 / (1 + age * (1 + age / 2))
        weight = self.seconds / (self.seconds + Self.speedTimes.noticed)
    }

    /// The standard deviation of a fix's error to each side: half of what devices call its accuracy.
    private static func error(of fix: Fix) -> Float {
        guard let accuracy = fix.accuracy else { return usualError }
        return max(Float(accuracy) / 2, leastError)
    }

    /// What a fix's distance from where it should be costs, if that is all that is known.
    static func cost(ofDistance distance: Float, to fix: Fix) -> Float {
        let error = error(of: fix)
        return cost(distance * distance / (error * error), bend: bends.error)
    }

    /// Half a square, or from the bend on what goes on straight.
    private static func cost(_ square: Float, bend: Float) -> Float {
        square < bend * bend ? square / 2 : bend * (square.squareRoot() - bend / 2)
    }

    /// Sets the cost and the speed of a new place by the old one that explains it best.
    func explain(_ new: inout Hypothesis, by old: Hypotheses) {
        var best = (cost: Float.infinity, index: 0)
        for index in 0..<old.count {
            let cost = old[index].cost + cost(from: old[index], to: new)
            if cost < best.cost { best = (cost, index) }
        }
        new.cost = best.cost
        new.speed = speed(from: old[best.index], to: new)
    }

    /// Returns the speed of late at a new place.
    func speed(from old: Hypothesis, to new: Hypothesis) -> Float {
        let speed = min(max(Float(new.offset - old.offset), 0) / seconds, 40)
        return old.speed + (speed - old.speed) * seconds / (seconds + Self.speedTimes.kept)
    }

    /// What it costs to be some metres past a via point where vehicles hold.
    func cost(ofPassing way: Double) -> Float {
        way > 0 ? min(Self.unheld, Float(way) / error) : 0
    }

    private func cost(from old: Hypothesis, to new: Hypothesis) -> Float {
        let way = Float(new.offset - old.offset)
        let excess = way - old.speed * min(seconds, Self.longestDrive)
        let regular = cost(ofExcess: excess, old, new) + cost(ofError: old, new) + cost(ofTurn: way)
        let anywhere =
            Self.jump.base + Self.jump.farther * (abs(excess) / 1000).squareRoot()
            + Self.cost(new.distance * new.distance / square, bend: Self.bends.error)
        return min(regular, anywhere)
    }

    /// What it costs to be farther than the speed led to, or less far.
    private func cost(ofExcess excess: Float, _ old: Hypothesis, _ new: Hypothesis) -> Float {
        let (share, least, slower) = Self.speedSpread
        let spread = (share * old.speed + least) * seconds * (excess < 0 ? slower : 1)
        // The errors along the road are the same, as far as the road has the same direction.
        let same = old.heading.x * new.heading.x + old.heading.y * new.heading.y
        let variance = 2 * square * (1 - rest * same) + spread * spread
        return weight * Self.cost(excess * excess / variance, bend: Self.bends.way)
    }

    /// What it costs that the error is another than before.
    private func cost(ofError old: Hypothesis, _ new: Hypothesis) -> Float {
        let side = new.side
        let oldSide = old.side
        let change = new.error - rest * old.error
        let across = side.x * change.x + side.y * change.y
        // On a road across the one before, nothing was known of the error that shows now.
        let same = rest * (side.x * oldSide.x + side.y * oldSide.y)
        let variance = square * (1 - same * same + Self.whiteShare * Self.whiteShare)
        return Self.cost(across * across / variance, bend: Self.bends.error)
    }

    private func cost(ofTurn way: Float) -> Float {
        way < 0 ? min(Self.turn, weight * -way / error) : 0
    }
}
