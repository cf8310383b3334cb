import Geometry
import Testing

/// A part of a line, sampled densely, to judge what a search says.
private struct Samples {
    let offsets: [Double]
    let distances: [Double]

    init(
        _ line: RouteLine, from start: Double, to end: Double, around place: Coordinate,
        _ count: Int
    ) {
        var offsets = (0...count).map { start + (end - start) * Double($0) / Double(count) }
        offsets += (0..<line.vertexCount).map(line.offset(ofVertex:)).filter {
            $0 > start && $0 < end
        }
        self.offsets = offsets.sorted()
        distances = self.offsets.map { line.point(at: $0).distance(to: place) }
    }

    /// The stretches between two rises of more than `ripple` each that hold one clear minimum, and its distance.
    func minima(ripple: (Double) -> Double) -> [(from: Double, to: Double, distance: Double)] {
        var minima: [(from: Double, to: Double, distance: Double)] = []
        var lowest = distances[0]
        var highest = -Double.infinity
        var left = offsets[0]
        var peak = offsets[0]
        var isFalling = true
        for (offset, distance) in zip(offsets, distances) {
            if isFalling {
                lowest = min(lowest, distance)
                guard distance > lowest + ripple(lowest) else { continue }
                minima.append((left, offset, lowest))
                (isFalling, highest, peak) = (false, distance, offset)
            } else if distance > highest {
                (highest, peak) = (distance, offset)
            } else if distance < highest - ripple(distance) {
                (isFalling, lowest, left) = (true, distance, peak)
            }
        }
        if isFalling { minima.append((left, offsets[offsets.count - 1], lowest)) }
        return minima
    }
}

private struct Story: CustomStringConvertible {
    let line: RouteLine
    let place: Coordinate
    let start: Double
    let end: Double
    let within: Double

    init(_ random: inout SeededGenerator, vertices: ClosedRange<Int>) throws {
        let step = [3.0, 40, 40, 300, 5000, 60000][random.index(below: 6)]
        let count = Int.random(in: vertices, using: &random)
        let coordinates = random.line(vertices: count, step: step)
        line = try #require(RouteLine(coordinates))
        let far = [50_000.0, 300_000, 2_000_000, 11_000_000][random.index(below: 4)]
        let away = [0, 0.3 * step, 2 * step, 30 * step, far][random.index(below: 5)]
        place = line.point(at: random.number(0...1) * line.length)
            .destination(course: random.number(0...360), distance: away)
        let ends = [random.number(0...1) * line.length, random.number(0...1) * line.length].sorted()
        let isWhole = random.chance(0.5)
        start = isWhole ? 0 : ends[0]
        end = isWhole ? line.length : ends[1]
        within = [0, 15, 200, 1e9][random.index(below: 4)]
    }

    var description: String {
        "\(line.coordinates.prefix(3))… \(place) \(start)...\(end) within \(within)"
    }
}

@Test(arguments: 1...40)
func findsWhatSamplesFind(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<40 {
        let story = try Story(&random, vertices: 2...50)
        let line = story.line
        let passes = line.passes(
            near: story.place, from: story.start, to: story.end, within: story.within, hint: nil)
        let samples = Samples(line, from: story.start, to: story.end, around: story.place, 600)
        let nearest = try #require(passes.map(\.distance).min(), "\(story)")
        // What the two ways to measure may differ by.
        func tolerance(_ distance: Double) -> Double { 0.02 + 0.0005 * distance }

        for pass in passes {
            #expect(pass.offset >= story.start && pass.offset <= story.end, "\(story) \(pass)")
            let distance = line.point(at: pass.offset).distance(to: story.place)
            #expect(abs(distance - pass.distance) <= tolerance(distance), "\(story) \(pass)")
            #expect(pass.distance <= nearest + story.within + 0.001, "\(story) \(pass)")
        }
        #expect(zip(passes, passes.dropFirst()).allSatisfy { $0.offset < $1.offset }, "\(story)")
        for distance in samples.distances {
            #expect(distance >= nearest - tolerance(nearest), "\(story)")
        }
        // Each clear minimum is a pass, and exactly one.
        for minimum in samples.minima(ripple: { 4 * tolerance($0) })
        where minimum.distance < nearest + story.within - tolerance(nearest + story.within) {
            let found = passes.filter {
                (minimum.from - 0.001...minimum.to + 0.001).contains($0.offset)
                    && $0.distance <= minimum.distance + tolerance(minimum.distance)
            }
            #expect(!found.isEmpty, "\(story) \(minimum) \(passes)")
        }
        for (pass, next) in zip(passes, passes.dropFirst()) {
            let between = zip(samples.offsets, samples.distances).filter {
                $0.0 > pass.offset && $0.0 < next.offset
            }
            // The samples may miss a hump that is shorter than they are apart.
            guard between.count > 10, let hump = between.map(\.1).max() else { continue }
            let lower = min(pass.distance, next.distance)
            #expect(hump > lower - tolerance(lower), "\(story) \(pass) \(next)")
        }
    }
}

@Test(arguments: 1...20)
func findsTheSameWithAndWithoutLeavingOut(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(1000 + seed))
    for _ in 0..<20 {
        let story = try Story(&random, vertices: 20...1500)
        let line = story.line
        let hints = [nil, story.start, story.end, random.number(-10...line.length + 10)]
        let answers = hints.map { hint in
            line.passes(
                near: story.place, from: story.start, to: story.end, within: story.within,
                hint: hint)
        }
        for answer in answers { #expect(answer == answers[0], "\(story)") }
        let nearest = line.nearest(
            to: story.place, from: story.start, to: story.end, hint: hints[3])
        #expect(nearest.distance == answers[0].map(\.distance).min(), "\(story)")

        // With no limit nothing may be left out, so that what is near must be the same as with one.
        let all = line.passes(
            near: story.place, from: story.start, to: story.end, within: .infinity, hint: nil)
        let near = all.filter { $0.distance <= nearest.distance + story.within + 1e-6 }
        #expect(near == answers[0], "\(story)")
    }
}

@Test(arguments: 1...20)
func agreesWithItsSegments(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(2000 + seed))
    for _ in 0..<10 {
        let story = try Story(&random, vertices: 20...600)
        let line = story.line
        var best = RouteLine.Pass(offset: 0, distance: .infinity)
        for (index, (start, end)) in zip(line.coordinates, line.coordinates.dropFirst())
            .enumerated()
        {
            let segment = try #require(RouteLine([start, end]))
            let pass = segment.nearest(to: story.place, from: 0, to: segment.length, hint: nil)
            guard pass.distance < best.distance else { continue }
            best = pass
            best.offset += line.offset(ofVertex: index)
        }
        let nearest = line.nearest(to: story.place, from: 0, to: line.length, hint: nil)
        #expect(abs(nearest.distance - best.distance) <= 1e-6 * best.distance + 1e-6, "\(story)")
    }
}

@Test(arguments: 1...20)
func placesOffsetsInOrder(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(3000 + seed))
    for _ in 0..<20 {
        let line = try Story(&random, vertices: 2...400).line
        var last = 0.0
        for index in 0..<line.vertexCount {
            let offset = line.offset(ofVertex: index)
            #expect(offset >= last)
            last = offset
            let place = line.point(at: offset)
            #expect(place.distance(to: line.vertex(index)) < 0.001 + 1e-6 * line.length)
            #expect(place.isValid)
        }
        #expect(line.point(at: -5) == line.vertex(0))
        #expect(line.point(at: .infinity) == line.vertex(line.vertexCount - 1))
        #expect(line.point(at: .nan) == line.vertex(0))
        let step = min(1, line.length / 10)
        for _ in 0..<20 where line.length > 0 {
            let offset = random.number(0...line.length - step)
            let way = line.point(at: offset).distance(to: line.point(at: offset + step))
            #expect(way <= step * 1.01 + 0.03)
            let course = try #require(line.course(at: offset))
            #expect(course >= 0 && course < 360)
        }
    }
}

@Test(arguments: 1...20)
func findsTheSameAtTheAntimeridian(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(4000 + seed))
    for _ in 0..<20 {
        let story = try Story(&random, vertices: 20...300)
        // Somewhere along the line is to be the antimeridian.
        let middle = story.line.point(at: random.number(0...1) * story.line.length).longitude
        func turned(_ place: Coordinate) -> Coordinate {
            var longitude = place.longitude - (middle * 1e4).rounded() / 1e4 + 180
            if longitude > 180 { longitude -= 360 }
            return Coordinate(latitude: place.latitude, longitude: longitude)
        }
        let line = try #require(RouteLine(story.line.coordinates.map(turned)))
        #expect(abs(line.length - story.line.length) <= 1e-6 * line.length)
        let passes = line.passes(
            near: turned(story.place), from: story.start, to: story.end, within: story.within)
        let expected = story.line.passes(
            near: story.place, from: story.start, to: story.end, within: story.within)
        #expect(passes.count == expected.count, "\(story)")
        for (pass, other) in zip(passes, expected) {
            #expect(
                abs(pass.distance - other.distance) <= 0.001 + 1e-6 * other.distance, "\(story)")
        }
    }
}
