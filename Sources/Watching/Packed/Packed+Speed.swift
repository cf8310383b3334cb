import Geometry
import Tracking

// A vehicle's speed, each writer beside its reader.
extension PackedWriter {
    mutating func write(_ watch: SpeedWatch) {
        switch watch.state {
        case .lawful: write(UInt8(0))
        case .counting(let excess):
            write(UInt8(1))
            write(excess)
        case .speeding(let start, let excess):
            write(UInt8(2))
            write(start)
            write(excess)
        }
        write(list: watch.spots.spots) { $0.write($1) }
        write(watch.limit)
        write(watch.lastBeginning)
    }

    private mutating func write(_ start: SpeedingStart) {
        write(start.speed)
        write(start.basis.rawValue)
        write(start.limit)
        write(start.limitFrom.rawValue)
        write(start.place)
        write(start.since)
    }

    private mutating func write(_ excess: Excess) {
        write(excess.since)
        write(excess.limit)
        write(excess.until)
        write(excess.distance)
        write(excess.wayOn)
        write(excess.topSpeed)
        write(excess.topExcess)
        write(excess.topLocation)
    }

    private mutating func write(_ limit: SpeedLimit) {
        write(limit.value)
        write(limit.source.rawValue)
        write(limit.place)
    }

    private mutating func write(_ spot: SpeedSpot) {
        write(spot.time)
        write(spot.coordinate)
        write(spot.accuracy)
        write(spot.match) { $0.write($1) }
        write(spot.limit) { $0.write($1) }
    }
}

extension PackedReader {
    mutating func speedWatch() throws(SnapshotError) -> SpeedWatch {
        let state: SpeedWatch.State
        switch try byte() {
        case 0: state = .lawful
        case 1: state = .counting(try excess())
        case 2: state = .speeding(try speedingStart(), try excess())
        default: throw broken("unknown state of a speed")
        }
        let spots = try list { reader throws(SnapshotError) in try reader.speedSpot() }
        return SpeedWatch(
            state: state, spots: SpeedSpots(spots), limit: try optionalDouble(),
            lastBeginning: try optionalTime())
    }

    private mutating func speedingStart() throws(SnapshotError) -> SpeedingStart {
        SpeedingStart(
            speed: try double(), basis: try raw(SpeedBasis.self), limit: try double(),
            limitFrom: try raw(LimitSource.self), place: try label(), since: try time())
    }

    private mutating func excess() throws(SnapshotError) -> Excess {
        Excess(
            since: try time(), limit: try speedLimit(), until: try time(),
            distance: try double(), wayOn: try double(), topSpeed: try double(),
            topExcess: try double(), topLocation: try coordinate())
    }

    private mutating func speedLimit() throws(SnapshotError) -> SpeedLimit {
        SpeedLimit(value: try double(), source: try raw(LimitSource.self), place: try label())
    }

    private mutating func speedSpot() throws(SnapshotError) -> SpeedSpot {
        SpeedSpot(
            time: try time(), coordinate: try coordinate(), accuracy: try double(),
            match: try optional { reader throws(SnapshotError) in try reader.match() },
            limit: try optional { reader throws(SnapshotError) in try reader.speedLimit() })
    }
}
