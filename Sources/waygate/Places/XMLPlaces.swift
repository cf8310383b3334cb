import Markup

/// Reads the places of an XML file: KML or GPX, as its first element says.
enum XMLPlaces {
    static func read(
        _ bytes: [UInt8], radius: Double?
    ) throws(RouteFileError) -> [PlaceDraft] {
        var root: String?
        var marks = PlaceMarks()
        do {
            try XMLReader.read(bytes) { event in
                if root == nil, case .open(let name, _) = event { root = name }
                marks.take(event)
            }
        } catch {
            throw RouteFileError("line \(error.line) of its XML: \(error.message)")
        }
        guard root == "kml" || root == "gpx" else {
            throw RouteFileError("it is XML, but neither GPX nor KML")
        }
        var naming = PlaceNaming()
        return try marks.marks.map { mark throws(RouteFileError) in
            try mark.place(radius: radius, &naming)
        }
    }
}
