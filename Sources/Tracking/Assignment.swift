public import Geometry

/// Where a trip must pass or end at.
public struct Target: Equatable, Sendable {
    /// Where it is; not necessarily on a road.
    public var coordinate: Coordinate
    /// The sender's own key for it, repeated in events.
    public var id: String?
    /// What people call it, repeated in events.
    public var name: String?
    /// The floor it is on.
    public var level: Level? {
        get { extras?.level }
        set { extras = Extras(level: newValue, attributes: attributes) }
    }
    /// A JSON object of the sender's, as text, passed on unread.
    public var attributes: String? {
        get { extras?.attributes }
        set { extras = Extras(level: level, attributes: newValue) }
    }

    /// What few places have.
    private struct Extras: Equatable, Sendable {
        var level: Level?
        var attributes: String?

        init?(level: Level?, attributes: String?) {
            guard level != nil || attributes != nil else { return nil }
            self.level = level
            self.attributes = attributes
        }
    }

    @Seldom private var extras: Extras?

    /// Creates a target.
    public init(
        coordinate: Coordinate, id: String? = nil, name: String? = nil, level: Level? = nil,
        attributes: String? = nil
    ) {
        self.coordinate = coordinate
        self.id = id
        self.name = name
        extras = Extras(level: level, attributes: attributes)
    }
}

/// A route as a dispatcher or planner hands it over, before it is checked.
public struct ProvidedRoute: Equatable, Sendable {
    /// The line to drive, in order.
    public var coordinates: [Coordinate]
    /// Driving time of the whole, in seconds.
    public var duration: Double?
    /// Driving time of each segment, in seconds: one fewer than coordinates, or empty when unknown.
    public var segmentDurations: [Double]
    /// Speed limit of each segment, in metres per second: one fewer than coordinates, or empty; 0
    /// where unknown.
    public var speedLimits: [Double]
    /// Index into `coordinates` of the vertex at which each leg but the last ends, as a planner that was
    /// asked for the via points tells; empty when unknown.
    public var legEnds: [Int]

    /// Creates a route.
    public init(
        coordinates: [Coordinate], duration: Double? = nil, segmentDurations: [Double] = [],
        speedLimits: [Double] = [], legEnds: [Int] = []
    ) {
        self.coordinates = coordinates
        self.duration = duration
        self.segmentDurations = segmentDurations
        self.speedLimits = speedLimits
        self.legEnds = legEnds
    }
}

/// All that starts a trip: the `assign` command with its options resolved.
public struct Assignment: Equatable, Sendable {
    /// Name of the trip, 1 to 128 bytes of UTF-8, unique for its vehicle.
    public var tripID: String
    /// The vehicle that drives it.
    public var vehicleID: String
    /// When it was given; `nil` for its reception, and never later than that.
    public var givenAt: Timestamp?
    /// The route, or `nil` when a planner has to be asked for one.
    public var route: ProvidedRoute?
    /// Where to start from; `nil` for the newest position.
    public var source: Coordinate?
    /// Where the trip ends; `nil` for the end of `route`.
    public var destination: Target?
    /// The via points, in order; their places in this list are their indexes for the whole trip.
    public var viaPoints: [Target]
    /// The rules' settings for this trip, the worker's and the assignment's merged.
    public var options: TripOptions
    /// How large and heavy the vehicle is; `nil` where that is not said.
    public var vehicle: VehicleSize?

    /// Creates an assignment.
    public init(
        tripID: String, vehicleID: String, route: ProvidedRoute?, source: Coordinate? = nil,
        destination: Target? = nil, viaPoints: [Target] = [], options: TripOptions = TripOptions(),
        vehicle: VehicleSize? = nil
    ) {
        self.tripID = tripID
        self.vehicleID = vehicleID
        self.route = route
        self.source = source
        self.destination = destination
        self.viaPoints = viaPoints
        self.options = options
        self.vehicle = vehicle
    }
}
