/// Microseconds since 1970-01-01T00:00:00Z, as rows carry times.
package typealias Microseconds = Int64

/// What one transaction writes: all effects of the spool entries from `from` up to but not `to`.
package struct StoreBatch: Sendable {
    /// The identity of the worker's spool.
    package var spoolID: String
    /// The spool position that the tables hold before the batch; checked.
    package var from: Int64
    /// The spool position that they hold after it.
    package var to: Int64
    /// The spool position up to which everything published is acknowledged by the broker.
    package var published: Int64
    /// The worker's settings in force at `to`, opaque; `nil` when unchanged.
    package var settings: [UInt8]?

    package var positions: [PositionRow] = []
    package var vehicles: [VehicleRow] = []
    package var trips: [TripRow] = []
    package var waypoints: [WaypointRow] = []
    package var progress: [ProgressRow] = []
    package var events: [EventRow] = []
    /// Events of earlier batches that the broker has acknowledged since.
    package var acknowledged: [AcknowledgedEvent] = []
    package var commands: [CommandRow] = []
    package var rejected: [RejectedRow] = []
    package var places: [PlaceRow] = []
    package var placeCommands: [PlaceCommandRow] = []
    package var visits: [VisitRow] = []
    package var speedings: [SpeedingRow] = []
    package var stops: [StopRow] = []
    package var drives: [DriveRow] = []

    package init(spoolID: String, from: Int64, to: Int64, published: Int64) {
        self.spoolID = spoolID
        self.from = from
        self.to = to
        self.published = published
    }
}

/// A row of `positions`; a copy of a stored one (same vehicle, time and place) changes nothing.
package struct PositionRow: Equatable, Sendable {
    package var vehicleID: String
    package var fixTime: Microseconds
    package var latitude: Double
    package var longitude: Double
    package var accuracy: Double?
    package var speed: Double?
    package var course: Double?
    package var altitude: Double?
    package var level: String?
    package var provider: String?
    /// A JSON object as text.
    package var attributes: String?
    package var tripID: String?
    package var tracked: Bool
    package var receivedAt: Microseconds
    /// The spool position of the entry that it comes from; `nil` where the tables gave the row.
    package var entry: Int64?

    package init(
        vehicleID: String, fixTime: Microseconds, latitude: Double, longitude: Double,
        accuracy: Double? = nil, speed: Double? = nil, course: Double? = nil,
        altitude: Double? = nil, level: String? = nil, provider: String? = nil,
        attributes: String? = nil, tripID: String? = nil, tracked: Bool, receivedAt: Microseconds,
        entry: Int64? = nil
    ) {
        self.vehicleID = vehicleID
        self.fixTime = fixTime
        self.latitude = latitude
        self.longitude = longitude
        self.accuracy = accuracy
        self.speed = speed
        self.course = course
        self.altitude = altitude
        self.level = level
        self.provider = provider
        self.attributes = attributes
        self.tripID = tripID
        self.tracked = tracked
        self.receivedAt = receivedAt
        self.entry = entry
    }
}

/// The newest state of a row of `vehicles`.
package struct VehicleRow: Equatable, Sendable {
    package var vehicleID: String
    package var fixTime: Microseconds?
    package var latitude: Double?
    package var longitude: Double?
    package var speed: Double?
    package var course: Double?
    /// The floor as it was sent, a JSON number or text.
    package var level: String?
    /// The active trip.
    package var tripID: String?
    package var updatedAt: Microseconds
    /// The number of its newest alarm; 0 before the first.
    package var alarmSequence: Int64
    /// Metres that it ever drove.
    package var odometer: Double
    /// The watch's state packed for recovery; `nil` when it has none.
    package var packedWatch: [UInt8]?
    /// The spool position of the entry that it comes from; `nil` where the tables gave the row.
    package var entry: Int64?

    package init(
        vehicleID: String, fixTime: Microseconds? = nil, latitude: Double? = nil,
        longitude: Double? = nil, speed: Double? = nil, course: Double? = nil,
        level: String? = nil, tripID: String? = nil, updatedAt: Microseconds,
        alarmSequence: Int64 = 0, odometer: Double = 0, packedWatch: [UInt8]? = nil,
        entry: Int64? = nil
    ) {
        self.vehicleID = vehicleID
        self.fixTime = fixTime
        self.latitude = latitude
        self.longitude = longitude
        self.speed = speed
        self.course = course
        self.level = level
        self.tripID = tripID
        self.updatedAt = updatedAt
        self.alarmSequence = alarmSequence
        self.odometer = odometer
        self.packedWatch = packedWatch
        self.entry = entry
    }
}

/// The newest state of a row of `trips`.
package struct TripRow: Equatable, Sendable {
    package var tripID: String
    package var vehicleID: String
    package var state: String
    package var assignedAt: Microseconds
    package var endedAt: Microseconds?
    package var routeRevision: Int
    /// What does not change during the trip: written when the row is made, `nil` later on.
    package var assignment: AssignmentColumns?
    /// What changes with the route: `nil` when unchanged.
    package var route: RouteColumns?

    package struct AssignmentColumns: Equatable, Sendable {
        /// All options as resolved, a JSON object as text.
        package var options: String
        /// The assignment packed for recovery.
        package var packed: [UInt8]

        package init(options: String, packed: [UInt8]) {
            self.options = options
            self.packed = packed
        }
    }

    package struct RouteColumns: Equatable, Sendable {
        /// A GeoJSON LineString as text.
        package var geoJSON: String
        /// The route packed for recovery.
        package var packed: [UInt8]

        package init(geoJSON: String, packed: [UInt8]) {
            self.geoJSON = geoJSON
            self.packed = packed
        }
    }

    package init(
        tripID: String, vehicleID: String, state: String, assignedAt: Microseconds,
        endedAt: Microseconds? = nil, routeRevision: Int, assignment: AssignmentColumns? = nil,
        route: RouteColumns? = nil
    ) {
        self.tripID = tripID
        self.vehicleID = vehicleID
        self.state = state
        self.assignedAt = assignedAt
        self.endedAt = endedAt
        self.routeRevision = routeRevision
        self.assignment = assignment
        self.route = route
    }
}

/// The newest state of a row of `trip_waypoints`.
package struct WaypointRow: Equatable, Sendable {
    package var vehicleID: String
    package var tripID: String
    package var index: Int
    package var latitude: Double
    package var longitude: Double
    package var name: String?
    /// `pending`, `reached`, `visited` or `skipped`.
    package var status: String
    package var reachedAt: Microseconds?
    package var resumedAt: Microseconds?

    package init(
        vehicleID: String, tripID: String, index: Int, latitude: Double, longitude: Double,
        name: String? = nil, status: String, reachedAt: Microseconds? = nil,
        resumedAt: Microseconds? = nil
    ) {
        self.vehicleID = vehicleID
        self.tripID = tripID
        self.index = index
        self.latitude = latitude
        self.longitude = longitude
        self.name = name
        self.status = status
        self.reachedAt = reachedAt
        self.resumedAt = resumedAt
    }
}

/// The newest state of a row of `trip_progress`.
package struct ProgressRow: Equatable, Sendable {
    package var tripID: String
    package var vehicleID: String
    package var state: String
    package var fixTime: Microseconds?
    package var latitude: Double?
    package var longitude: Double?
    package var reportedLatitude: Double?
    package var reportedLongitude: Double?
    package var deviation: Double?
    package var travelledDistance: Double
    package var remainingDistance: Double?
    package var activeWaypointIndex: Int?
    package var remainingWaypoints: Int
    package var waitsAtWaypoint: Bool
    package var eta: Microseconds?
    package var routeRevision: Int
    package var updatedAt: Microseconds
    /// The trip's state packed for recovery.
    package var packed: [UInt8]

    package init(
        tripID: String, vehicleID: String, state: String, fixTime: Microseconds? = nil,
        latitude: Double? = nil, longitude: Double? = nil, reportedLatitude: Double? = nil,
        reportedLongitude: Double? = nil, deviation: Double? = nil, travelledDistance: Double = 0,
        remainingDistance: Double? = nil, activeWaypointIndex: Int? = nil,
        remainingWaypoints: Int = 0, waitsAtWaypoint: Bool = false, eta: Microseconds? = nil,
        routeRevision: Int = 0, updatedAt: Microseconds, packed: [UInt8]
    ) {
        self.tripID = tripID
        self.vehicleID = vehicleID
        self.state = state
        self.fixTime = fixTime
        self.latitude = latitude
        self.longitude = longitude
        self.reportedLatitude = reportedLatitude
        self.reportedLongitude = reportedLongitude
        self.deviation = deviation
        self.travelledDistance = travelledDistance
        self.remainingDistance = remainingDistance
        self.activeWaypointIndex = activeWaypointIndex
        self.remainingWaypoints = remainingWaypoints
        self.waitsAtWaypoint = waitsAtWaypoint
        self.eta = eta
        self.routeRevision = routeRevision
        self.updatedAt = updatedAt
        self.packed = packed
    }
}

/// Which table has the rows of what is published.
package enum EventHome: Equatable, Sendable {
    /// `trip_events`: what trips tell, and refused commands of vehicles.
    case trips
    /// `alarms`: what watches and places tell.
    case alarms
}

/// A row for something that is published with an id, and acknowledged by the broker.
package struct EventRow: Equatable, Sendable {
    package var home: EventHome
    /// A UUID in its text form.
    package var eventID: String
    package var tripID: String?
    /// `nil` for what a place tells of itself.
    package var vehicleID: String?
    /// The place that it is about, of alarms.
    package var placeID: String?
    /// `nil` for what belongs to no sequence: refused commands, and what a place tells.
    package var sequence: Int?
    package var type: String
    package var occurredAt: Microseconds
    /// The payload as published, a JSON object as text.
    package var body: String
    /// When the broker acknowledged it; `nil` while it has not.
    package var publishedAt: Microseconds?
    /// The spool position of the entry that it comes from; `nil` where the tables gave the row.
    package var entry: Int64?

    package init(
        home: EventHome = .trips, eventID: String, tripID: String?, vehicleID: String?,
        placeID: String? = nil, sequence: Int?, type: String, occurredAt: Microseconds,
        body: String, publishedAt: Microseconds? = nil, entry: Int64? = nil
    ) {
        self.home = home
        self.eventID = eventID
        self.tripID = tripID
        self.vehicleID = vehicleID
        self.placeID = placeID
        self.sequence = sequence
        self.type = type
        self.occurredAt = occurredAt
        self.body = body
        self.publishedAt = publishedAt
        self.entry = entry
    }
}

/// The broker's acknowledgement of an event whose row an earlier batch wrote.
package struct AcknowledgedEvent: Equatable, Sendable {
    package var home: EventHome
    /// `nil` for what a place tells of itself.
    package var vehicleID: String?
    package var eventID: String
    package var publishedAt: Microseconds

    package init(
        home: EventHome = .trips, vehicleID: String?, eventID: String, publishedAt: Microseconds
    ) {
        self.home = home
        self.vehicleID = vehicleID
        self.eventID = eventID
        self.publishedAt = publishedAt
    }
}

/// A row of `commands`.
package struct CommandRow: Equatable, Sendable {
    package var vehicleID: String
    package var commandID: String?
    package var name: String
    package var tripID: String?
    package var receivedAt: Microseconds
    /// Why it was refused; `nil` when it was carried out.
    package var reason: String?
    /// The spool position of the entry that it comes from; `nil` where the tables gave the row.
    package var entry: Int64?

    package init(
        vehicleID: String, commandID: String?, name: String, tripID: String?,
        receivedAt: Microseconds, reason: String?, entry: Int64? = nil
    ) {
        self.vehicleID = vehicleID
        self.commandID = commandID
        self.name = name
        self.tripID = tripID
        self.receivedAt = receivedAt
        self.reason = reason
        self.entry = entry
    }
}

/// A row of `rejected_messages`.
package struct RejectedRow: Equatable, Sendable {
    package var receivedAt: Microseconds
    package var topic: String
    /// The first 4 KiB.
    package var payload: [UInt8]
    /// The length of the whole.
    package var payloadBytes: Int
    package var reason: String
    /// Place in its batch; `nil` when the whole message was rejected.
    package var elementIndex: Int?

    package init(
        receivedAt: Microseconds, topic: String, payload: [UInt8], payloadBytes: Int,
        reason: String, elementIndex: Int? = nil
    ) {
        self.receivedAt = receivedAt
        self.topic = topic
        self.payload = payload
        self.payloadBytes = payloadBytes
        self.reason = reason
        self.elementIndex = elementIndex
    }
}
