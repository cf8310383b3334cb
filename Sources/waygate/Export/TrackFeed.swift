import Geometry
import Store

/// Parts positions into tracks and segments, leaves out what a line does not need, and hands the rest to a writer.
struct TrackFeed {
    /// How an export is made of positions.
    struct Plan {
        /// A longer time between two positions begins a segment, in seconds.
        var gap = 300.0
        /// How far left-out positions may be from the line through those that stay, in metres; `nil` leaves out none.
        var tolerance: Double?
        /// Whether positions that no trip has judged are left out.
        var onlyTracked = false
    }

    private let plan: Plan
    private var writer: any TrackWriter
    private let emit: ([String]) -> Void
    private var last: PositionRow?
    /// What waits for the end of its segment.
    private var segment: [PositionRow] = []

    init(_ plan: Plan, _ writer: any TrackWriter, emit: @escaping ([String]) -> Void) {
        self.plan = plan
        self.writer = writer
        self.emit = emit
        emit(writer.head)
    }

    /// Takes the next position: those of a vehicle one after the other, in order of their times.
    mutating func add(_ position: PositionRow) {
        guard position.tracked || !plan.onlyTracked else { return }
        if let last, last.vehicleID == position.vehicleID {
            let gap = Double(position.fixTime - last.fixTime) / 1e6
            if gap > plan.gap || gap < 0 {
                flush()
                emit(writer.skip())
            }
        } else {
            closeTrack()
            emit(writer.begin(position.vehicleID))
        }
        last = position
        if plan.tolerance == nil {
            emit(writer.add(position))
        } else {
            segment.append(position)
        }
    }

    /// Ends the file.
    mutating func finish() {
        closeTrack()
        emit(writer.tail)
    }

    private mutating func closeTrack() {
        guard last != nil else { return }
        flush()
        emit(writer.end())
    }

    private mutating func flush() {
        guard let tolerance = plan.tolerance else { return }
        let coordinates = segment.map {
            Coordinate(latitude: $0.latitude, longitude: $0.longitude)
        }
        for index in LineThinning.kept(of: coordinates, tolerance: tolerance) {
            emit(writer.add(segment[index]))
        }
        segment = []
    }
}
