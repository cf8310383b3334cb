import Geometry
import Telemetry

/// Reads the lines that engines answer with, and spreads times over them.
enum RouteGeometry {
    /// How far a route may begin from the vehicle and end from its destination, in metres.
    ///
    /// Engines take the nearest road however far it is, and a map of another country always has one.
    static let tolerance = 2000.0
    /// The most points that a route may have: three times a drive across a continent.
    static let maxPoints = 250_000

    /// Returns the points of a polyline or of a GeoJSON line.
    ///
    /// A polyline does not tell whether it has 6 decimals, which we ask for, or 5, which some servers send all
    /// the same: it has 5 when it begins at `start` only then.
    ///
    /// - Throws: `unusable` when it is neither.
    static func points(of value: JSONValue, near start: Coordinate) throws(PlannerError)
        -> [Coordinate]
    {
        if let text = value.text?.bytes {
            guard let fine = Polyline.decode(text, precision: 6) else {
                throw PlannerError(.unusable, "the geometry is not a polyline")
            }
            guard let first = fine.first, first.distance(to: start) > tolerance,
                let coarse = Polyline.decode(text, precision: 5), let other = coarse.first,
                other.distance(to: start) <= tolerance
            else { return fine }
            return coarse
        }
        guard let positions = value["coordinates"]?.array else {
            throw PlannerError(.unusable, "the geometry is neither a polyline nor GeoJSON")
        }
        var points: [Coordinate] = []
        for position in positions {
            var numbers = position.array?.makeIterator()
            guard let longitude = numbers?.next()?.double, let latitude = numbers?.next()?.double
            else {
                throw PlannerError(.unusable, "the geometry has a point that is not [lon, lat]")
            }
            points.append(Coordinate(latitude: latitude, longitude: longitude))
        }
        return points
    }

    /// Checks that a line can be driven and lies where it was asked for.
    ///
    /// - Throws: `unusable`, with what is wrong.
    static func check(_ points: [Coordinate], against query: RouteQuery) throws(PlannerError) {
        guard let start = points.first, let end = points.last, points.count >= 2 else {
            throw PlannerError(.unusable, "the route is empty: \(points.count) points")
        }
        guard points.count <= maxPoints else {
            throw PlannerError(
                .unusable, "the route has \(points.count) points, more than \(maxPoints)")
        }
        for (index, point) in points.enumerated() {
            guard point.isValid else {
                throw PlannerError(
                    .unusable,
                    "point \(index) of the route is out of range: "
                        + "\(point.latitude), \(point.longitude)")
            }
        }
        guard let from = query.points.first, let to = query.points.last else { return }
        let gaps = [
            ("begins", start, from, "the vehicle"), ("ends", end, to, "the destination"),
        ]
        for (verb, point, wanted, name) in gaps {
            let gap = point.distance(to: wanted)
            guard gap > tolerance else { continue }
            throw PlannerError(
                .unusable, "the route \(verb) in the wrong place, \(Int(gap)) m from \(name)")
        }
    }

    /// Returns a leg's time spread over its segments by their lengths, evenly where it has none.
    static func spread(_ time: Double, over points: ArraySlice<Coordinate>) -> [Double] {
        let lengths = zip(points, points.dropFirst()).map { $0.distance(to: $1) }
        let total = lengths.reduce(0, +)
        guard total > 0 else { return lengths.map { _ in time / Double(lengths.count) } }
        return lengths.map { time * $0 / total }
    }

    /// Returns segments' times, stretched so that they sum up to their leg's; without a sum to stretch, spread.
    ///
    /// An engine's times for segments leave out the turns between them.
    static func fit(
        _ times: [Double], to total: Double, over points: ArraySlice<Coordinate>
    ) -> [Double] {
        let sum = times.reduce(0, +)
        guard sum > 0 else { return spread(total, over: points) }
        return times.map { $0 * total / sum }
    }
}

extension JSONValue {
    /// A time or length: a number, finite and not negative.
    var amount: Double? {
        guard let double, double.isFinite, double >= 0 else { return nil }
        return double
    }
}
