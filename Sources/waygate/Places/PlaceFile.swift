import Geometry
import Telemetry
import Tracking
import Watching

/// Reads places out of files, whatever of the usual formats they are in.
///
/// GeoJSON, an object of ids with what is put, OwnTracks' `waypoints`, Traccar's `/api/geofences`, KML, GPX and CSV; the content tells
/// which.
enum PlaceFile {
    /// Returns the places of a file, `-` being standard input.
    ///
    /// - Parameter radius: Makes circles of points without a radius of their own, in metres; without it they have no inside.
    /// - Throws: ``CommandFailure`` that names the file and what is wrong in it.
    static func read(_ path: String, radius: Double?) throws(CommandFailure) -> [PlaceDraft] {
        let text = try TextFile.read(path)
        do throws(RouteFileError) {
            let places = try places(in: text, radius: radius)
            guard !places.isEmpty else { throw RouteFileError("it holds no place") }
            return places
        } catch {
            throw CommandFailure("\(path): \(error.message)")
        }
    }

    /// Returns what the worker would take the places of a file for.
    ///
    /// - Throws: ``CommandFailure`` that names every place that would be refused, a line each.
    static func contents(
        of places: [PlaceDraft], in file: String, _ limits: PlaceLimits
    ) throws(CommandFailure) -> [PlaceContent] {
        var contents: [PlaceContent] = []
        var faults: [String] = []
        for place in places {
            do throws(Refusal) {
                contents.append(try place.content(limits))
            } catch {
                let origin = place.origin.isEmpty ? "" : "\(place.origin), "
                faults.append(
                    "\(file): \(origin)place '\(place.id.printable)': \(error.reason.rawValue): \(error.detail)"
                )
            }
        }
        guard faults.isEmpty else { throw CommandFailure(faults.joined(separator: "\n")) }
        return contents
    }

    /// Returns the places of a text.
    static func places(
        in text: String, radius: Double?
    ) throws(RouteFileError) -> [PlaceDraft] {
        switch text.first(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }) {
        case nil: throw RouteFileError("it is empty")
        case "<": return try XMLPlaces.read(Array(text.utf8), radius: radius)
        case "{", "[": return try json(text, radius: radius)
        default: return try CSVPlaces.read(text, radius: radius)
        }
    }

    private static func json(
        _ text: String, radius: Double?
    ) throws(RouteFileError) -> [PlaceDraft] {
        try JSONFile.read(text) { root in
            if root.array != nil { return try TraccarPlaces.read(root) }
            if let kind = root["_type"]?.string {
                return try OwnTracksPlaces.read(root, kind: kind)
            }
            return try GeoJSONPlaces.read(root, radius: radius)
        }
    }

    /// The shape of a point in a file.
    static func shape(_ coordinate: Coordinate, radius: Double?) -> Area.Shape {
        radius.map { .circle(center: coordinate, radius: $0) } ?? .point(coordinate)
    }
}
