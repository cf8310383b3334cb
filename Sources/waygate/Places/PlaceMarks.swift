import Geometry
import Markup

/// Takes KML's placemarks and GPX's waypoints as their elements come.
struct PlaceMarks {
    /// What has been found, in the order of the file.
    private(set) var marks: [PlaceMark] = []
    private var mark: PlaceMark?
    /// The elements that are open, from the outside.
    private var path: [String] = []
    private var text = ""
    /// The name of the datum that is open.
    private var datum: String?

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
            mark = PlaceMark(origin: "placemark \(marks.count + 1)")
            mark?.id = attributes["id"]
        case "wpt":
            mark = PlaceMark(origin: "waypoint \(marks.count + 1)")
            mark?.addPoint(attributes["lat"], attributes["lon"])
        case "Polygon": mark?.parts.append([])
        case "Data", "SimpleData": datum = attributes["name"]
        default: break
        }
    }

    private mutating func close(_ name: String) {
        path.removeLast()
        let words = self.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        text = ""
        guard mark != nil else { return }
        switch (name, path.last) {
        case ("Placemark", _), ("wpt", _):
            if let mark, !mark.isEmpty { marks.append(mark) }
            mark = nil
        case ("name", "Placemark"), ("name", "wpt"): mark?.name = words
        case ("description", "Placemark"), ("desc", "wpt"): mark?.description = words
        case ("type", "wpt"): mark?.data["category"] = words
        // Garmin's extension: the radius of a proximity alarm.
        case ("Proximity", _): mark?.data["radius_m"] = words
        case ("value", "Data"), ("SimpleData", _):
            if let datum { mark?.data[datum] = words }
        case ("coordinates", "Point"): mark?.addPoint(words)
        case ("coordinates", "LineString"): mark?.addLine(words)
        case ("coordinates", "LinearRing"):
            if path.contains("Polygon") { mark?.addRing(words) }
        default: break
        }
    }
}

/// One placemark or waypoint.
struct PlaceMark {
    /// Where in the file it stands.
    let origin: String
    var id: String?
    var name: String?
    var description: String?
    /// What it says of itself besides, by name.
    var data: [String: String] = [:]
    var points: [Coordinate] = []
    var lines: [[Coordinate]] = []
    /// Polygons with their rings.
    var parts: [[[Coordinate]]] = []
    private var fault: String?

    init(origin: String) {
        self.origin = origin
    }

    /// Whether it marks nothing: a folder's view, a picture, a track.
    var isEmpty: Bool { fault == nil && points.isEmpty && lines.isEmpty && parts.isEmpty }

    mutating func addPoint(_ latitude: String?, _ longitude: String?) {
        guard let latitude = latitude.flatMap(decimal), let longitude = longitude.flatMap(decimal)
        else {
            fault = fault ?? "has no lat and lon"
            return
        }
        points.append(Coordinate(latitude: latitude, longitude: longitude))
    }

    mutating func addPoint(_ text: String) { points += coordinates(text).prefix(1) }

    mutating func addLine(_ text: String) { lines.append(coordinates(text)) }

    mutating func addRing(_ text: String) {
        let ring = coordinates(text)
        if !parts.isEmpty { parts[parts.count - 1].append(ring) }
    }

    /// Reads `lon,lat,alt lon,lat,alt …`.
    private mutating func coordinates(_ text: String) -> [Coordinate] {
        text.split(separator: " ").compactMap { tuple in
            let parts = tuple.split(separator: ",", omittingEmptySubsequences: false)
            guard parts.count >= 2, let longitude = decimal(parts[0]),
                let latitude = decimal(parts[1])
            else {
                fault = fault ?? "has a point that is not longitude and latitude: '\(tuple)'"
                return nil
            }
            return Coordinate(latitude: latitude, longitude: longitude)
        }
    }

    /// Returns the place that it marks.
    ///
    /// - Throws: ``RouteFileError`` where it marks none, or more than one.
    func place(
        radius: Double?, _ naming: inout PlaceNaming
    ) throws(RouteFileError) -> PlaceDraft {
        let title = name.map { $0.isEmpty ? origin : "\(origin) ('\($0.printable)')" } ?? origin
        if let fault { throw RouteFileError("\(title) \(fault)") }
        var place = PlaceDraft(
            origin: title, id: try naming.id(id, name: name, at: title))
        place.set(try shape(title, radius))
        place.set("name", text: name)
        place.set("description", text: description)
        place.set("category", text: data["category"])
        return place
    }

    private func shape(_ title: String, _ radius: Double?) throws(RouteFileError) -> Area.Shape {
        switch (points.count, lines.count, parts.count) {
        case (1, 0, 0):
            return PlaceFile.shape(points[0], radius: try number("radius_m", title) ?? radius)
        case (0, 1, 0): return .line(lines[0], width: try number("width_m", title) ?? 15)
        // A point beside polygons is where its label stands.
        case (_, 0, 1...): return .polygon(parts)
        default:
            throw RouteFileError(
                "\(title) has \(points.count) points, \(lines.count) lines and \(parts.count) polygons: a place is one thing, or polygons"
            )
        }
    }

    private func number(_ name: String, _ title: String) throws(RouteFileError) -> Double? {
        guard let text = data[name], !text.isEmpty else { return nil }
        guard let number = decimal(text) else {
            throw RouteFileError("\(title): \(name) is no number: '\(text.printable)'")
        }
        return number
    }
}
