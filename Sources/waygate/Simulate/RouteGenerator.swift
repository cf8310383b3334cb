import Geometry

/// Makes lines that look like drives through a town: streets that meet at right angles, blocks of
/// 100 to 400 metres, turns every few blocks.
struct RouteGenerator {
    /// The middle of the town.
    var centre: Coordinate
    /// How far from the middle lines start, in metres.
    var radius: Double
    /// About how long lines are, in metres.
    var length: Double
    /// The direction of the town's main street, in degrees.
    private let grid = 20.0
    private var random: SeededGenerator

    /// Creates a generator whose lines depend on nothing but its arguments.
    init(centre: Coordinate, radius: Double, length: Double, seed: UInt64) {
        self.centre = centre
        self.radius = radius
        self.length = length
        random = SeededGenerator(seed: seed, stream: -1)
    }

    /// Returns the next line.
    mutating func next() -> [Coordinate] {
        var place = centre.destination(
            course: .random(in: 0..<360, using: &random),
            distance: radius * .random(in: 0...1, using: &random))
        var line = [place]
        var heading = Int.random(in: 0..<4, using: &random)
        var driven = 0.0
        while driven < length {
            let block = Double.random(in: 100...400, using: &random)
            // Streets are not quite straight.
            let bend = Double.random(in: -4...4, using: &random)
            place = place.destination(course: grid + Double(heading) * 90 + bend, distance: block)
            line.append(place)
            driven += block
            // Never straight back; more often on than round a corner.
            heading += [0, 0, 1, 3].randomElement(using: &random) ?? 0
        }
        return line
    }

    /// Returns a random place within the town.
    mutating func place() -> Coordinate {
        centre.destination(
            course: .random(in: 0..<360, using: &random),
            distance: radius * Double.random(in: 0...1, using: &random).squareRoot())
    }
}
