import Geometry
import Store
import Telemetry
import Tracking

/// Writes a trip as GPX 1.1: via points as waypoints, the route in force, and the positions as a track with
/// Garmin's extension for speed and course.
struct GPXTripWriter: TripWriter {
    private let trip: ExportedTrip

    init(_ trip: ExportedTrip) {
        self.trip = trip
    }

    var head: [String] {
        let start = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<gpx version="1.1" creator="waygate" xmlns="http://www.topografix.com/GPX/1/1""#
                + #" xmlns:tp="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">"#,
            "<metadata><name>\(trip.tripID.escaped)</name>"
                + "<desc>\(trip.vehicleID.escaped)</desc>"
                + "<time>\(Timestamp(microseconds: trip.assignedAt).iso8601)</time></metadata>",
        ]
        return start + trip.waypoints.map(Self.waypoint) + route + [
            "<trk><name>\(trip.tripID.escaped)</name><trkseg>"
        ]
    }

    let tail = ["</trkseg></trk>", "</gpx>"]

    func lines(of position: PositionRow) -> [String] {
        var line = Self.open("trkpt", position.latitude, position.longitude)
        if let altitude = position.altitude { line += "<ele>\(altitude.shortest)</ele>" }
        line += "<time>\(Timestamp(microseconds: position.fixTime).iso8601)</time>"
        let speed = position.speed.map { "<tp:speed>\($0.shortest)</tp:speed>" } ?? ""
        let course = position.course.map { "<tp:course>\($0.shortest)</tp:course>" } ?? ""
        if !speed.isEmpty || !course.isEmpty {
            line += "<extensions><tp:TrackPointExtension>\(speed)\(course)"
            line += "</tp:TrackPointExtension></extensions>"
        }
        return [line + "</trkpt>"]
    }

    private static func waypoint(_ waypoint: WaypointRow) -> String {
        let name = waypoint.name ?? "\(waypoint.index)"
        return open("wpt", waypoint.latitude, waypoint.longitude)
            + "<name>\(name.escaped)</name><desc>\(waypoint.status.escaped)</desc></wpt>"
    }

    private var route: [String] {
        let lines = (trip.route.map { try? GeoJSONLines.read($0) } ?? nil) ?? []
        return lines.flatMap { line in
            ["<rte>"]
                + line.coordinates.map {
                    Self.open("rtept", $0.latitude, $0.longitude) + "</rtept>"
                } + ["</rte>"]
        }
    }

    private static func open(_ name: String, _ latitude: Double, _ longitude: Double) -> String {
        #"<\#(name) lat="\#(latitude.shortest)" lon="\#(longitude.shortest)">"#
    }
}

extension String {
    /// The text as it stands between XML tags; control characters, which XML has no way to write, are left out.
    fileprivate var escaped: String {
        var escaped = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": break
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
