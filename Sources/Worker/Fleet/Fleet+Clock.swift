import Tracking

/// What a step of the machine's clock does to the fleet.
extension Fleet {
    /// How far ahead of its reception a fix may be, in seconds: SPEC section 2.
    private static let maxFuture = 300.0

    /// Follows the machine's clock, which was set.
    func followClock(_ entry: Entry) {
        guard let step = ClockStep(entry.payload) else { return }
        let limit = entry.receivedAt.advanced(by: Self.maxFuture)
        for vehicle in vehicles.values {
            // Taken by the wrong clock: no later fix would be newer for as long as it was ahead.
            if let newest = vehicle.newest, newest.time > limit {
                vehicle.newest?.time = newest.time.advanced(by: step.seconds)
                markChanged(vehicle)
            }
            guard vehicle.trip != nil else { continue }
            vehicle.trip?.followClock(by: step.seconds, to: entry.receivedAt)
            markChanged(vehicle)
            // Until when it stands is told by the time of day.
            if isLive, vehicle.trip?.proposal != nil {
                outbox.publications.append(proposal(of: vehicle, position: entry.position + 1))
            }
        }
        reconsiderRoads(entry)
        if isLive { outbox.clockSteps.append(step.seconds) }
    }
}
