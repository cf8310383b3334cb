import Geometry
import Tracking

/// Where a trip's route comes to places that are approached: rule L1.
struct RouteSpots: Equatable, Sendable {
    /// A spot on the route.
    struct Spot: Equatable, Sendable {
        /// The place's number.
        let number: Int32
        /// Offset on the route, in metres.
        let offset: Double
        /// Whether the vehicle was before it.
        var isSeen = false
        /// Whether its approach was told.
        var isTold = false
        /// Whether it was told that it was passed.
        var isPassed = false
        /// When the vehicle came by it; `nil` while it lies ahead.
        @Compact var reachedAt: Timestamp? = nil
    }

    /// How near to a point the route must come, in metres.
    static let reach = 50.0

    /// The trip, by when it was assigned.
    let assignedAt: Timestamp
    /// The trip's route, by its number.
    let revision: Int
    /// The version of the places with an approach.
    let version: UInt32
    var spots: [Spot]

    /// Finds the spots of a route.
    ///
    /// - Parameter old: What was found before: what was told of a spot is not told again.
    init(
        _ line: RouteLine, of trip: TripView, vehicleID: String, _ places: PlacesInForce,
        old: RouteSpots?
    ) {
        assignedAt = trip.assignedAt
        revision = trip.routeRevision
        version = places.approachVersion
        let isSameRoute = old?.isOf(trip) ?? false
        let known = isSameRoute ? old?.spots ?? [] : []
        spots = places.places(along: line, within: Self.reach).flatMap { number -> [Spot] in
            guard let place = places[number], place.terms.approach != nil,
                place.isMeant(for: vehicleID)
            else { return [] }
            return place.area.spots(on: line, within: Self.reach).map { offset in
                known.first { $0.number == number && abs($0.offset - offset) < 1 }
                    ?? Spot(number: number, offset: offset)
            }
        }
    }

    init(assignedAt: Timestamp, revision: Int, version: UInt32, spots: [Spot]) {
        self.assignedAt = assignedAt
        self.revision = revision
        self.version = version
        self.spots = spots
    }

    /// Whether they are those of the trip's route.
    func isOf(_ trip: TripView) -> Bool {
        assignedAt == trip.assignedAt && revision == trip.routeRevision
    }
}
