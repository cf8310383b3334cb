public import Tracking

/// The watch of one vehicle: who comes and goes, how fast, and where it stands, as a value.
///
/// It reads no clock and does no I/O, so that equal inputs always give equal outputs. It sees each fix, with or
/// without a trip, and changes nothing of the trip. Deadlines that no fix meets come in as `WatchInput.clock`.
public struct Watch: Sendable {
    /// The vehicle's name, which places may be meant for.
    public let vehicleID: String
    /// The number of the last alarm; 0 before the first.
    public internal(set) var sequence: Int64 = 0
    /// The newest usable fix.
    var newest: Whereabouts?
    var filter = FixFilter()
    var places: PlaceWatch
    var silence = SilenceRule()
    var speed = SpeedWatch()
    var journal = Journal()

    /// Creates the watch of a vehicle that was never heard of.
    public init(vehicleID: String) {
        self.vehicleID = vehicleID
        places = PlaceWatch()
    }

    /// Applies one input.
    ///
    /// - Parameters:
    ///   - received: When the worker took it.
    ///   - surroundings: The settings and the places in force.
    /// - Returns: What is to be told and written because of it.
    public mutating func handle(
        _ input: WatchInput, at received: Timestamp, in surroundings: Surroundings
    ) -> WatchOutcome {
        var outcome = WatchOutcome()
        switch input {
        case .fix(let watched): judge(watched, received, surroundings, &outcome)
        case .placePut(let change): put(change, received, surroundings, &outcome)
        case .placeDeleted(let id): delete(id, received, surroundings.places, &outcome)
        case .clock(let trip): look(at: received, trip, surroundings, &outcome)
        }
        return outcome
    }

    private mutating func judge(
        _ watched: WatchedFix, _ received: Timestamp, _ surroundings: Surroundings,
        _ outcome: inout WatchOutcome
    ) {
        var straight = 0.0
        let objection = filter.objection(
            to: watched.fix, after: newest, received: received,
            settings: surroundings.settings, way: &straight)
        if let objection {
            outcome.objection = objection
            return
        }
        let step = Step(
            before: newest, now: Whereabouts(watched, receivedAt: received),
            speed: watched.fix.speed, course: watched.fix.course, trip: watched.trip,
            straight: straight)
        newest = step.now
        let speed = step.plausibleSpeed(surroundings.settings)
        outcome.hasImplausibleSpeed = step.speed != nil && speed == nil
        let news = places.judge(
            step, speed: speed, vehicleID: vehicleID, surroundings, &outcome)
        if let news { tell(news, at: step.now.time, received, &outcome) }
        judgeMotion(
            step, speed: speed, limit: placeLimit(surroundings.places),
            place: places.presences.smallestPlace(in: surroundings.places),
            surroundings.settings, &outcome)
        if let heard = silence.end(at: step) {
            tell(.vehicleHeard(heard), at: step.now.time, received, .fix, in: &outcome)
        }
    }

    /// The limit of the smallest place around the vehicle that has one.
    private func placeLimit(_ inForce: PlacesInForce) -> SpeedLimit? {
        guard !places.presences.isEmpty,
            let place = places.presences.smallestPlace(
                in: inForce, where: { $0.speedLimit != nil }),
            let limit = place.speedLimit
        else { return nil }
        return SpeedLimit(value: limit, source: .place, place: place.label)
    }

    /// Appends an alarm to the outcome, with the next number.
    mutating func tell(
        _ kind: Alarm.Kind, at time: Timestamp, _ received: Timestamp, _ basis: Alarm.Basis,
        in outcome: inout WatchOutcome
    ) {
        sequence += 1
        outcome.alarms.append(
            Alarm(
                sequence: sequence, kind: kind, time: time, receivedAt: received,
                location: newest?.coordinate, basis: basis))
    }

    mutating func tell(
        _ news: PlaceNews, at time: Timestamp, _ received: Timestamp,
        _ outcome: inout WatchOutcome
    ) {
        for item in news.inOrder() { tell(item, at: time, received, &outcome) }
    }

    /// Tells and writes one thing that happened between the vehicle and a place.
    mutating func tell(
        _ item: PlaceNews.Item, at time: Timestamp, _ received: Timestamp,
        _ outcome: inout WatchOutcome
    ) {
        if let change = item.change { outcome.changes.append(change) }
        if item.isTold { tell(item.kind, at: time, received, item.basis, in: &outcome) }
    }
}
