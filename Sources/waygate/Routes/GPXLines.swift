import Geometry
import Tracking

/// Reads the tracks and routes of a GPX file, segment by segment.
///
/// A scan for the tags that matter, not an XML parser: GPX has no place where `<trkpt` could stand
/// for something else, but in a comment or CDATA section, which are skipped.
enum GPXLines {
    static func read(_ text: String) throws(RouteFileError) -> [NamedLine] {
        try segments(text).map { segment in
            NamedLine(name: segment.name, coordinates: segment.points.map(\.fix.coordinate))
        }
    }

    /// Returns the recorded positions of all tracks in turn, or those of planned routes where there is no track.
    static func points(_ text: String) throws(RouteFileError) -> [TrackPoint] {
        let segments = try segments(text)
        let recorded = segments.filter(\.isRecorded)
        return (recorded.isEmpty ? segments : recorded).flatMap(\.points)
    }

    /// A piece of a track or a route.
    private struct Segment {
        var name: String?
        var isRecorded: Bool
        var points: [TrackPoint]
    }

    private static func segments(_ text: String) throws(RouteFileError) -> [Segment] {
        var scan = Scan()
        var rest = Substring(text)
        while let start = rest.firstIndex(of: "<") {
            rest = rest[start...]
            guard let tag = takeTag(&rest) else {
                throw RouteFileError("a tag of its GPX has no end")
            }
            try scan.take(tag, before: rest)
        }
        guard scan.isGPX else { throw RouteFileError("it is XML, but not GPX") }
        return scan.segments
    }

    /// Removes the tag, comment or section that `text` begins with, and returns a tag's inside.
    private static func takeTag(_ text: inout Substring) -> Substring? {
        let ends = [("<!--", "-->"), ("<![CDATA[", "]]>")]
        if let (_, end) = ends.first(where: { text.hasPrefix($0.0) }) {
            guard let range = text.firstRange(of: end) else { return nil }
            text = text[range.upperBound...]
            return ""
        }
        guard let end = text.firstIndex(of: ">") else { return nil }
        let tag = text[text.index(after: text.startIndex)..<end]
        text = text[text.index(after: end)...]
        return tag
    }

    private struct Scan {
        var isGPX = false
        var segments: [Segment] = []
        private var name: String?
        private var points: [TrackPoint] = []
        private var isInPoint = false

        mutating func take(_ tag: Substring, before text: Substring) throws(RouteFileError) {
            let written = tag.prefix { !$0.isWhitespace }
            let local = written.split(separator: ":").last ?? ""
            let name = written.hasPrefix("/") && local != written ? "/" + local : local
            switch name {
            case "gpx": isGPX = true
            case "trkpt", "rtept":
                points.append(try Self.point(tag))
                isInPoint = !tag.hasSuffix("/")
            case "/trkpt", "/rtept": isInPoint = false
            case "time", "speed", "course", "accuracy", "level":
                if isInPoint { try take(name, of: text.prefix { $0 != "<" }) }
            case "name" where !isInPoint:
                self.name = String(text.prefix { $0 != "<" }).unescaped
            case "/trkseg", "/rte":
                if !points.isEmpty {
                    segments.append(
                        Segment(name: self.name, isRecorded: name == "/trkseg", points: points))
                }
                points = []
            case "trk", "rte": self.name = nil
            default: break
            }
        }

        /// Takes what an element inside of a point says.
        private mutating func take(
            _ name: Substring, of whole: Substring
        ) throws(RouteFileError) {
            let last = points.count - 1
            let text = whole.drop(while: \.isWhitespace).prefix { !$0.isWhitespace }
            switch name {
            case "time":
                guard let time = Timestamp(written: text) else {
                    throw RouteFileError("a point of its GPX has no such time: '\(text)'")
                }
                points[last].time = time
            case "speed":
                points[last].fix.speed = decimal(text).flatMap { $0 >= 0 ? $0 : nil }
            case "accuracy": points[last].fix.accuracy = decimal(text)
            case "level":
                let level = String(whole).unescaped
                points[last].fix.level = level.map { decimal($0).map(Level.number) ?? .text($0) }
            default:
                points[last].fix.course = decimal(text).flatMap {
                    (0..<360).contains($0) ? $0 : nil
                }
            }
        }

        private static func point(_ tag: Substring) throws(RouteFileError) -> TrackPoint {
            guard let latitude = attribute("lat", of: tag),
                let longitude = attribute("lon", of: tag)
            else { throw RouteFileError("a point of its GPX has no lat and lon: <\(tag)>") }
            return TrackPoint(
                time: nil,
                fix: Fix(
                    time: Timestamp(microseconds: 0),
                    coordinate: Coordinate(latitude: latitude, longitude: longitude)))
        }

        private static func attribute(_ name: String, of tag: Substring) -> Double? {
            for quote in ["\"", "'"] {
                guard let start = tag.firstRange(of: " \(name)=\(quote)")?.upperBound else {
                    continue
                }
                return decimal(tag[start...].prefix { String($0) != quote })
            }
            return nil
        }
    }
}

extension String {
    /// The text that XML's five entities stand in, without blanks at its ends; `nil` when nothing
    /// is left.
    fileprivate var unescaped: String? {
        let start = drop(while: \.isWhitespace)
        var text = String(start.reversed().drop { $0.isWhitespace }.reversed())
        // The ampersand comes last, for what it makes is no entity again.
        for (name, character) in [
            ("lt", "<"), ("gt", ">"), ("quot", "\""), ("apos", "'"), ("amp", "&"),
        ] {
            text.replace("&\(name);", with: character)
        }
        return text.isEmpty ? nil : text
    }
}
