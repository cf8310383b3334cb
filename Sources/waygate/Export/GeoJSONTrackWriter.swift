import Geometry
import Store
import Telemetry
import Tracking

/// Writes a GeoJSON `FeatureCollection`, a feature a line, each with its `kind`.
///
/// `route` is the route in force, each `via_point` has its index and status, each `position` what the device
/// sent, and each `track` joins a vehicle's positions.
struct GeoJSONTrackWriter: TrackWriter {
    private let subject: ExportSubject
    private var vehicleID = ""
    private var segments: [[Coordinate]] = []
    private var tracks: [String] = []

    init(_ subject: ExportSubject) {
        self.subject = subject
    }

    var head: [String] {
        var json = JSONWriter()
        json.object { json in
            json.member("name", subject.name)
            guard let trip = subject.trip else { return }
            json.member("trip_id", trip.tripID)
            json.member("vehicle_id", trip.vehicleID)
            json.member("state", trip.state)
            json.member("assigned_at", Timestamp(microseconds: trip.assignedAt))
            json.member("ended_at", trip.endedAt.map(Timestamp.init(microseconds:)))
            json.member("route_revision", trip.routeRevision)
        }
        let route = subject.trip?.route.map { route in
            Self.feature("route") { _ in
            } geometry: { json in
                json.raw(route)
            }
        }
        let features =
            [route].compactMap(\.self) + (subject.trip?.waypoints.map(Self.feature) ?? [])
        // Every feature but the last ends with a comma; the last is the end of the file's.
        return [#"{"type":"FeatureCollection","properties":\#(json.text),"features":["#]
            + features.map { $0 + "," }
    }

    mutating func begin(_ vehicleID: String) -> [String] {
        self.vehicleID = vehicleID
        segments = [[]]
        return []
    }

    mutating func skip() -> [String] {
        segments.append([])
        return []
    }

    mutating func add(_ position: PositionRow) -> [String] {
        let coordinate = Coordinate(latitude: position.latitude, longitude: position.longitude)
        segments[segments.count - 1].append(coordinate)
        let feature = Self.feature("position") { json in
            json.member("vehicle_id", position.vehicleID)
            json.member("time", position.time.iso8601Exact)
            json.member("accuracy_m", exact: position.accuracy)
            json.member("speed_mps", exact: position.speed)
            json.member("course_deg", exact: position.course)
            json.member("altitude_m", exact: position.altitude)
            json.member("level", position.level)
            json.member("provider", position.provider)
            json.member("trip_id", position.tripID)
            json.member("tracked", position.tracked)
            json.key("attributes")
            if let attributes = position.attributes { json.raw(attributes) } else { json.null() }
        } geometry: { json in
            json.point(coordinate)
        }
        return [feature + ","]
    }

    /// Tracks come last, so that there is always something after a comma.
    mutating func end() -> [String] {
        tracks.append(
            Self.feature("track") { json in
                json.member("vehicle_id", vehicleID)
            } geometry: { json in
                // A line needs two places.
                json.lines(segments.filter { $0.count >= 2 })
            })
        return []
    }

    var tail: [String] {
        let last =
            tracks.isEmpty
            ? [
                Self.feature("track") { _ in
                } geometry: {
                    $0.null()
                }
            ] : tracks
        return last.dropLast().map { $0 + "," } + last.suffix(1) + ["]}"]
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

    /// Writes one line as a GeoJSON `LineString`, several as a `MultiLineString`, none as `null`.
    fileprivate mutating func lines(_ lines: [[Coordinate]]) {
        if lines.count < 2 {
            guard let line = lines.first else { return null() }
            return RouteEncoder.encode(lineString: line, into: &self)
        }
        object { json in
            json.member("type", "MultiLineString")
            json.key("coordinates")
            json.array { json in
                for line in lines { json.positions(line) }
            }
        }
    }
}
