import Geometry
import Markup
import Tracking

/// Takes the tracks, lines and points of a KML file as its elements come.
struct KMLFile {
    /// The lines, each as its placemark is called.
    private(set) var lines: [NamedLine] = []
    /// The points that have a placemark.
    private(set) var places: [NamedPlace] = []
    /// What is wrong in the file; `nil` where nothing is.
    private(set) var fault: RouteFileError?
    private var recorded: [TrackPoint] = []
    /// The elements that are open, from the outside.
    private var path: [String] = []
    private var text = ""
    private var name: String?
    private var track = Track()
    /// The first of the lines, places and positions of the placemark that is open: its name may come after them.
    private var firstLine = 0
    private var firstPlace = 0

    /// A `gx:Track` that is open: its times, places and what it says of them come one after the other.
    private struct Track {
        var times: [Timestamp] = []
        var places: [Coordinate] = []
        var arrays: [String: [String]] = [:]
        var array: String?
    }

    /// The recorded positions; where there are none, the points of the lines.
    var points: [TrackPoint] {
        guard recorded.isEmpty else { return recorded }
        return lines.flatMap(\.coordinates).map {
            TrackPoint(time: nil, fix: Fix(time: Timestamp(microseconds: 0), coordinate: $0))
        }
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
        path.append(name)
        text = ""
        switch name {
        case "Placemark":
            self.name = nil
            firstLine = lines.count
            firstPlace = places.count
        case "Track": track = Track()
        case "SimpleArrayData": track.array = attributes["name"]
        default: break
        }
    }

    private mutating func close(_ name: String) {
        path.removeLast()
        let text = self.text.trimmedBlanks
        self.text = ""
        switch (name, path.last) {
        case ("name", "Placemark"): self.name = text.isEmpty ? nil : String(text)
        case ("coordinates", "LineString"): addLine(text)
        case ("coordinates", "Point"):
            if let place = coordinates(text).first {
                places.append(NamedPlace(name: nil, coordinate: place))
            }
        case ("when", "Track"): addTime(text)
        case ("coord", "Track"): track.places += place(text.split(whereSeparator: \.isWhitespace))
        case ("value", "SimpleArrayData"):
            if let array = track.array { track.arrays[array, default: []].append(String(text)) }
        case ("SimpleArrayData", _): track.array = nil
        case ("Track", _): endTrack()
        case ("Placemark", _): endPlacemark()
        default: break
        }
    }

    /// Gives all that a placemark holds its name.
    private mutating func endPlacemark() {
        for index in lines.indices.dropFirst(firstLine) { lines[index].name = name }
        for index in places.indices.dropFirst(firstPlace) { places[index].name = name }
    }

    private mutating func addLine(_ text: Substring) {
        let line = coordinates(text)
        if !line.isEmpty { lines.append(NamedLine(name: nil, coordinates: line)) }
    }

    private mutating func addTime(_ text: Substring) {
        guard let time = Timestamp(written: text) else {
            fault = fault ?? RouteFileError("a track of its KML has no such time: '\(text)'")
            return
        }
        track.times.append(time)
    }

    private mutating func endTrack() {
        guard track.times.count == track.places.count else {
            fault =
                fault
                ?? RouteFileError(
                    "a track of its KML has \(track.times.count) times and \(track.places.count) places"
                )
            return
        }
        let first = recorded.count
        for (time, place) in zip(track.times, track.places) {
            recorded.append(
                TrackPoint(time: time, fix: Fix(time: time, coordinate: place)))
        }
        for (name, values) in track.arrays where values.count == track.times.count {
            for (index, value) in values.enumerated() {
                describe(&recorded[first + index].fix, name, value[...])
            }
        }
        if !track.places.isEmpty {
            lines.append(NamedLine(name: nil, coordinates: track.places))
        }
    }

    private func describe(_ fix: inout Fix, _ name: String, _ value: Substring) {
        switch name {
        case "speed_mps": fix.speed = decimal(value).flatMap { $0 >= 0 ? $0 : nil }
        case "course_deg":
            fix.course = decimal(value).flatMap { (0..<360).contains($0) ? $0 : nil }
        case "accuracy_m": fix.accuracy = decimal(value)
        case "level": fix.level = Level(written: value)
        default: break
        }
    }

    /// Reads `lon,lat,alt lon,lat,alt …`.
    private mutating func coordinates(_ text: Substring) -> [Coordinate] {
        text.split(whereSeparator: \.isWhitespace).flatMap { tuple in
            place(tuple.split(separator: ",", omittingEmptySubsequences: false))
        }
    }

    /// Reads longitude and latitude; none, and a fault, where they are not numbers.
    private mutating func place(_ parts: [Substring]) -> [Coordinate] {
        guard parts.count >= 2, let longitude = decimal(parts[0]), let latitude = decimal(parts[1])
        else {
            fault =
                fault
                ?? RouteFileError(
                    "a point of its KML is not longitude and latitude: '\(parts.joined(separator: ","))'"
                )
            return []
        }
        return [Coordinate(latitude: latitude, longitude: longitude)]
    }
}
