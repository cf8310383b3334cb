package import Geometry
package import Tracking

/// Writes routes as GeoJSON.
package enum RouteEncoder {
    /// Writes a route as a `LineString`.
    package static func encode(
        lineString line: some Sequence<Coordinate>, into json: inout JSONWriter
    ) {
        json.object { json in
            json.member("type", "LineString")
            json.key("coordinates")
            json.positions(line)
        }
    }

    /// Writes what the retained route topic holds: a `FeatureCollection` whose features tell their `kind`.
    ///
    /// `travelled` and `remaining` are the two parts of the line, each left out where it has no length;
    /// `connector` leads from the road's end to the exact destination where they differ; every `via_point`
    /// has its index and status, with the time when it was reached, and `destination` comes last.
    package static func encode(_ drawing: RouteDrawing, into json: inout JSONWriter) {
        json.object { json in
            json.member("type", "FeatureCollection")
            json.key("properties")
            json.object { json in
                json.member("trip_id", drawing.tripID)
                json.member("vehicle_id", drawing.vehicleID)
                json.member("route_revision", drawing.revision)
                json.member("length_m", metres: drawing.length)
            }
            json.key("features")
            json.array { json in
                json.line(drawing.travelled, kind: "travelled")
                json.line(drawing.remaining, kind: "remaining")
                if let end = drawing.coordinates.last {
                    json.line([end, drawing.destination.coordinate], kind: "connector")
                }
                for viaPoint in drawing.viaPoints { json.feature(viaPoint) }
                json.feature(drawing.destination)
            }
        }
    }
}

/// A trip's route as a map shows it.
package struct RouteDrawing: Equatable, Sendable {
    /// A via point and what became of it.
    package struct ViaPoint: Equatable, Sendable {
        /// The via point.
        package var waypoint: TripEvent.Waypoint
        /// `pending`, `reached`, `visited` or `skipped`.
        package var status: String
        /// When it was reached; `nil` while it has not been.
        package var reachedAt: Timestamp?

        /// Creates a via point.
        package init(waypoint: TripEvent.Waypoint, status: String, reachedAt: Timestamp? = nil) {
            self.waypoint = waypoint
            self.status = status
            self.reachedAt = reachedAt
        }
    }

    /// The trip.
    package var tripID: String
    /// The vehicle that drives it.
    package var vehicleID: String
    /// Number of the route; 0 before the first.
    package var revision: Int
    /// The route's length in metres; `nil` before the first route.
    package var length: Double?
    /// The route's line; empty before the first route.
    package var coordinates: [Coordinate]
    /// How many of `coordinates` lie at or before `location`.
    package var passedCount: Int
    /// Where the vehicle is on the line; `nil` before the first match.
    package var location: Coordinate?
    /// All via points, in order.
    package var viaPoints: [ViaPoint]
    /// Where the trip ends.
    package var destination: Target

    /// Creates a drawing.
    package init(
        tripID: String, vehicleID: String, revision: Int, length: Double?,
        coordinates: [Coordinate], passedCount: Int, location: Coordinate?, viaPoints: [ViaPoint],
        destination: Target
    ) {
        self.tripID = tripID
        self.vehicleID = vehicleID
        self.revision = revision
        self.length = length
        self.coordinates = coordinates
        self.passedCount = passedCount
        self.location = location
        self.viaPoints = viaPoints
        self.destination = destination
    }

    /// Creates the drawing of a trip as it stands.
    package init(_ trip: Trip) {
        let route = trip.route
        let location = trip.progress.location
        self.init(
            tripID: trip.id, vehicleID: trip.vehicleID, revision: trip.routeRevision,
            length: route?.length, coordinates: route?.coordinates ?? [],
            passedCount: location == nil
                ? 0 : route.map { $0.vertexCount(upTo: $0.travelledOffset) } ?? 0,
            location: location,
            viaPoints: trip.waypoints.map { waypoint in
                ViaPoint(
                    waypoint: TripEvent.Waypoint(index: waypoint.index, target: waypoint.target),
                    status: waypoint.status.rawValue, reachedAt: waypoint.reachedAt)
            }, destination: trip.destination)
    }

    /// The line up to the vehicle; empty before the first match.
    var travelled: [Coordinate] {
        guard let location else { return [] }
        return coordinates.prefix(passedCount) + [location]
    }

    /// The line from the vehicle on; all of it before the first match.
    var remaining: [Coordinate] {
        guard let location else { return coordinates }
        return [location] + coordinates.dropFirst(passedCount)
    }
}

extension JSONWriter {
    /// Writes a feature that is a line, unless all its points are the same.
    fileprivate mutating func line(_ line: [Coordinate], kind: String) {
        guard let first = line.first, line.contains(where: { $0 != first }) else { return }
        feature { json in
            json.member("kind", kind)
        } geometry: { json in
            json.member("type", "LineString")
            json.key("coordinates")
            json.positions(line)
        }
    }

    /// Writes a feature that is a via point.
    fileprivate mutating func feature(_ viaPoint: RouteDrawing.ViaPoint) {
        let place = viaPoint.waypoint.target
        feature { json in
            json.member("kind", "via_point")
            json.member("index", viaPoint.waypoint.index)
            json.member("status", viaPoint.status)
            if let time = viaPoint.reachedAt { json.member("reached_at", time) }
            json.member("id", place.id)
            json.member("name", place.name)
        } geometry: { json in
            json.point(place.coordinate)
        }
    }

    /// Writes a feature that is the destination.
    fileprivate mutating func feature(_ destination: Target) {
        feature { json in
            json.member("kind", "destination")
            json.member("id", destination.id)
            json.member("name", destination.name)
        } geometry: { json in
            json.point(destination.coordinate)
        }
    }

    private mutating func point(_ coordinate: Coordinate) {
        member("type", "Point")
        key("coordinates")
        position(coordinate)
    }

    private mutating func feature(
        properties: (inout JSONWriter) -> Void, geometry: (inout JSONWriter) -> Void
    ) {
        object { json in
            json.member("type", "Feature")
            json.key("properties")
            json.object(properties)
            json.key("geometry")
            json.object(geometry)
        }
    }
}
