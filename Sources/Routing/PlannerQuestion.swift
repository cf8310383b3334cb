package import Geometry
package import Tracking

/// A trip's request for a route.
package struct PlannerQuestion: Equatable, Sendable {
    /// The vehicle that asks; it has one question at a time, as it has one trip.
    package var vehicleID: String
    /// The trip that asks.
    package var tripID: String
    /// What it asks.
    package var request: RouteRequest
    /// When silence becomes a failure, in seconds from the asking; `nil` for the settings' time.
    package var timeout: Double?

    /// Creates a question.
    package init(
        vehicleID: String, tripID: String, request: RouteRequest, timeout: Double? = nil
    ) {
        self.vehicleID = vehicleID
        self.tripID = tripID
        self.request = request
        self.timeout = timeout
    }
}

/// What became of a question.
package struct PlannerAnswer: Sendable {
    /// The vehicle that asked.
    package var vehicleID: String
    /// The trip that asked.
    package var tripID: String
    /// The number of its request.
    package var number: Int
    /// The route, or why there is none.
    package var result: Result<PlannedRoute, PlannerError>
    /// Seconds from the first request sent to the answer, without the wait for a turn; 0 when
    /// nothing was sent.
    package var latency: Double
    /// How many answers of the engine it took to find a way around closed roads; 0 where none came.
    package var rounds: Int
    /// Whether the route drives on closed roads that it was to avoid.
    package var isBlocked: Bool

    /// Creates an answer.
    package init(
        vehicleID: String, tripID: String, number: Int,
        result: Result<PlannedRoute, PlannerError>, latency: Double, rounds: Int = 0,
        isBlocked: Bool = false
    ) {
        self.vehicleID = vehicleID
        self.tripID = tripID
        self.number = number
        self.result = result
        self.latency = latency
        self.rounds = rounds
        self.isBlocked = isBlocked
    }
}

/// A planner's answer, checked.
package struct PlannedRoute: Equatable, Sendable {
    /// The route from the vehicle over the via points to the destination.
    package var route: ProvidedRoute
    /// The road path from the last point on the old route to the vehicle; empty when it was not
    /// asked for or not found.
    package var deviationPath: [Coordinate]

    /// Creates an answer.
    package init(route: ProvidedRoute, deviationPath: [Coordinate] = []) {
        self.route = route
        self.deviationPath = deviationPath
    }
}
