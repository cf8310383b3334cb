import Geometry
import Tracking

extension PackedWriter {
    mutating func write(_ place: Whereabouts) {
        write(place.time)
        write(place.receivedAt)
        write(place.coordinate)
        write(place.accuracy)
        write(place.level)
        write(place.match) { $0.write($1) }
        write(place.ignition)
    }

    mutating func write(_ match: Whereabouts.Match) {
        write(match.offset)
        write(match.assignedAt)
        write(match.revision)
    }

    mutating func write(_ sighting: FixFilter.Sighting) {
        write(sighting.coordinate)
        write(sighting.time)
    }

    mutating func write(_ flag: Bool?) { write(flag) { $0.write($1) } }

    mutating func write(_ place: PlaceLabel?) {
        write(place) { writer, place in
            writer.write(place.id)
            writer.write(place.name)
            writer.write(place.category)
            writer.write(place.level)
            writer.write(place.revision)
        }
    }
}

extension PackedReader {
    mutating func whereabouts() throws(SnapshotError) -> Whereabouts {
        Whereabouts(
            time: try time(), receivedAt: try time(), coordinate: try coordinate(),
            accuracy: try optionalDouble(), level: try level(),
            match: try optional { reader throws(SnapshotError) in try reader.match() },
            ignition: try optionalFlag())
    }

    mutating func match() throws(SnapshotError) -> Whereabouts.Match {
        Whereabouts.Match(
            offset: try double(), assignedAt: try time(), revision: try integer(Int32.self))
    }

    mutating func optionalFlag() throws(SnapshotError) -> Bool? {
        try optional { reader throws(SnapshotError) in try reader.flag() }
    }

    mutating func label() throws(SnapshotError) -> PlaceLabel? {
        try optional { reader throws(SnapshotError) in
            PlaceLabel(
                id: try reader.text(), name: try reader.text(),
                category: try reader.optionalText(), level: try reader.level(),
                revision: try reader.int())
        }
    }
}
