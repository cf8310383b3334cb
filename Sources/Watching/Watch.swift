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
    var silence = SilenceRule()
    var speed = SpeedWatch()
    var journal = Journal()

    /// Creates the watch of a vehicle that was never heard of.
    public init(vehicleID: String) {
        self.vehicleID = vehicleID
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
        case .placePut, .placeDeleted: break
        case .clock: look(at: received, surroundings, &outcome)
        }
        return outcome
    }

    /// The reception time of the clock entry that is due next if no usable fix comes before; `nil` for none.
    public func deadline(in surroundings: Surroundings) -> Timestamp? {
        guard let newest else { return nil }
        let silence = silence.deadline(after: newest, surroundings.settings)
        return [silence, motionDeadline(surroundings.settings)].compactMap { $0 }.min()
    }

    private mutating func judge(
        _ watched: WatchedFix, _ received: Timestamp, _ surroundings: Surroundings,
        _ outcome: inout WatchOutcome
    ) {
        let objection = filter.objection(
            to: watched.fix, after: newest?.sighting, received: received,
            settings: surroundings.settings)
        if let objection {
            outcome.objection = objection
            return
        }
        let step = Step(
            before: newest, now: Whereabouts(watched, receivedAt: received), fix: watched.fix,
            trip: watched.trip)
        newest = step.now
        if let heard = silence.end(at: step) {
            tell(.vehicleHeard(heard), at: step.now.time, received, .fix, in: &outcome)
        }
        judgeMotion(step, limit: nil, place: { nil }, surroundings.settings, &outcome)
    }

    private mutating func look(
        at received: Timestamp, _ surroundings: Surroundings, _ outcome: inout WatchOutcome
    ) {
        guard let newest else { return }
        lookAtMotion(
            at: received, trip: nil, place: { nil }, surroundings.settings, &outcome)
        if let silent = silence.begin(after: newest, at: received, surroundings.settings) {
            tell(.vehicleSilent(silent), at: received, received, .clock, in: &outcome)
        }
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
}
