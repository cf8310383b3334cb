import Geometry
import Markup
import Tracking

/// A place that a file marks.
struct NamedPlace: Equatable {
    /// What the file calls it.
    var name: String?
    /// Where it is.
    var coordinate: Coordinate
    /// Which point of its planned route it is, from 0; `nil` where it stands beside the line.
    var vertex: Int?
}

/// Takes the tracks, routes and waypoints of a GPX file as its elements come.
struct GPXFile {
    /// A piece of a track or a route.
    private struct Segment {
        var name: String?
        var isRecorded: Bool
        var points: [TrackPoint]
    }

    /// The places that have a name, of waypoints and of routes.
    private(set) var places: [NamedPlace] = []
    /// What is wrong in the file; `nil` where nothing is.
    private(set) var fault: RouteFileError?
    private var segments: [Segment] = []
    private var name: String?
    private var points: [TrackPoint] = []
    /// The point that is open, with its name.
    private var point: TrackPoint?
    private var pointName: String?
    private var text = ""

    /// The tracks and routes, segment by segment.
    var lines: [NamedLine] {
        segments.map { NamedLine(name: $0.name, coordinates: $0.points.map(\.fix.coordinate)) }
    }

    /// The positions of all tracks in turn, or those of routes where there is no track.
    var recordedPoints: [TrackPoint] {
        let recorded = segments.filter(\.isRecorded)
        return (recorded.isEmpty ? segments : recorded).flatMap(\.points)
    }

    /// Takes what comes next.
    mutating func take(_ event: XMLEvent) {
        switch event {
        case .open(let name, let attributes): open(name, attributes)
        case .text(let text): self.text += text
        case .close(let name): close(name)
        }
    }

    private mutating func open(_ name: String, _ attributes: [String: String]) {
        text = ""
        switch name {
        case "trk", "rte": self.name = nil
        case "trkpt", "rtept", "wpt":
            pointName = nil
            guard let latitude = attributes["lat"].flatMap(decimal),
                let longitude = attributes["lon"].flatMap(decimal)
            else {
                fault = fault ?? RouteFileError("a \(name) of its GPX has no lat and lon")
                return
            }
            let place = Coordinate(latitude: latitude, longitude: longitude)
            point = TrackPoint(
                time: nil, fix: Fix(time: Timestamp(microseconds: 0), coordinate: place))
        default: break
        }
    }

    private mutating func close(_ name: String) {
        switch name {
        case "trkpt", "rtept", "wpt": endPoint(of: name)
        case "trkseg", "rte": endSegment(isRecorded: name == "trkseg")
        case "name":
            let name = trimmedText.isEmpty ? nil : String(trimmedText)
            if point == nil { self.name = name } else { pointName = name }
        default:
            if point != nil { describe(name) }
        }
        text = ""
    }

    private mutating func endPoint(of kind: String) {
        guard let point else { return }
        self.point = nil
        if kind != "wpt" { points.append(point) }
        if kind == "wpt" || (kind == "rtept" && pointName != nil) {
            places.append(
                NamedPlace(
                    name: pointName, coordinate: point.fix.coordinate,
                    vertex: kind == "rtept" ? points.count - 1 : nil))
        }
    }

    private mutating func endSegment(isRecorded: Bool) {
        if !points.isEmpty {
            segments.append(Segment(name: name, isRecorded: isRecorded, points: points))
        }
        points = []
    }

    /// Takes what an element inside of a point says.
    private mutating func describe(_ name: String) {
        let text = trimmedText
        switch name {
        case "time":
            point?.time = Timestamp(written: text)
            guard point?.time == nil else { return }
            fault = fault ?? RouteFileError("a point of its GPX has no such time: '\(text)'")
        case "speed": point?.fix.speed = decimal(text).flatMap { $0 >= 0 ? $0 : nil }
        case "course":
            point?.fix.course = decimal(text).flatMap { (0..<360).contains($0) ? $0 : nil }
        case "accuracy": point?.fix.accuracy = decimal(text)
        case "level": point?.fix.level = Level(written: text)
        default: break
        }
    }

    private var trimmedText: Substring { text.trimmedBlanks }
}

extension String {
    /// The text without blanks at its ends.
    var trimmedBlanks: Substring {
        let start = drop(while: \.isWhitespace)
        let end = start.lastIndex { !$0.isWhitespace }.map { start.index(after: $0) }
        return start[..<(end ?? start.startIndex)]
    }
}

extension Level {
    /// Reads a floor as a file tells it; `nil` where that is nothing.
    init?(written text: Substring) {
        guard !text.isEmpty else { return nil }
        self = decimal(text).map(Level.number) ?? .text(String(text))
    }
}
