import Geometry
import Tracking

/// A vehicle that drives, or of which it is not known yet whether it does.
struct Moving: Equatable, Sendable {
    /// A drive, as far as it is certain.
    struct Course: Equatable, Sendable {
        /// When it began.
        var beganAt: Timestamp
        /// Where it began.
        var start: Coordinate
        /// The way up to the trail's first footprint.
        var way: Leg
    }

    /// Where the next stop may have begun.
    private(set) var trail: Trail
    /// `nil` while the vehicle has not left the first footprint of all.
    private(set) var course: Course?

    /// Begins with a first fix.
    init(_ print: Footprint) { trail = Trail([print]) }

    /// Drives off from a stop.
    ///
    /// - Parameters:
    ///   - last: The last fix at the stop.
    ///   - prints: What came after it.
    init(from last: Standing.Spot, over prints: [Footprint], _ radius: Double) {
        trail = Trail(prints)
        course = Course(beganAt: last.time, start: last.coordinate, way: prints[0].leg)
        if let way = trail.dropLeft(radius: radius) { course?.way += way }
    }

    init(trail: Trail, course: Course?) {
        self.trail = trail
        self.course = course
    }

    /// Metres of the drive that can no longer be part of a stop.
    var settledDistance: Double { course?.way.distance ?? 0 }

    /// When the clock would find the vehicle standing: having stayed where it is for long enough, or silent for too
    /// long.
    func deadline(_ settings: WatchSettings) -> Timestamp {
        let rest = trail.prints[trail.rest(radius: settings.stopRadius)].time
        // Longer than the greatest gap, not just as long.
        let silent = trail.last.time.advanced(by: settings.silenceGap + 1e-6)
        return min(rest.advanced(by: settings.stopDuration), silent)
    }

    /// Adds a footprint; returns whether it shows that the vehicle drives, where that was not known: rule J2.
    mutating func add(_ print: Footprint, radius: Double) -> Bool {
        trail.append(print)
        if course != nil {
            if let way = trail.dropLeft(radius: radius) { course?.way += way }
            return false
        }
        guard trail.hasDeparted(radius: radius) else { return false }
        let first = trail.first
        course = Course(beganAt: first.time, start: first.coordinate, way: trail.drop(1))
        if let way = trail.dropLeft(radius: radius) { course?.way += way }
        return true
    }

    /// The drive's row as it stands; `nil` where there is none.
    var row: Drive? {
        course.map {
            row($0, way: $0.way + trail.way(from: 0, to: trail.prints.count - 1))
        }
    }

    /// The row of the drive that led to a footprint, complete; `nil` where that is the first of all.
    func row(to index: Int) -> Drive? {
        let way = trail.way(from: 0, to: index)
        let end = trail.prints[index]
        var row: Drive
        if let course {
            row = self.row(course, way: course.way + way)
        } else if index > 0 {
            let start = Course(
                beganAt: trail.first.time, start: trail.first.coordinate, way: Leg.none)
            row = self.row(start, way: way)
        } else {
            return nil
        }
        row.endedAt = end.time
        row.end = end.coordinate
        return row
    }

    private func row(_ course: Course, way: Leg) -> Drive {
        Drive(
            beganAt: course.beganAt, distance: way.distance, topSpeed: way.topSpeed,
            isEstimated: false, start: course.start, fixes: Int(way.fixes) + 1)
    }
}
