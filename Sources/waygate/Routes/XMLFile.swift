import Markup

/// What an XML file holds that can be driven: GPX or KML, as its first element says.
enum XMLFile {
    case gpx(GPXFile)
    case kml(KMLFile)

    /// Reads a file.
    ///
    /// - Throws: ``RouteFileError`` where it is neither, not well-formed, or a point of it is none.
    init(_ bytes: [UInt8]) throws(RouteFileError) {
        var root: String?
        var gpx = GPXFile()
        var kml = KMLFile()
        do {
            try XMLReader.read(bytes) { event in
                if root == nil, case .open(let name, _) = event { root = name }
                switch root {
                case "gpx": gpx.take(event)
                case "kml": kml.take(event)
                default: break
                }
            }
        } catch {
            throw RouteFileError("line \(error.line) of its XML: \(error.message)")
        }
        if let fault = gpx.fault ?? kml.fault { throw fault }
        switch root {
        case "gpx": self = .gpx(gpx)
        case "kml": self = .kml(kml)
        default: throw RouteFileError("it is XML, but neither GPX nor KML")
        }
    }

    /// The lines to drive along, of a track recorded or a route planned.
    var lines: [NamedLine] {
        switch self {
        case .gpx(let gpx): gpx.lines
        case .kml(let kml): kml.lines
        }
    }

    /// The recorded positions; where there are none, the points of what was planned.
    var points: [TrackPoint] {
        switch self {
        case .gpx(let gpx): gpx.recordedPoints
        case .kml(let kml): kml.points
        }
    }

    /// The places that have a point of their own, in the order of the file.
    var places: [NamedPlace] {
        switch self {
        case .gpx(let gpx): gpx.places
        case .kml(let kml): kml.places
        }
    }
}
