import Store

/// The formats that positions are exported in.
enum TrackFormat: String, CaseIterable {
    case gpx, geojson, csv, kml, nmea, jsonl

    /// The names to choose from, for a person.
    static let choice =
        allCases.dropLast().map(\.rawValue).joined(separator: ", ")
        + " or " + (allCases.last?.rawValue ?? "")

    /// Returns a writer.
    func writer(for subject: ExportSubject) -> any TrackWriter {
        switch self {
        case .gpx: GPXTrackWriter(subject)
        case .geojson: GeoJSONTrackWriter(subject)
        case .csv: CSVTrackWriter()
        case .kml: KMLTrackWriter(subject)
        case .nmea: NMEATrackWriter()
        case .jsonl: JSONLinesTrackWriter()
        }
    }
}

/// What an export is of: what the file's head tells.
struct ExportSubject {
    /// What the file is called.
    var name: String
    /// What else there is to say of it.
    var description: String
    /// The trip, where it is one.
    var trip: ExportedTrip?
}

/// Writes positions, one after the other, as lines of a file.
///
/// They come as tracks, one a vehicle and visit, and those as segments, between which there is a gap.
protocol TrackWriter {
    /// What comes before the positions.
    var head: [String] { get }

    /// Begins the track of a vehicle, with its first segment.
    mutating func begin(_ vehicleID: String) -> [String]

    /// Adds the next position.
    mutating func add(_ position: PositionRow) -> [String]

    /// Ends a segment and begins another.
    mutating func skip() -> [String]

    /// Ends a track.
    mutating func end() -> [String]

    /// What comes after the positions.
    var tail: [String] { get }
}

extension TrackWriter {
    var head: [String] { [] }
    mutating func begin(_ vehicleID: String) -> [String] { [] }
    mutating func skip() -> [String] { [] }
    mutating func end() -> [String] { [] }
    var tail: [String] { [] }
}
