import Geometry
import Tracking

/// A ball around a fix within which nothing can change between a vehicle and the places.
///
/// It saves most fixes the look at the places, and never decides anything: with or without it, the same is told.
struct QuietBall: Equatable, Sendable {
    /// No ball is larger, in metres.
    private static let most = 5000.0
    /// Farther north and south a straight way bends too much.
    private static let highLatitude = 80.0
    /// The most metres for a degree of latitude, and of longitude.
    private static let degree = (north: 111_700.0, east: 111_400.0)

    private var latitude = 0.0
    private var longitude = 0.0
    /// Metres; negative where there is none.
    private var radius: Float = -1
    /// Up to this reported speed, in metres per second.
    private var topSpeed: Float = 0
    /// The places' version that it holds for.
    private var version: UInt32 = 0
    /// Whether there was a route.
    private var hasRoute = false
    /// Up to this moment, in the vehicle's own time.
    private var until = Timestamp(microseconds: .max)

    /// Creates none.
    init() {}

    /// Creates a ball around a fix.
    init(
        _ center: Coordinate, radius: Double, topSpeed: Double, hasRoute: Bool, until: Timestamp,
        version: UInt32
    ) {
        let radius = min(radius, Self.most)
        // A way between two places of the ball bends out of it by the square of the radius times the latitude's tangent
        // over the earth's diameter; and a metre is for rounding.
        let slack = 1 + radius * radius * 4.5e-7
        guard radius > slack, abs(center.latitude) < Self.highLatitude else { return }
        latitude = center.latitude
        longitude = center.longitude
        self.radius = Float(radius - slack)
        self.topSpeed = Float(topSpeed)
        self.hasRoute = hasRoute
        self.until = until
        self.version = version
    }

    /// Whether nothing can change by a step.
    @inline(__always)
    func holds(_ step: Step, version: UInt32) -> Bool {
        guard version == self.version, radius > 0, step.now.time < until,
            hasRoute == (step.trip?.line != nil), Float(step.speed ?? 0) <= topSpeed
        else { return false }
        let room = Double(radius) - (step.route.map { $0.length + Self.matchReach(step) } ?? 0)
        return room > 0 && isWithin(room, step.now.coordinate)
    }

    /// How far the way along a route may begin and end from the fixes, in metres.
    private static func matchReach(_ step: Step) -> Double {
        Whereabouts.matchDistance + (step.now.accuracy ?? 0)
    }

    /// Whether a coordinate is not farther from the centre than some metres.
    private func isWithin(_ room: Double, _ coordinate: Coordinate) -> Bool {
        var turn = abs(coordinate.longitude - longitude)
        if turn > 180 { turn = 360 - turn }
        let north = (coordinate.latitude - latitude) * Self.degree.north
        let east = turn * Self.degree.east
        // Never less than the distance, and cheaper.
        if north * north + east * east <= room * room { return true }
        guard abs(north) <= room else { return false }
        let center = Coordinate(latitude: latitude, longitude: longitude)
        return center.distance(to: coordinate) <= room
    }
}
