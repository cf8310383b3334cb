import Tracking

/// When trips expire and planners have been silent for too long, in steady time: a step of the machine's clock
/// ends nothing.
///
/// A trip is looked at when its earliest deadline may have come, not at each fix: most deadlines move on
/// before they are met.
struct TripTimers {
    /// Vehicles by the second of uptime in which to look at them.
    private var looks: [Int64: [Vehicle]] = [:]
    private var earliest = Int64.max
    /// Seconds of uptime at which the trips came from the tables.
    private var begun = 0.0

    /// Notes a trip with new deadlines.
    ///
    /// - Parameters:
    ///   - now: Seconds of uptime.
    ///   - time: The time of day.
    mutating func add(_ vehicle: Vehicle, _ now: Double, at time: Timestamp) {
        guard let trip = vehicle.trip else { return }
        if vehicle.timer.tripID != trip.id {
            vehicle.timer.tripID = trip.id
            vehicle.timer.heardAt = now
        }
        let request = trip.outstandingRequest?.request.number
        if vehicle.timer.request != request {
            vehicle.timer.request = request
            vehicle.timer.askedAt = now
        }
        if vehicle.timer.deadline != trip.nextDeadline {
            vehicle.timer.deadline = trip.nextDeadline
            vehicle.timer.ringsAt =
                trip.nextDeadline.map { now + max($0.elapsed(since: time), 0) } ?? .infinity
        }
        schedule(vehicle, at: deadline(of: trip, vehicle))
    }

    /// Notes a trip as the tables and a replay gave it; its request, if one is out, is asked again.
    ///
    /// - Parameters:
    ///   - silence: Seconds for which nothing had been heard of the vehicle, as far as that is known.
    ///   - now: Seconds of uptime.
    ///   - time: The time of day.
    mutating func resume(
        _ vehicle: Vehicle, silence: Double, _ now: Double, at time: Timestamp
    ) {
        guard let trip = vehicle.trip else { return }
        begun = now
        vehicle.timer.tripID = trip.id
        vehicle.timer.heardAt = now - max(silence, 0)
        vehicle.timer.request = nil
        vehicle.timer.deadline = nil
        add(vehicle, now, at: time)
    }

    /// Takes back some of a silence from before the start, as far as a step of the clock is in it.
    func shorten(_ vehicle: Vehicle, by seconds: Double) {
        guard vehicle.timer.heardAt < begun else { return }
        vehicle.timer.heardAt = min(vehicle.timer.heardAt + seconds, begun)
    }

    /// Takes what has run out, as inputs for the spool; each is checked again when it comes back.
    ///
    /// - Parameters:
    ///   - now: Seconds of uptime.
    ///   - listening: Nothing runs out that may still be heard of.
    ///   - time: The time of day, for the inputs.
    mutating func due(_ now: Double, _ listening: Listening, at time: Timestamp) -> [OwnEntry] {
        let current = Int64(now)
        guard earliest <= current, listening.drainedAt != nil else { return [] }
        var entries: [OwnEntry] = []
        for second in looks.keys.filter({ $0 <= current }).sorted() {
            for vehicle in looks.removeValue(forKey: second) ?? []
            where vehicle.timer.second == second {
                vehicle.timer.second = nil
                if let (kind, notice) = look(at: vehicle, now, listening) {
                    entries.append(
                        OwnEntry(
                            kind: kind, receivedAt: time, vehicleID: vehicle.id,
                            payload: notice.encoded()))
                }
                if vehicle.trip != nil, vehicle.timer.ringsAt <= now {
                    entries.append(.tripClock(vehicle.id, at: time))
                }
            }
        }
        earliest = looks.keys.min() ?? .max
        return entries
    }

    /// Seconds until the next look.
    func wait(_ now: Double) -> Double {
        guard earliest != .max else { return .infinity }
        return max(Double(earliest) - now, 0)
    }

    private mutating func look(
        at vehicle: Vehicle, _ now: Double, _ listening: Listening
    ) -> (EntryKind, Notice)? {
        guard let trip = vehicle.trip else { return nil }
        let (silence, expiry) = deadlines(of: trip, vehicle, listening)
        // Looked at again soon also when it was said: a lost answer must not silence the timer.
        schedule(vehicle, at: max(min(silence, expiry, vehicle.timer.ringsAt), now + 1))
        if silence <= now, let number = trip.outstandingRequest?.request.number {
            return (.routeFailed, Notice(tripID: trip.id, request: number, reason: "timeout"))
        }
        guard expiry <= now else { return nil }
        return (
            .expiry, Notice(tripID: trip.id, silentSince: trip.lastReception.microseconds)
        )
    }

    /// When the planner's and the vehicle's silence are too long.
    private func deadlines(
        of trip: Trip, _ vehicle: Vehicle, _ listening: Listening
    ) -> (silence: Double, expiry: Double) {
        let options = trip.options
        let asked = max(vehicle.timer.askedAt, listening.drainedAt ?? 0)
        return (
            trip.outstandingRequest == nil ? .infinity : asked + options.rerouteTimeout,
            options.tripExpiry > 0
                ? max(vehicle.timer.heardAt + options.tripExpiry, listening.settledAt) : .infinity
        )
    }

    private func deadline(of trip: Trip, _ vehicle: Vehicle) -> Double {
        let (silence, expiry) = deadlines(of: trip, vehicle, Listening())
        return min(silence, expiry, vehicle.timer.ringsAt)
    }

    private mutating func schedule(_ vehicle: Vehicle, at moment: Double) {
        guard moment < .infinity else { return }
        let second = Int64(moment.rounded(.up))
        if let planned = vehicle.timer.second, planned <= second { return }
        vehicle.timer.second = second
        looks[second, default: []].append(vehicle)
        earliest = min(earliest, second)
    }
}
