import Geometry
import Store
import Telemetry
import Tracking

/// Writes GPX 1.1: via points as waypoints, the route in force, and the positions as tracks.
///
/// Speed and course stand in Garmin's extension, which others read; accuracy and level, which GPX has no word for, in
/// one of our own.
struct GPXTrackWriter: TrackWriter {
    private let subject: ExportSubject

    init(_ subject: ExportSubject) {
        self.subject = subject
    }

    var head: [String] {
        let trip = subject.trip
        let time = trip.map { "<time>\(Timestamp(microseconds: $0.assignedAt).iso8601)</time>" }
        let start = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<gpx version="1.1" creator="waygate" xmlns="http://www.topografix.com/GPX/1/1""#
                + #" xmlns:tp="http://www.garmin.com/xmlschemas/TrackPointExtension/v2""#
                + #" xmlns:fix="urn:waygate:fix">"#,
            "<metadata><name>\(subject.name.xmlEscaped)</name>"
                + "<desc>\(subject.description.xmlEscaped)</desc>\(time ?? "")</metadata>",
        ]
        return start + (trip?.waypoints.map(Self.waypoint) ?? []) + route
    }

    mutating func begin(_ vehicleID: String) -> [String] {
        ["<trk><name>\(vehicleID.xmlEscaped)</name><trkseg>"]
    }

    mutating func skip() -> [String] { ["</trkseg><trkseg>"] }

    mutating func end() -> [String] { ["</trkseg></trk>"] }

    let tail = ["</gpx>"]

    mutating func add(_ position: PositionRow) -> [String] {
        var line = Self.open("trkpt", position.latitude, position.longitude)
        if let altitude = position.altitude { line += "<ele>\(altitude.shortest)</ele>" }
        line += "<time>\(position.time.iso8601Exact)</time>"
        let extensions = Self.garmin(position) + Self.own(position)
        if !extensions.isEmpty { line += "<extensions>\(extensions)</extensions>" }
        return [line + "</trkpt>"]
    }

    private static func garmin(_ position: PositionRow) -> String {
        let speed = position.speed.map { "<tp:speed>\($0.shortest)</tp:speed>" } ?? ""
        let course = position.course.map { "<tp:course>\($0.shortest)</tp:course>" } ?? ""
        guard !speed.isEmpty || !course.isEmpty else { return "" }
        return "<tp:TrackPointExtension>\(speed)\(course)</tp:TrackPointExtension>"
    }

    private static func own(_ position: PositionRow) -> String {
        let accuracy =
            position.accuracy.map { "<fix:accuracy>\($0.shortest)</fix:accuracy>" } ?? ""
        let level = position.level.map { "<fix:level>\($0.xmlEscaped)</fix:level>" } ?? ""
        return accuracy + level
    }

    private static func waypoint(_ waypoint: WaypointRow) -> String {
        let name = waypoint.name ?? "\(waypoint.index)"
        return open("wpt", waypoint.latitude, waypoint.longitude)
            + "<name>\(name.xmlEscaped)</name><desc>\(waypoint.status.xmlEscaped)</desc></wpt>"
    }

    private var route: [String] {
        let lines = (subject.trip?.route.map { try? GeoJSONLines.read($0) } ?? nil) ?? []
        return lines.flatMap { line in
            ["<rte>"]
                + line.coordinates.map {
                    Self.open("rtept", $0.latitude, $0.longitude) + "</rtept>"
                } + ["</rte>"]
        }
    }

    private static func open(_ name: String, _ latitude: Double, _ longitude: Double) -> String {
        #"<\#(name) lat="\#(latitude.decimal)" lon="\#(longitude.decimal)">"#
    }
}
