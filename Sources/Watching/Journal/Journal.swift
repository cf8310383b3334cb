import Geometry
import Tracking

/// Tells when a vehicle stands and when it drives: rules J1 to J4.
///
/// A vehicle does one or the other: from its first usable fix on, its stops and drives follow each other without a
/// gap.
struct Journal: Equatable, Sendable {
    /// What the vehicle does.
    enum State: Equatable, Sendable {
        /// It was never heard of; the first fix leads to `moving`.
        case unknown
        /// It drives, or it is not known yet whether it does; staying leads to `standing`.
        case moving(Moving)
        /// Fixes farther away lead to `moving`.
        case standing(Standing)
    }

    private(set) var state = State.unknown
    /// Metres driven, for ever; the newest are added when they can no longer be part of a stop.
    private(set) var odometer = 0.0

    init() {}

    init(state: State, odometer: Double) {
        self.state = state
        self.odometer = odometer
    }

    /// Since when the vehicle stands; `nil` while it drives or nothing is known.
    var stoppedSince: Timestamp? {
        guard case .standing(let standing) = state else { return nil }
        return standing.beginning.start.since
    }

    /// When the clock would find the vehicle standing, in the vehicle's own time; `nil` where it does already.
    func deadline(_ settings: WatchSettings) -> Timestamp? {
        guard case .moving(let moving) = state else { return nil }
        return moving.deadline(settings)
    }

    /// Judges a usable fix.
    ///
    /// - Parameters:
    ///   - speed: As reported, where that can be believed; `nil` otherwise.
    ///   - scene: What is around the vehicle.
    mutating func judge(
        _ step: Step, speed: Double?, settings: WatchSettings, scene: StopScene
    ) -> [JournalChange] {
        let print = Footprint(step, speed: speed)
        let isSilent = (step.gap ?? 0) > settings.silenceGap
        // Where the clock has not spoken, the fix after a silence finds the stop that came before it.
        var changes = isSilent ? look(at: print.time, settings: settings, scene: scene) : []
        switch state {
        case .unknown:
            state = .moving(Moving(print))
        case .moving(var moving):
            // The state lets go of its footprints, so that adding one copies none.
            state = .unknown
            drive(&moving, print, settings, scene, &changes)
        case .standing(var standing):
            state = .unknown
            stand(&standing, print, after: isSilent, settings, &changes)
        }
        return changes
    }

    /// Takes a vehicle that is silent to stay where it was.
    ///
    /// - Parameter now: The vehicle's own time.
    mutating func look(
        at now: Timestamp, settings: WatchSettings, scene: StopScene
    ) -> [JournalChange] {
        guard case .moving(let moving) = state, now >= moving.deadline(settings) else { return [] }
        let prints = moving.trail.prints
        let rest = moving.trail.rest(radius: settings.stopRadius)
        let hasRested = now.elapsed(since: prints[rest].time) >= settings.stopDuration
        var changes: [JournalChange] = []
        stop(moving, at: hasRested ? rest : prints.count - 1, settings, scene, &changes)
        return changes
    }

    /// A vehicle that was not known to stand is heard of.
    private mutating func drive(
        _ moving: inout Moving, _ print: Footprint, _ settings: WatchSettings,
        _ scene: StopScene, _ changes: inout [JournalChange]
    ) {
        let settled = moving.settledDistance
        let departs = moving.add(print, radius: settings.stopRadius)
        odometer += moving.settledDistance - settled
        if departs, let row = moving.row { changes.append(.driveBegan(row)) }
        let trail = moving.trail
        // Where even the first footprint is not old enough, no later one is.
        guard print.time.elapsed(since: trail.first.time) >= settings.stopDuration else {
            state = .moving(moving)
            return
        }
        let rest = trail.rest(radius: settings.stopRadius)
        if print.time.elapsed(since: trail.prints[rest].time) >= settings.stopDuration {
            stop(moving, at: rest, settings, scene, &changes)
        } else {
            state = .moving(moving)
        }
    }

    /// A vehicle turns out to have stopped at one of its footprints: its drive ends there.
    private mutating func stop(
        _ moving: Moving, at index: Int, _ settings: WatchSettings,
        _ scene: StopScene, _ changes: inout [JournalChange]
    ) {
        if let row = moving.row(to: index) {
            odometer += row.distance - moving.settledDistance
            changes.append(moving.course == nil ? .drove(row) : .driveEnded(row))
        }
        let prints = moving.trail.prints[index...]
        let location = prints[index].coordinate
        let standing = Standing(
            at: prints, radius: settings.stopRadius, facts: scene.facts(at: location))
        changes.append(.stopBegan(Stop(start: standing.beginning.start, location: location)))
        state = .standing(standing)
    }

    /// A vehicle that stands is heard of.
    private mutating func stand(
        _ standing: inout Standing, _ print: Footprint, after isSilent: Bool,
        _ settings: WatchSettings, _ changes: inout [JournalChange]
    ) {
        let departure = standing.add(print, isAlone: isSilent, radius: settings.stopRadius)
        guard let departure else {
            state = .standing(standing)
            return
        }
        if case .stopBegan = changes.last, standing.end.duration == 0 {
            // The silence was no stop after all, and nobody has been told of one.
            changes.removeLast()
        } else {
            changes.append(.stopEnded(standing.end))
        }
        if isSilent {
            changes.append(.drove(estimate(from: standing.last, over: departure)))
            state = .moving(Moving(print))
        } else {
            let moving = Moving(from: standing.last, over: departure, settings.stopRadius)
            odometer += moving.settledDistance
            if let row = moving.row { changes.append(.driveBegan(row)) }
            state = .moving(moving)
        }
    }

    /// The drive that nobody saw: it joins where the vehicle was last heard of with where it is now.
    private mutating func estimate(from last: Standing.Spot, over prints: [Footprint]) -> Drive {
        let way = prints.reduce(Leg.none) { $0 + $1.leg }
        let end = prints[prints.count - 1]
        odometer += way.distance
        return Drive(
            beganAt: last.time, endedAt: end.time, distance: way.distance, isEstimated: true,
            start: last.coordinate, end: end.coordinate, fixes: Int(way.fixes) + 1)
    }
}
