import Geometry
import Tracking

// What is known between a vehicle and places, each writer beside its reader. Numbers hold only for one process: places are
// written by their ids.
extension PackedWriter {
    mutating func write(_ watch: PlaceWatch, _ places: PlacesInForce) {
        let known = { (number: Int32) in places[number] != nil }
        write(list: watch.presences.items.filter { known($0.number) }) { writer, presence in
            writer.write(places[presence.number]?.id ?? "")
            writer.write(presence)
        }
        write(list: watch.passedGates.filter(known)) { writer, number in
            writer.write(places[number]?.id ?? "")
        }
        write(list: watch.approaches.items.filter { known($0.number) }) { writer, item in
            writer.write(places[item.number]?.id ?? "")
            writer.write(item)
        }
        write(watch.spots) { writer, spots in
            writer.write(spots.assignedAt)
            writer.write(spots.revision)
            writer.write(list: spots.spots.filter { known($0.number) }) { writer, spot in
                writer.write(places[spot.number]?.id ?? "")
                writer.write(spot)
            }
        }
    }

    private mutating func write(_ presence: Presence) {
        write(presence.state.rawValue)
        write(presence.entryReason.rawValue)
        write(presence.exitReason.rawValue)
        write(presence.isEntryTold)
        write(presence.hasDwelled)
        write(presence.isCrossingByRoute)
        write(presence.gap.bitPattern)
        write(presence.topSpeed.bitPattern)
        write(presence.enteredAt)
        write(presence.leavingSince)
        write(presence.crossing)
        write(presence.distance)
    }

    private mutating func write(_ item: Approaches.Item) {
        write(item.isPassed)
        write(item.wasNear)
        write(item.reach)
        write(item.least)
        write(item.leastAt)
    }

    private mutating func write(_ spot: RouteSpots.Spot) {
        write(spot.offset)
        write(spot.isSeen)
        write(spot.isTold)
        write(spot.isPassed)
        write(spot.reachedAt)
    }
}

extension PackedReader {
    mutating func placeWatch(_ places: PlacesInForce) throws(SnapshotError) -> PlaceWatch {
        var watch = PlaceWatch()
        watch.presences = Presences(
            try numbered(places) { reader, number throws(SnapshotError) in
                try reader.presence(number)
            })
        watch.passedGates = try numbered(places) { _, number in number }
        watch.approaches = Approaches(
            try numbered(places) { reader, number throws(SnapshotError) in
                try reader.approach(number)
            })
        watch.spots = try optional { reader throws(SnapshotError) in
            RouteSpots(
                assignedAt: try reader.time(), revision: try reader.int(),
                // No version's: they are found again, and keep what was told of them.
                version: places.approachVersion &- 1,
                spots: try reader.numbered(places) { reader, number throws(SnapshotError) in
                    try reader.spot(number)
                })
        }
        return watch
    }

    /// Reads a list of what belongs to places, and leaves out what belongs to none that is in force.
    private mutating func numbered<Value>(
        _ places: PlacesInForce,
        _ body: (inout PackedReader, Int32) throws(SnapshotError) -> Value
    ) throws(SnapshotError) -> [Value] {
        let values = try list { reader throws(SnapshotError) -> Value? in
            let number = places.number(of: try reader.text())
            let value = try body(&reader, number ?? -1)
            return number == nil ? nil : value
        }
        return values.compactMap { $0 }
    }

    private mutating func presence(_ number: Int32) throws(SnapshotError) -> Presence {
        guard let state = Presence.State(rawValue: try byte()) else {
            throw broken("unknown state of a presence")
        }
        let entryReason = try raw(PresenceReason.self)
        let exitReason = try raw(PresenceReason.self)
        let flags = (try flag(), try flag(), try flag())
        return Presence(
            number: number, state: state, entryReason: entryReason, exitReason: exitReason,
            isEntryTold: flags.0, hasDwelled: flags.1, isCrossingByRoute: flags.2,
            gap: Float(bitPattern: try integer(UInt32.self)),
            topSpeed: Float(bitPattern: try integer(UInt32.self)), enteredAt: try time(),
            leavingSince: try optionalTime(), crossing: try optionalTime(),
            distance: try double())
    }

    private mutating func approach(_ number: Int32) throws(SnapshotError) -> Approaches.Item {
        Approaches.Item(
            number: number, isPassed: try flag(), wasNear: try flag(), reach: try double(),
            least: try double(), leastAt: try time())
    }

    private mutating func spot(_ number: Int32) throws(SnapshotError) -> RouteSpots.Spot {
        RouteSpots.Spot(
            number: number, offset: try double(), isSeen: try flag(), isTold: try flag(),
            isPassed: try flag(), reachedAt: try optionalTime())
    }
}
