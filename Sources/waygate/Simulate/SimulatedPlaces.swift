import Geometry

/// Made-up places that a simulated fleet drives through.
enum SimulatedPlaces {
    /// Returns circles of 40 to 150 m along the lines, one on each in turn.
    ///
    /// - Parameters:
    ///   - prefix: What their ids begin with.
    ///   - seed: Repeats them.
    static func make(
        _ count: Int, along lines: [RouteLine], prefix: String, seed: UInt64
    ) -> [PlaceDraft] {
        guard !lines.isEmpty else { return [] }
        var random = SeededGenerator(seed: seed, stream: -1)
        return (0..<count).map { index in
            let line = lines[index % lines.count]
            var place = PlaceDraft(id: "\(prefix)place-\(index + 1)")
            let radius = Double.random(in: 40...150, using: &random).rounded()
            let offset = Double.random(in: 0...line.length, using: &random)
            place.set(.circle(center: line.point(at: offset), radius: radius))
            place.set("name", text: "Place \(index + 1)")
            place.set("category", text: "simulated")
            return place
        }
    }
}
