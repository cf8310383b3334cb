public import Tracking

/// How a watch outlives the process: as a block of bytes, less than 1 KB but for very many places.
extension Watch {
    private static let version: UInt8 = 1

    /// What the rules remember of the vehicle.
    ///
    /// - Parameter surroundings: Their places are written by their ids.
    public func encode(in surroundings: Surroundings) -> [UInt8] {
        var writer = PackedWriter()
        writer.write(Self.version)
        writer.write(sequence)
        writer.write(newest) { $0.write($1) }
        writer.write(filter.spike) { $0.write($1) }
        writer.write(silence.isTold)
        writer.write(places, surroundings.places)
        writer.write(speed)
        writer.write(journal)
        return writer.bytes
    }

    /// Takes a watch back.
    ///
    /// What it remembers of places that are not in force any more is forgotten.
    ///
    /// - Throws: `SnapshotError` when the bytes are broken, or of a later release.
    public init(
        vehicleID: String, decoding bytes: [UInt8], in surroundings: Surroundings
    ) throws(SnapshotError) {
        self.init(vehicleID: vehicleID)
        var reader = PackedReader(bytes)
        try reader.readVersion(upTo: Self.version, of: "the watch of a vehicle")
        sequence = try reader.integer(Int64.self)
        newest = try reader.optional { reader throws(SnapshotError) in try reader.whereabouts() }
        let spike = try reader.optional { reader throws(SnapshotError) in
            FixFilter.Sighting(coordinate: try reader.coordinate(), time: try reader.time())
        }
        filter = FixFilter(spike: spike)
        silence = SilenceRule(isTold: try reader.flag())
        places = try reader.placeWatch(surroundings.places)
        speed = try reader.speedWatch()
        journal = try reader.journal()
    }
}
