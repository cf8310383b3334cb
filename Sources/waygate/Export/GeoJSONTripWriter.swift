import Geometry
import Store
import Telemetry
import Tracking

/// Writes a trip as a GeoJSON `FeatureCollection`, a feature a line, each with its `kind`.
///
/// `route` is the route in force, each `via_point` has its index and status, each `position` what the device
/// sent, and `track` joins the positions.
struct GeoJSONTripWriter: TripWriter {
    private let trip: ExportedTrip
    private var track: [Coordinate] = []
    private var isFirst = true

    init(_ trip: ExportedTrip) {
        self.trip = trip
    }

    var head: [String] {
        var json = JSONWriter()
        json.object { json in
            json.member("trip_id", trip.tripID)
            json.member("vehicle_id", trip.vehicleID)
            json.member("state", trip.state)
            json.member("assigned_at", Timestamp(microseconds: trip.assignedAt))
            json.member("ended_at", trip.endedAt.map(Timestamp.init(microseconds:)))
            json.member("route_revision", trip.routeRevision)
        }
        let route = trip.route.map { route in
            Self.feature("route") { _ in
            } geometry: { json in
                json.raw(route)
            }
        }
        let features = [route].compactMap(\.self) + trip.waypoints.map(Self.feature)
        // Every feature but the last ends with a comma; the track, which comes last, is always there.
        return [#"{"type":"FeatureCollection","properties":\#(json.text),"features":["#]
            + features.map { $0 + "," }
    }

    mutating func lines(of position: PositionRow) -> [String] {
        let coordinate = Coordinate(latitude: position.latitude, longitude: position.longitude)
        track.append(coordinate)
        let feature = Self.feature("position") { json in
            json.member("time", Timestamp(microseconds: position.fixTime))
            json.member("accuracy_m", exact: position.accuracy)
            json.member("speed_mps", exact: position.speed)
            json.member("course_deg", exact: position.course)
            json.member("altitude_m", exact: position.altitude)
            json.member("level", position.level)
            json.member("provider", position.provider)
            json.member("tracked", position.tracked)
            json.key("attributes")
            if let attributes = position.attributes { json.raw(attributes) } else { json.null() }
        } geometry: { json in
            json.point(coordinate)
        }
        return [feature + ","]
    }

    var tail: [String] {
        let feature = Self.feature("track") { _ in
        } geometry: { json in
            // A line needs two places; a feature without a place has a null geometry.
            if track.count < 2 {
                json.null()
            } else {
                RouteEncoder.encode(lineString: track, into: &json)
            }
        }
        return [feature, "]}"]
    }

    private static func feature(_ waypoint: WaypointRow) -> String {
        feature("via_point") { json in
            json.member("index", waypoint.index)
            json.member("name", waypoint.name)
            json.member("status", waypoint.status)
            json.member("reached_at", waypoint.reachedAt.map(Timestamp.init(microseconds:)))
            json.member("resumed_at", waypoint.resumedAt.map(Timestamp.init(microseconds:)))
        } geometry: { json in
            json.point(Coordinate(latitude: waypoint.latitude, longitude: waypoint.longitude))
        }
    }

    private static func feature(
        _ kind: String, properties: (inout JSONWriter) -> Void,
        geometry: (inout JSONWriter) -> Void
    ) -> String {
        var json = JSONWriter()
        json.object { json in
            json.member("type", "Feature")
            json.key("properties")
            json.object { json in
                json.member("kind", kind)
                properties(&json)
            }
            json.key("geometry")
            geometry(&json)
        }
        return json.text
    }
}

extension JSONWriter {
    /// Writes a GeoJSON `Point` with all its digits.
    fileprivate mutating func point(_ coordinate: Coordinate) {
        object { json in
            json.member("type", "Point")
            json.key("coordinates")
            json.array { json in
                json.number(coordinate.longitude)
                json.number(coordinate.latitude)
            }
        }
    }
}
