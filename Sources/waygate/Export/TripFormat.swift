import Store

/// The formats that a trip is exported in.
enum TripFormat: String, CaseIterable {
    case gpx, geojson, csv

    /// Returns a writer for a trip.
    func writer(for trip: ExportedTrip) -> any TripWriter {
        switch self {
        case .gpx: GPXTripWriter(trip)
        case .geojson: GeoJSONTripWriter(trip)
        case .csv: CSVTripWriter()
        }
    }
}

/// Writes a trip with its positions, one after the other, as lines of a file.
protocol TripWriter {
    /// What comes before the positions.
    var head: [String] { get }

    /// Returns the lines of the next position.
    mutating func lines(of position: PositionRow) -> [String]

    /// What comes after the positions.
    var tail: [String] { get }
}
