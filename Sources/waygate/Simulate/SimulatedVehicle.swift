import Geometry

/// A vehicle that drives a trip as a driver would: along its route, with a stop at each via point
/// until it is told to go on, and off the route once where that is wanted.
///
/// A pure value: it is told how much time passes and what the worker says.
struct SimulatedVehicle {
    /// A via point with its place on the line that is being driven.
    struct Stop: Equatable {
        /// Its index in the assignment.
        var index: Int
        /// Metres from the line's start.
        var offset: Double
    }

    /// What the vehicle is doing.
    enum Activity: Equatable {
        /// Standing at the start, until the trip has begun.
        case parked
        /// Under way.
        case driving
        /// Standing at a via point, until it may go on.
        case stopped(index: Int)
        /// Off the route, on the way out or back.
        case straying(isReturning: Bool)
        /// At the end of the trip.
        case done
    }

    /// Where a vehicle leaves its route on purpose.
    struct Stray {
        /// Metres from the route's start.
        var offset: Double
        /// Metres that it drives away, straight, before it turns round.
        var distance: Double
        /// The turn that it takes, in degrees.
        var turn: Double
    }

    /// What the vehicle is doing.
    private(set) var activity = Activity.parked
    /// The line that is being driven; while straying, the one away from the route.
    private(set) var motion: RouteMotion
    /// Speed while under way, in metres per second.
    private let cruise: Double
    /// The via points still ahead on the route.
    private var stops: [Stop]
    /// Via points that need no stop, or no longer.
    private var released: Set<Int> = []
    private var stray: Stray?
    /// The route that was left, at the place where it was left.
    private var left: RouteMotion?
    private var revision = 1

    /// Creates a vehicle at the start of its route.
    init(line: RouteLine, stops: [Stop], speed: Double, stray: Stray? = nil) {
        motion = RouteMotion(line)
        self.stops = stops
        cruise = speed
        self.stray = stray
    }

    /// Speed in metres per second.
    var speed: Double {
        switch activity {
        case .driving, .straying: cruise
        case .parked, .stopped, .done: 0
        }
    }

    /// The direction of travel, in degrees clockwise from north; `nil` on a line without length.
    var course: Double? {
        guard activity == .straying(isReturning: true) else { return motion.course }
        return motion.course.map { ($0 + 180).truncatingRemainder(dividingBy: 360) }
    }

    /// Lets time pass.
    mutating func advance(by seconds: Double) {
        var rest = cruise * seconds
        while rest > 0 {
            switch activity {
            case .parked, .stopped, .done: return
            case .driving: rest = drive(rest)
            case .straying(let isReturning): rest = driveAstray(rest, isReturning: isReturning)
            }
        }
    }

    /// Starts the trip.
    mutating func begin() {
        if activity == .parked { activity = .driving }
    }

    /// Needs no stop at a via point, or no longer.
    mutating func release(_ index: Int) {
        released.insert(index)
        if activity == .stopped(index: index) {
            stops.removeAll { $0.index == index }
            activity = .driving
        }
    }

    /// Ends the trip where the vehicle is.
    mutating func finish() {
        activity = .done
    }

    /// Takes a new route, from the place of the vehicle to where the route passes nearest, and
    /// along it.
    ///
    /// - Parameter viaPoints: The unvisited via points with their places.
    mutating func follow(
        _ coordinates: [Coordinate], viaPoints: [(index: Int, place: Coordinate)], revision: Int
    ) {
        guard revision > self.revision, activity != .done else { return }
        self.revision = revision
        guard let line = RouteLine([motion.coordinate] + coordinates) else { return }
        motion = RouteMotion(line)
        left = nil
        var from = 0.0
        stops = viaPoints.map { viaPoint in
            let offset = line.nearest(to: viaPoint.place, from: from).offset
            from = offset
            return Stop(index: viaPoint.index, offset: offset)
        }
        switch activity {
        case .straying: activity = .driving
        case .stopped(let index):
            // The route of a held vehicle starts where it stands; its own via point is no longer in
            // it.
            stops.insert(Stop(index: index, offset: 0), at: 0)
        case .parked, .driving, .done: break
        }
    }

    /// Drives along the route up to the next thing to do, and returns the metres that are left.
    private mutating func drive(_ metres: Double) -> Double {
        stops.removeAll { released.contains($0.index) }
        let stop = stops.first?.offset ?? .infinity
        let turnOff = stray?.offset ?? .infinity
        let target = min(stop, turnOff, motion.line.length)
        let way = max(0, target - motion.offset)
        guard metres >= way else {
            motion.advance(by: metres)
            return 0
        }
        motion.move(to: target)
        if target == turnOff, let stray {
            leave(stray)
        } else if target == stop, let stop = stops.first {
            activity = .stopped(index: stop.index)
        } else {
            activity = .done
        }
        return metres - way
    }

    private mutating func leave(_ stray: Stray) {
        self.stray = nil
        let course = (motion.course ?? 0) + stray.turn
        let start = motion.coordinate
        guard
            let line = RouteLine([
                start, start.destination(course: course, distance: stray.distance),
            ])
        else { return }
        left = motion
        motion = RouteMotion(line)
        activity = .straying(isReturning: false)
    }

    /// Drives out and back, and returns the metres that are left.
    private mutating func driveAstray(_ metres: Double, isReturning: Bool) -> Double {
        let way = isReturning ? motion.offset : motion.remaining
        motion.advance(by: isReturning ? -min(metres, way) : min(metres, way))
        guard metres >= way else { return 0 }
        if !isReturning {
            activity = .straying(isReturning: true)
        } else if let route = left {
            motion = route
            left = nil
            activity = .driving
        }
        return metres - way
    }
}
