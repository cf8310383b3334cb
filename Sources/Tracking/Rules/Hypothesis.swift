import Geometry

/// A place on the route where the vehicle may be.
struct Hypothesis: Equatable, Sendable {
    /// How far along the route it is, in metres; not clamped to a leg.
    var offset: Double
    /// What speaks against it, more than against the best: the logarithm of how many times less likely it is.
    var cost: Float
    /// Metres per second along the route, of late.
    var speed: Float
    /// The error of its last fix if it is right: the way from the reported place, in metres to the east and the north.
    var error: SIMD2<Float>
    /// The direction of travel, to the east and to the north, of length one; zero where it is not known.
    var heading: SIMD2<Float>

    init(
        offset: Double, cost: Float = 0, speed: Float, error: SIMD2<Float> = .zero,
        heading: SIMD2<Float> = .zero
    ) {
        self.offset = offset
        self.cost = cost
        self.speed = speed
        self.error = error
        self.heading = heading
    }

    /// A pass of the route by the reported place, of which nothing else is known yet.
    init(_ pass: RouteLine.Pass, _ aspect: RouteLine.Aspect) {
        self.init(
            offset: pass.offset, speed: Motion.usualSpeed, error: aspect.way,
            heading: aspect.heading)
    }

    /// Metres from the reported place.
    var distance: Float { (error.x * error.x + error.y * error.y).squareRoot() }

    /// The direction in which its error shows: straight away from the reported place, or across the road where there is
    /// no error to speak of.
    var side: SIMD2<Float> {
        let distance = distance
        return distance > 3 ? error / distance : SIMD2(-heading.y, heading.x)
    }
}

/// The few likeliest hypotheses of one moment, the best first.
struct Hypotheses: Sendable {
    /// How many are kept: the vehicle's own place, and two that may turn out to be it.
    static let most = 3
    /// Those that are so much less likely than the best are given up.
    static let greatestCost: Float = 10

    private var places = InlineArray<3, Hypothesis>(repeating: Hypothesis(offset: 0, speed: 0))
    /// How many there are, 0 to `most`.
    private(set) var count = 0

    /// The likeliest; there must be one.
    var best: Hypothesis { places[0] }

    /// Returns one of those below `count`.
    subscript(_ index: Int) -> Hypothesis { places[index] }

    /// The least and the greatest offset; there must be one.
    var reach: ClosedRange<Double> {
        var least = places[0].offset
        var greatest = least
        for index in 1..<max(count, 1) {
            least = min(least, places[index].offset)
            greatest = max(greatest, places[index].offset)
        }
        return least...greatest
    }

    /// Leaves nothing but one that is certain.
    mutating func replace(by place: Hypothesis) {
        places[0] = place
        count = 1
    }

    /// Takes one more in, and drops the least likely where there would be too many; of two that are as likely, the one
    /// that came first goes before.
    mutating func insert(_ new: Hypothesis) {
        var index = count
        if count < Self.most { count += 1 }
        while index > 0, new.cost < places[index - 1].cost {
            if index < count { places[index] = places[index - 1] }
            index -= 1
        }
        if index < count { places[index] = new }
    }

    /// Counts the costs from the best one's, and gives up those that are too high.
    mutating func settle() {
        let least = places[0].cost
        for index in 0..<count { places[index].cost -= least }
        while count > 1, places[count - 1].cost > Self.greatestCost { count -= 1 }
    }
}

extension Hypotheses: Equatable {
    static func == (left: Hypotheses, right: Hypotheses) -> Bool {
        left.count == right.count && (0..<left.count).allSatisfy { left[$0] == right[$0] }
    }
}
