import Geometry
import Store
import Telemetry
import Tracking

/// Writes KML 2.2: via points and the route as placemarks, and the positions as Google's `gx:Track`, a
/// `gx:MultiTrack` a vehicle.
///
/// A `gx:Track` has all its times before its places, so that a segment is kept until its end.
struct KMLTrackWriter: TrackWriter {
    /// What is said of each position besides its time and place, by the names of native JSON.
    private static let arrays:
        [(name: String, type: String, value: @Sendable (PositionRow) -> String?)] = [
            ("speed_mps", "double", { $0.speed?.shortest }),
            ("course_deg", "double", { $0.course?.shortest }),
            ("accuracy_m", "double", { $0.accuracy?.shortest }),
            ("level", "string", { $0.level }),
        ]

    private let subject: ExportSubject
    private var segment: [PositionRow] = []

    init(_ subject: ExportSubject) {
        self.subject = subject
    }

    var head: [String] {
        let fields = Self.arrays.map { name, type, _ in
            #"<gx:SimpleArrayField name="\#(name)" type="\#(type)"><displayName>\#(name)</displayName>"#
                + "</gx:SimpleArrayField>"
        }
        let start = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<kml xmlns="http://www.opengis.net/kml/2.2""#
                + #" xmlns:gx="http://www.google.com/kml/ext/2.2">"#,
            "<Document><name>\(subject.name.xmlEscaped)</name>"
                + "<description>\(subject.description.xmlEscaped)</description>",
            #"<Schema id="fix">"# + fields.joined() + "</Schema>",
        ]
        return start + (subject.trip?.waypoints.map(Self.waypoint) ?? []) + route
    }

    mutating func begin(_ vehicleID: String) -> [String] {
        ["<Placemark><name>\(vehicleID.xmlEscaped)</name><gx:MultiTrack>"]
    }

    mutating func add(_ position: PositionRow) -> [String] {
        segment.append(position)
        return []
    }

    mutating func skip() -> [String] { track() }

    mutating func end() -> [String] { track() + ["</gx:MultiTrack></Placemark>"] }

    let tail = ["</Document></kml>"]

    /// The segment that is complete.
    private mutating func track() -> [String] {
        defer { segment = [] }
        guard !segment.isEmpty else { return [] }
        let whens = segment.map { "<when>\($0.time.iso8601Exact)</when>" }
        let places = segment.map { "<gx:coord>\(Self.place(of: $0))</gx:coord>" }
        let arrays = Self.arrays.flatMap { name, _, value in
            let values = segment.map(value)
            guard values.contains(where: { $0 != nil }) else { return [String]() }
            return [#"<gx:SimpleArrayData name="\#(name)">"#]
                + values.map { "<gx:value>\($0?.xmlEscaped ?? "")</gx:value>" }
                + ["</gx:SimpleArrayData>"]
        }
        let data =
            arrays.isEmpty
            ? []
            : [##"<ExtendedData><SchemaData schemaUrl="#fix">"##] + arrays
                + ["</SchemaData></ExtendedData>"]
        return ["<gx:Track>"] + whens + places + data + ["</gx:Track>"]
    }

    private static func place(of position: PositionRow) -> String {
        ([position.longitude, position.latitude] + [position.altitude].compactMap(\.self))
            .map(\.decimal).joined(separator: " ")
    }

    private static func waypoint(_ waypoint: WaypointRow) -> String {
        let name = waypoint.name ?? "\(waypoint.index)"
        return "<Placemark><name>\(name.xmlEscaped)</name>"
            + "<description>\(waypoint.status.xmlEscaped)</description><Point><coordinates>"
            + "\(waypoint.longitude.decimal),\(waypoint.latitude.decimal)"
            + "</coordinates></Point></Placemark>"
    }

    private var route: [String] {
        let lines = (subject.trip?.route.map { try? GeoJSONLines.read($0) } ?? nil) ?? []
        return lines.map { line in
            let places = line.coordinates.map { "\($0.longitude.decimal),\($0.latitude.decimal)" }
            return
                "<Placemark><name>route</name><LineString><tessellate>1</tessellate><coordinates>"
                + places.joined(separator: " ") + "</coordinates></LineString></Placemark>"
        }
    }
}
