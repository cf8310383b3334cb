import Tracking

/// When trips expire and planners have been silent for too long.
///
/// A trip is looked at when its earliest deadline may have come, not at each fix: most deadlines move on
/// before they are met.
struct TripTimers {
    /// Vehicles by the second in which to look at them.
    private var looks: [Int64: [Vehicle]] = [:]
    private var earliest = Int64.max

    /// Notes a trip with new deadlines.
    ///
    /// - Parameter isFresh: Whether its request, if one is out, is asked only now.
    mutating func add(_ vehicle: Vehicle, _ now: Timestamp, isFresh: Bool = false) {
        if isFresh { vehicle.timer.askedAt = now }
        schedule(vehicle)
    }

    /// Takes what has run out, as inputs for the spool; each is checked again when it comes back.
    mutating func due(_ now: Timestamp) -> [OwnEntry] {
        let current = now.microseconds / 1_000_000
        guard earliest <= current else { return [] }
        var entries: [OwnEntry] = []
        for second in looks.keys.filter({ $0 <= current }).sorted() {
            for vehicle in looks.removeValue(forKey: second) ?? []
            where vehicle.timer.second == second {
                entries += look(at: vehicle, now)
            }
        }
        earliest = looks.keys.min() ?? .max
        return entries
    }

    /// Seconds until the next look.
    func wait(_ now: Timestamp) -> Double {
        guard earliest != .max else { return .infinity }
        return max(Double(earliest) - now.seconds, 0)
    }

    private mutating func look(at vehicle: Vehicle, _ now: Timestamp) -> [OwnEntry] {
        vehicle.timer.second = nil
        guard let trip = vehicle.trip else { return [] }
        var notices: [(EntryKind, Notice)] = []
        if let deadline = silence(of: trip, vehicle), deadline <= now,
            let number = trip.outstandingRequest?.request.number
        {
            notices.append(
                (.routeFailed, Notice(tripID: trip.id, request: number, reason: "timeout")))
        } else if let deadline = expiry(of: trip), deadline <= now {
            notices.append(
                (.expiry, Notice(tripID: trip.id, silentSince: trip.lastReception.microseconds)))
        }
        // Looked at again soon also when it was said: a lost answer must not silence the timer.
        schedule(vehicle, notBefore: now.advanced(by: 1))
        return notices.map { kind, notice in
            OwnEntry(
                kind: kind, receivedAt: now, vehicleID: vehicle.id, payload: notice.encoded())
        }
    }

    private mutating func schedule(_ vehicle: Vehicle, notBefore: Timestamp? = nil) {
        guard let trip = vehicle.trip,
            let deadline = [silence(of: trip, vehicle), expiry(of: trip)].compactMap({ $0 }).min()
        else { return }
        let moment = max(deadline, notBefore ?? deadline)
        let second = Int64(moment.seconds.rounded(.up))
        if let planned = vehicle.timer.second, planned <= second { return }
        vehicle.timer.second = second
        looks[second, default: []].append(vehicle)
        earliest = min(earliest, second)
    }

    private func silence(of trip: Trip, _ vehicle: Vehicle) -> Timestamp? {
        guard let outstanding = trip.outstandingRequest else { return nil }
        let since = max(outstanding.since, vehicle.timer.askedAt ?? outstanding.since)
        return since.advanced(by: trip.options.rerouteTimeout)
    }

    private func expiry(of trip: Trip) -> Timestamp? {
        guard trip.options.tripExpiry > 0 else { return nil }
        return trip.lastReception.advanced(by: trip.options.tripExpiry)
    }
}
