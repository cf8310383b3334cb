import Foundation

/// A made-up town: streets on a crooked grid, the same for each seed.
struct Streets {
    /// A place, in degrees.
    struct Place {
        var latitude: Double
        var longitude: Double

        /// Returns the metres to another place, well enough for a town.
        func distance(to other: Place) -> Double {
            let north = (other.latitude - latitude) * 111_320
            let east = (other.longitude - longitude) * 111_320 * cos(latitude * .pi / 180)
            return (north * north + east * east).squareRoot()
        }

        /// Returns the place a share of the way to another.
        func moved(to other: Place, by share: Double) -> Place {
            Place(
                latitude: latitude + share * (other.latitude - latitude),
                longitude: longitude + share * (other.longitude - longitude))
        }
    }

    let size: Int
    private let corners: [Place]

    /// Lays out `size` by `size` corners, 220 m apart, around Vaduz.
    init(size: Int, seed: UInt64) {
        self.size = size
        var random = SplitMix(state: seed)
        let half = Double(size) / 2
        corners = (0..<size * size).map { index in
            let row = Double(index / size) - half + random.next(in: -0.3...0.3)
            let column = Double(index % size) - half + random.next(in: -0.3...0.3)
            return Place(latitude: 47.14 + row * 0.00198, longitude: 9.52 + column * 0.0029)
        }
    }

    /// Returns the street from a corner to the next one in the north, or in the east.
    func street(row: Int, column: Int, isNorth: Bool) -> [Place]? {
        let (nextRow, nextColumn) = isNorth ? (row + 1, column) : (row, column + 1)
        guard nextRow < size, nextColumn < size else { return nil }
        let start = corners[row * size + column]
        return [start] + street(from: start, to: corners[nextRow * size + nextColumn])
    }

    /// Returns a way of about `turns` street corners that does not turn back.
    func way(turns: Int, random: inout SplitMix) -> [Place] {
        var row = Int(random.next(in: 0...Double(size - 1)))
        var column = Int(random.next(in: 0...Double(size - 1)))
        let steps = (row < size / 2 ? 1 : -1, column < size / 2 ? 1 : -1)
        var way = [corners[row * size + column]]
        for _ in 0..<turns {
            let isNorth = random.next(in: 0...1) < 0.5
            let next = isNorth ? (row + steps.0, column) : (row, column + steps.1)
            guard (0..<size).contains(next.0), (0..<size).contains(next.1) else { continue }
            (row, column) = next
            way += street(from: way[way.count - 1], to: corners[row * size + column])
        }
        return way
    }

    /// Returns a bent street's points after its first, the same ones whichever way it is driven.
    private func street(from start: Place, to end: Place) -> [Place] {
        guard start.latitude + start.longitude < end.latitude + end.longitude else {
            return street(from: end, to: start).dropLast().reversed() + [end]
        }
        let bend = sin(start.latitude * 9_000 + end.longitude * 7_000) * 0.14
        return (1...6).map { step in
            let share = Double(step) / 6
            var place = start.moved(to: end, by: share)
            let aside = sin(share * .pi) * bend
            place.latitude += aside * (end.longitude - start.longitude)
            place.longitude -= aside * (end.latitude - start.latitude)
            return place
        }
    }
}

/// A small generator with a seed, so that a demonstration can be repeated.
struct SplitMix {
    var state: UInt64

    /// Returns a number, each in the range as likely.
    mutating func next(in range: ClosedRange<Double>) -> Double {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        mixed ^= mixed >> 31
        let share = Double(mixed >> 11) / Double(1 << 53)
        return range.lowerBound + share * (range.upperBound - range.lowerBound)
    }
}
