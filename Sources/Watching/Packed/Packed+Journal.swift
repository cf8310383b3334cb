import Geometry
import Tracking

// A vehicle's stops and drives, each writer beside its reader.
extension PackedWriter {
    mutating func write(_ journal: Journal) {
        switch journal.state {
        case .unknown: write(UInt8(0))
        case .moving(let moving):
            write(UInt8(1))
            write(list: moving.trail.prints) { $0.write($1) }
            write(moving.course) { writer, course in
                writer.write(course.beganAt)
                writer.write(course.start)
                writer.write(course.way)
            }
        case .standing(let standing):
            write(UInt8(2))
            write(standing)
        }
        write(journal.odometer)
    }

    private mutating func write(_ standing: Standing) {
        let start = standing.beginning.start
        write(start.since)
        write(start.place)
        write(start.waypointIndex) { $0.write($1) }
        write(start.isPlanned)
        write(standing.beginning.location)
        write(standing.last.time)
        write(standing.last.coordinate)
        write(standing.idle)
        write(standing.stray) { $0.write($1) }
    }

    private mutating func write(_ print: Footprint) {
        write(print.time)
        write(print.coordinate)
        write(print.leg)
        write(print.accuracy.bitPattern)
    }

    private mutating func write(_ leg: Leg) {
        write(leg.distance)
        write(leg.idle)
        write(leg.topSpeed)
        write(leg.fixes)
    }
}

extension PackedReader {
    mutating func journal() throws(SnapshotError) -> Journal {
        let state: Journal.State
        switch try byte() {
        case 0: state = .unknown
        case 1: state = .moving(try moving())
        case 2: state = .standing(try standing())
        default: throw broken("unknown state of a journal")
        }
        return Journal(state: state, odometer: try double())
    }

    private mutating func moving() throws(SnapshotError) -> Moving {
        let prints = try list { reader throws(SnapshotError) in try reader.footprint() }
        guard !prints.isEmpty else { throw broken("a trail without a footprint") }
        let course = try optional { reader throws(SnapshotError) in
            Moving.Course(
                beganAt: try reader.time(), start: try reader.coordinate(), way: try reader.leg())
        }
        return Moving(trail: Trail(prints), course: course)
    }

    private mutating func standing() throws(SnapshotError) -> Standing {
        let start = StopStart(
            since: try time(), place: try label(),
            waypointIndex: try optional { reader throws(SnapshotError) in try reader.int() },
            isPlanned: try optionalFlag())
        return Standing(
            beginning: Standing.Beginning(start: start, location: try coordinate()),
            last: Standing.Spot(time: try time(), coordinate: try coordinate()),
            idle: try optionalDouble(),
            stray: try optional { reader throws(SnapshotError) in try reader.footprint() })
    }

    private mutating func footprint() throws(SnapshotError) -> Footprint {
        Footprint(
            time: try time(), coordinate: try coordinate(), leg: try leg(),
            accuracy: Float(bitPattern: try integer(UInt32.self)))
    }

    private mutating func leg() throws(SnapshotError) -> Leg {
        Leg(
            distance: try double(), idle: try optionalDouble(), topSpeed: try optionalDouble(),
            fixes: try integer(UInt32.self))
    }
}
