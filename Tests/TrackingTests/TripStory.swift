import Geometry
import Testing
import Tracking

/// A trip told in metres east and north of a base place, and in seconds.
struct TripStory {
    var trip: Trip
    /// All that was told so far.
    var told: [String] = []
    /// The closed roads.
    var roads = RoadConditions()

    /// A base in the plains, as the fixtures have it.
    static let base = Coordinate(latitude: 28.6, longitude: 77.2)

    /// Returns the place so many metres east and north of the base.
    static func place(_ east: Double, _ north: Double) -> Coordinate {
        let step = 0.001
        let up = base.distance(to: Coordinate(latitude: 28.6 + step, longitude: 77.2)) / step
        let across = base.distance(to: Coordinate(latitude: 28.6, longitude: 77.2 + step)) / step
        return Coordinate(latitude: 28.6 + north / up, longitude: 77.2 + east / across)
    }

    /// Returns a route through places in metres.
    static func route(_ places: [(Double, Double)]) -> ProvidedRoute {
        ProvidedRoute(coordinates: places.map { place($0.0, $0.1) })
    }

    /// Starts a trip at second 0.
    init(
        _ route: [(Double, Double)]?, stops: [(Double, Double)] = [],
        destination: (Double, Double)? = nil, source: (Double, Double)? = nil,
        options: (inout TripOptions) -> Void = { _ in }
    ) throws {
        var settings = TripOptions()
        options(&settings)
        let assignment = Assignment(
            tripID: "trip", vehicleID: "vehicle", route: route.map(Self.route),
            source: source.map(Self.place),
            destination: destination.map { Target(coordinate: Self.place($0.0, $0.1)) },
            viaPoints: stops.map { Target(coordinate: Self.place($0.0, $0.1)) }, options: settings)
        trip = try Trip.start(assignment, newest: nil, at: Timestamp(seconds: 0)).trip
    }

    /// Applies an input.
    @discardableResult
    mutating func handle(_ input: TripInput, at seconds: Double) -> TripOutcome {
        let outcome = trip.handle(input, at: Timestamp(seconds: seconds), among: roads)
        told += outcome.told
        return outcome
    }

    /// Reports a position.
    @discardableResult
    mutating func fix(
        _ seconds: Double, _ east: Double, _ north: Double, accuracy: Double? = nil,
        received: Double? = nil
    ) -> TripOutcome {
        let fix = Fix(
            time: Timestamp(seconds: seconds), coordinate: Self.place(east, north),
            accuracy: accuracy)
        return handle(.fix(fix), at: received ?? seconds)
    }

    /// Answers a request, or hands over a route unasked.
    @discardableResult
    mutating func route(
        _ seconds: Double, _ places: [(Double, Double)], request: Int?
    ) -> TripOutcome {
        handle(.route(Self.route(places), request: request), at: seconds)
    }

    /// Whether a distance of the trip is what it should be, to a metre.
    static func isNear(_ value: Double?, _ expected: Double) -> Bool {
        abs((value ?? .infinity) - expected) < 1
    }
}

extension TripOutcome {
    /// What became true, each with its via point or the via points that a request carries.
    var told: [String] {
        events.map { event in
            if let index = event.kind.waypointIndex { return "\(event.kind.name) \(index)" }
            if let carried = event.kind.carriedWaypoints { return "\(event.kind.name) \(carried)" }
            return event.kind.name
        }
    }
}
