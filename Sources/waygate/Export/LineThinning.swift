import Geometry

/// Leaves out the points of a line that others stand for.
enum LineThinning {
    /// Returns the indexes of the points that stay, in order, the ends among them.
    ///
    /// No other is farther than `tolerance` metres from the line through them (Ramer, Douglas and Peucker).
    static func kept(of points: [Coordinate], tolerance: Double) -> [Int] {
        guard points.count > 2 else { return Array(points.indices) }
        var keeps = [Bool](repeating: false, count: points.count)
        keeps[0] = true
        keeps[points.count - 1] = true
        // A list of spans rather than recursion: a spiral would go deep.
        var spans = [(0, points.count - 1)]
        while let (start, end) = spans.popLast() {
            guard end - start > 1, let farthest = farthest(of: points, start, end),
                farthest.distance > tolerance
            else { continue }
            keeps[farthest.index] = true
            spans.append((start, farthest.index))
            spans.append((farthest.index, end))
        }
        return keeps.indices.filter { keeps[$0] }
    }

    /// The point between two others that is farthest from the line that joins them.
    private static func farthest(
        of points: [Coordinate], _ start: Int, _ end: Int
    ) -> (index: Int, distance: Double)? {
        guard let chord = RouteLine([points[start], points[end]]) else { return nil }
        return (start + 1..<end).map { ($0, chord.nearest(to: points[$0]).distance) }
            .max { $0.1 < $1.1 }
    }
}
