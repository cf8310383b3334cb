import Glibc

/// A place by its way from the earth's centre, in metres, or a ball around such a place with its radius in `w`.
typealias Ball = SIMD4<Float>

/// Tells which parts of a route are too far from a place to matter, without a look at their vertices.
///
/// Each block of segments lies within a ball, each 16 balls within a larger one, and so on up to the few balls that
/// hold all. In space there is neither an antimeridian nor a pole.
struct RouteIndex: Sendable {
    /// How many balls share a larger one, as a shift.
    static let fanShift = 4
    /// How many balls share a larger one, and the most that the last level may have.
    static let fan = 1 << fanShift

    /// The balls of all levels, those of the blocks first; a negative radius marks a block that has a bend.
    private let balls: [Ball]
    /// Where each level begins among `balls`, and where the last one ends.
    private let starts: [Int]

    /// Creates an index over the balls of the blocks.
    init(blocks: [Ball]) {
        var balls = blocks
        var starts = [0, balls.count]
        var start = 0
        while balls.count - start > Self.fan {
            let end = balls.count
            for first in stride(from: start, to: end, by: Self.fan) {
                balls.append(Self.ball(around: balls[first..<min(first + Self.fan, end)]))
            }
            starts.append(balls.count)
            start = end
        }
        self.balls = balls
        self.starts = starts
    }

    /// How much memory it takes, in bytes.
    var memoryBytes: Int {
        MemoryLayout<Ball>.stride * balls.capacity + MemoryLayout<Int>.stride * starts.capacity
    }

    /// Whether a block holds a segment that is not straight on a map.
    @inline(__always)
    func isBent(block: Int) -> Bool { balls[block].w < 0 }

    /// Returns how far a ball is from a place at the least, in metres; negative when the place may be within it.
    @inline(__always)
    func gap(to ball: Int, level: Int, from place: Ball) -> Double {
        let ball = balls[starts[level] + ball]
        let way = ball - place
        let square = way.x * way.x + way.y * way.y + way.z * way.z
        // Half a percent is more than maps stretch anything.
        return Double(0.995 * square.squareRoot() - abs(ball.w))
    }

    /// Returns the place on a level's numbering of the ball that a block lies in.
    @inline(__always)
    static func ball(ofBlock block: Int, level: Int) -> Int { block >> (fanShift * level) }

    /// Returns the ball around the segments of a block.
    ///
    /// - Parameters:
    ///   - center: Where the ball is to have its centre.
    ///   - radius: How far the block reaches from there, in metres.
    static func ball(around center: Coordinate, radius: Double, isBent: Bool) -> Ball {
        var ball = place(center)
        // Two metres for the rounding of the centre and of the place in question.
        ball.w = Float(radius * 1.005 + 2)
        if isBent { ball.w = -ball.w }
        return ball
    }

    /// Returns a place by its way from the earth's centre.
    static func place(_ place: Coordinate) -> Ball {
        let latitude = place.latitude * Ellipsoid.radian
        let longitude = place.longitude * Ellipsoid.radian
        let sine = sin(latitude)
        let radius = Ellipsoid.normalRadius(sine: sine)
        let across = radius * cos(latitude)
        return Ball(
            Float(across * cos(longitude)), Float(across * sin(longitude)),
            Float(radius * (1 - Ellipsoid.eccentricity) * sine), 0)
    }

    /// Returns the ball around others.
    private static func ball(around balls: ArraySlice<Ball>) -> Ball {
        var result = balls.reduce(.zero, +) / Float(balls.count)
        result.w = 0
        var radius: Float = 0
        for ball in balls {
            var way = ball - result
            way.w = 0
            radius = max(radius, (way * way).sum().squareRoot() + abs(ball.w) + 1)
        }
        result.w = radius
        return result
    }
}
