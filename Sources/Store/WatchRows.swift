// Rows of what happened to vehicles and places outside of trips. Those that begin and end are whole in each
// state: a row is written when it begins, and again, once, when it ends.

/// The newest state of a row of `places`.
package struct PlaceRow: Equatable, Sendable {
    package var placeID: String
    package var revision: Int
    package var name: String
    package var category: String?
    package var level: String?
    package var parent: String?
    /// What was put, a JSON object as text.
    package var definition: String
    /// A GeoJSON geometry as text.
    package var area: String
    /// Its area, in square metres.
    package var squareMetres: Double
    package var putAt: Microseconds
    /// When it was deleted; `nil` while it is in force.
    package var deletedAt: Microseconds?
    /// Since when it closes roads; `nil` where it does not.
    package var closedSince: Microseconds?
    /// The spool position of the entry that it comes from; `nil` where the tables gave the row.
    package var entry: Int64?

    package init(
        placeID: String, revision: Int, name: String, category: String? = nil,
        level: String? = nil, parent: String? = nil, definition: String, area: String,
        squareMetres: Double, putAt: Microseconds, deletedAt: Microseconds? = nil,
        closedSince: Microseconds? = nil, entry: Int64? = nil
    ) {
        self.placeID = placeID
        self.revision = revision
        self.name = name
        self.category = category
        self.level = level
        self.parent = parent
        self.definition = definition
        self.area = area
        self.squareMetres = squareMetres
        self.putAt = putAt
        self.deletedAt = deletedAt
        self.closedSince = closedSince
        self.entry = entry
    }
}

/// A row of `place_commands`.
package struct PlaceCommandRow: Equatable, Sendable {
    package var placeID: String
    package var commandID: String?
    package var name: String
    package var receivedAt: Microseconds
    /// Why it was refused; `nil` when it was carried out.
    package var reason: String?
    /// The spool position of the entry that it comes from; `nil` where the tables gave the row.
    package var entry: Int64?

    package init(
        placeID: String, commandID: String?, name: String, receivedAt: Microseconds,
        reason: String?, entry: Int64? = nil
    ) {
        self.entry = entry
        self.placeID = placeID
        self.commandID = commandID
        self.name = name
        self.receivedAt = receivedAt
        self.reason = reason
    }
}

/// A row of `visits`.
package struct VisitRow: Equatable, Sendable {
    package var vehicleID: String
    package var placeID: String
    package var enteredAt: Microseconds
    /// What is known at its beginning only; `nil` where the row is completed.
    package var beginning: Beginning?
    /// `nil` while the vehicle is inside.
    package var leftAt: Microseconds?
    package var crossedOutAt: Microseconds?
    package var leftBy: String?
    package var distance: Double?
    package var topSpeed: Double?

    package struct Beginning: Equatable, Sendable {
        package var crossedInAt: Microseconds?
        package var enteredBy: String
        package var passed: Bool
        package var tripID: String?
        package var placeRevision: Int

        package init(
            crossedInAt: Microseconds? = nil, enteredBy: String, passed: Bool = false,
            tripID: String? = nil, placeRevision: Int
        ) {
            self.crossedInAt = crossedInAt
            self.enteredBy = enteredBy
            self.passed = passed
            self.tripID = tripID
            self.placeRevision = placeRevision
        }
    }

    package init(
        vehicleID: String, placeID: String, enteredAt: Microseconds, beginning: Beginning?,
        leftAt: Microseconds? = nil, crossedOutAt: Microseconds? = nil, leftBy: String? = nil,
        distance: Double? = nil, topSpeed: Double? = nil
    ) {
        self.vehicleID = vehicleID
        self.placeID = placeID
        self.enteredAt = enteredAt
        self.beginning = beginning
        self.leftAt = leftAt
        self.crossedOutAt = crossedOutAt
        self.leftBy = leftBy
        self.distance = distance
        self.topSpeed = topSpeed
    }
}

/// A row of `speedings`.
package struct SpeedingRow: Equatable, Sendable {
    package var vehicleID: String
    package var beganAt: Microseconds
    /// `nil` while the vehicle is too fast.
    package var endedAt: Microseconds?
    package var limit: Double
    package var limitFrom: String
    package var basis: String
    package var placeID: String?
    package var tripID: String?
    package var topSpeed: Double
    package var topExcess: Double
    package var distance: Double?
    package var topLatitude: Double
    package var topLongitude: Double

    package init(
        vehicleID: String, beganAt: Microseconds, endedAt: Microseconds? = nil, limit: Double,
        limitFrom: String, basis: String, placeID: String? = nil, tripID: String? = nil,
        topSpeed: Double, topExcess: Double, distance: Double? = nil, topLatitude: Double,
        topLongitude: Double
    ) {
        self.vehicleID = vehicleID
        self.beganAt = beganAt
        self.endedAt = endedAt
        self.limit = limit
        self.limitFrom = limitFrom
        self.basis = basis
        self.placeID = placeID
        self.tripID = tripID
        self.topSpeed = topSpeed
        self.topExcess = topExcess
        self.distance = distance
        self.topLatitude = topLatitude
        self.topLongitude = topLongitude
    }
}

/// A row of `stops`.
package struct StopRow: Equatable, Sendable {
    package var vehicleID: String
    package var beganAt: Microseconds
    /// What is known at its beginning only; `nil` where the row is completed.
    package var beginning: Beginning?
    /// `nil` while the vehicle stands.
    package var endedAt: Microseconds?
    /// Seconds with the ignition on; `nil` where the device never told of it.
    package var idle: Double?
    /// Whether there was no stop after all: the row goes.
    package var isWithdrawn: Bool

    package struct Beginning: Equatable, Sendable {
        package var latitude: Double
        package var longitude: Double
        package var placeID: String?
        package var waypointIndex: Int?
        package var tripID: String?
        package var planned: Bool?

        package init(
            latitude: Double, longitude: Double, placeID: String? = nil,
            waypointIndex: Int? = nil, tripID: String? = nil, planned: Bool? = nil
        ) {
            self.latitude = latitude
            self.longitude = longitude
            self.placeID = placeID
            self.waypointIndex = waypointIndex
            self.tripID = tripID
            self.planned = planned
        }
    }

    package init(
        vehicleID: String, beganAt: Microseconds, beginning: Beginning?,
        endedAt: Microseconds? = nil, idle: Double? = nil, isWithdrawn: Bool = false
    ) {
        self.vehicleID = vehicleID
        self.beganAt = beganAt
        self.beginning = beginning
        self.isWithdrawn = isWithdrawn
        self.endedAt = endedAt
        self.idle = idle
    }
}

/// A row of `drives`, whole in each state.
package struct DriveRow: Equatable, Sendable {
    package var vehicleID: String
    package var beganAt: Microseconds
    /// `nil` while the vehicle drives.
    package var endedAt: Microseconds?
    package var distance: Double
    package var topSpeed: Double?
    /// The trip at its beginning; kept when the row is completed.
    package var tripID: String?
    package var estimated: Bool
    package var startLatitude: Double
    package var startLongitude: Double
    package var endLatitude: Double?
    package var endLongitude: Double?
    package var fixes: Int

    package init(
        vehicleID: String, beganAt: Microseconds, endedAt: Microseconds? = nil, distance: Double,
        topSpeed: Double? = nil, tripID: String? = nil, estimated: Bool, startLatitude: Double,
        startLongitude: Double, endLatitude: Double? = nil, endLongitude: Double? = nil, fixes: Int
    ) {
        self.vehicleID = vehicleID
        self.beganAt = beganAt
        self.endedAt = endedAt
        self.distance = distance
        self.topSpeed = topSpeed
        self.tripID = tripID
        self.estimated = estimated
        self.startLatitude = startLatitude
        self.startLongitude = startLongitude
        self.endLatitude = endLatitude
        self.endLongitude = endLongitude
        self.fixes = fixes
    }
}
