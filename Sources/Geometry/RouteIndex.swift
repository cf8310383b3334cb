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
    private let starts: [Int32]

    /// Creates an index over the balls of the blocks.
    init(blocks: [Ball]) {
        var balls = blocks
        if blocks.count > Self.fan {
            balls.reserveCapacity(blocks.count + blocks.count / (Self.fan - 1) + 2)
        }
        var starts = [0, Int32(balls.count)]
        var start = 0
        while balls.count - start > Self.fan {
            let end = balls.count
            for first in stride(from: start, to: end, by: Self.fan) {
                balls.append(Self.ball(around: balls[first..<min(first + Self.fan, end)]))
            }
            starts.append(Int32(balls.count))
            start = end
        }
        self.balls = balls
        self.starts = starts
    }

    /// How much memory it takes, in bytes.
    var memoryBytes: Int {
        MemoryLayout<Ball>.stride * balls.capacity + MemoryLayout<Int32>.stride * starts.capacity
    }

    /// Returns the ball of a block, with a negative radius where the block has a bend.
    func ball(_ block: Int) -> Ball { balls[block] }

    /// How a block's segments can be brought onto a map.
    enum Kind {
        /// They are straight on the map and near its centre.
        case near
        /// They are straight on the map, far from its centre, and close together.
        case far
        /// Each has to be looked at by itself.
        case mixed
    }

    /// Returns how a block's segments can be brought onto a map around a place that is simple within a distance.
    @inline(__always)
    func kind(block: Int, within reach: Float, of place: Ball) -> Kind {
        let ball = balls[block]
        guard ball.w > 0 else { return .mixed }
        let way = ball - place
        let square = way.x * way.x + way.y * way.y + way.z * way.z
        let rest = reach - ball.w
        if rest > 0, square < rest * rest { return .near }
        let isTemperate = abs(ball.z) < Self.highLatitude
        return ball.w < 2000 && square > 5e8 && isTemperate ? .far : .mixed
    }

    /// How far north of the equator's plane a longitude is too short a way for a series: at 80 degrees.
    private static let highLatitude = Float(6_259_000)

    /// Returns how far a ball is from a place at the least, in metres; negative when the place may be within it.
    ///
    /// - Parameter ball: Its number among the balls of all levels.
    @inline(__always)
    func gap(to ball: Int, from place: Ball) -> Double {
        let ball = balls[ball]
        let way = ball - place
        let square = way.x * way.x + way.y * way.y + way.z * way.z
        // Less a hair for the rounding of what is far away.
        return Double(square.squareRoot() * 0.9999995 - abs(ball.w))
    }

    /// Returns whether all of a ball is farther from a place than some metres.
    ///
    /// - Parameter ball: Its number among the balls of all levels.
    @inline(__always)
    func isFarther(_ ball: Int, than bound: Double, from place: Ball) -> Bool {
        let ball = balls[ball]
        let way = ball - place
        let square = way.x * way.x + way.y * way.y + way.z * way.z
        let reach = bound + Double(abs(ball.w))
        // Less a hair for the rounding of what is far away.
        return Double(square) * 0.999999 > reach * reach
    }

    /// Returns the number that a level's first ball has among those of all levels.
    @inline(__always)
    func start(ofLevel level: Int) -> Int { Int(starts[level]) }

    /// Returns the ball around the segments of a block.
    ///
    /// - Parameters:
    ///   - center: Where the ball is to have its centre.
    ///   - radius: How far the block reaches from there, in metres.
    static func ball(around center: Coordinate, radius: Double, isBent: Bool) -> Ball {
        var ball = PlaneMap(around: center).ball(longitude: center.longitude)
        // Two metres are for the rounding of the centre and of the place in question.
        ball.w = Float(radius * 1.000001 + 2)
        if isBent { ball.w = -ball.w }
        return ball
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
