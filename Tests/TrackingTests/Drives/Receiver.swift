import Foundation
import Geometry

/// A receiver whose errors last: each is mostly the one before, and the rest is new (Gauss and Markov).
struct Receiver {
    /// Standard deviation of the error to each side, in metres.
    let sigma: Double
    /// Seconds after which a third of an error is left; 0 where each fix has its own.
    let lasting: Double
    private var error: SIMD2<Double>

    init(sigma: Double, lasting: Double, _ random: inout SeededGenerator) {
        self.sigma = sigma
        self.lasting = lasting
        error = sigma * SIMD2(random.gaussian(), random.gaussian())
    }

    /// Where it says that a vehicle is.
    func report(_ place: Coordinate) -> Coordinate {
        place.destination(course: 0, distance: error.y).destination(course: 90, distance: error.x)
    }

    /// Lets time pass.
    mutating func wait(_ seconds: Double, _ random: inout SeededGenerator) {
        let rest = lasting > 0 ? exp(-seconds / lasting) : 0
        let new = sigma * (1 - rest * rest).squareRoot()
        error = rest * error + new * SIMD2(random.gaussian(), random.gaussian())
    }
}

extension SeededGenerator {
    /// A number of the normal distribution (Box and Muller).
    mutating func gaussian() -> Double {
        (-2 * log(number(0x1p-53...1))).squareRoot() * cos(2 * .pi * number(0...1))
    }
}
