import Geometry
public import Tracking

/// Speed and stops: what follows from a usable fix, or from none, once it is known where the vehicle is.
extension Watch {
    /// Judges how fast the vehicle is and whether it stands.
    ///
    /// - Parameters:
    ///   - speed: As reported, where it can be believed.
    ///   - limit: That of the smallest place around the vehicle that has one.
    ///   - place: The smallest place around it.
    mutating func judgeMotion(
        _ step: Step, speed: Double?, limit: SpeedLimit?, place: PlaceInForce?,
        _ settings: WatchSettings, _ outcome: inout WatchOutcome
    ) {
        let speedChanges = self.speed.judge(
            step, speed: speed, limit: step.speedLimit(in: limit, settings), settings: settings)
        tell(speedChanges, at: step.now.time, step.receivedAt, .fix, &outcome)
        let journalChanges = journal.judge(
            step, speed: speed, settings: settings,
            scene: StopScene(place: place, trip: step.trip))
        tell(journalChanges, at: step.now.time, step.receivedAt, .fix, settings, &outcome)
    }

    /// Looks what has become of a vehicle by time alone.
    ///
    /// - Parameters:
    ///   - trip: That which the vehicle is on.
    ///   - place: The smallest place around it.
    mutating func lookAtMotion(
        at received: Timestamp, trip: TripView?, place: PlaceInForce?,
        _ settings: WatchSettings, _ outcome: inout WatchOutcome
    ) {
        guard let newest else { return }
        let now = newest.time.advanced(by: received.elapsed(since: newest.receivedAt))
        let speedChanges = speed.look(at: now, after: newest.time, settings)
        tell(speedChanges, at: received, received, .clock, &outcome)
        let journalChanges = journal.look(
            at: now, settings: settings, scene: StopScene(place: place, trip: trip))
        tell(journalChanges, at: received, received, .clock, settings, &outcome)
    }

    /// The reception time of the clock entry that speed and stops wait for; `nil` for none.
    func motionDeadline(_ settings: WatchSettings) -> Timestamp? {
        guard let newest else { return nil }
        let deadlines = [
            speed.deadline(after: newest.time, settings), journal.deadline(settings),
        ]
        return deadlines.compactMap { $0 }.min().map {
            newest.receivedAt.advanced(by: $0.elapsed(since: newest.time))
        }
    }

    private mutating func tell(
        _ changes: [SpeedChange], at time: Timestamp, _ received: Timestamp,
        _ basis: Alarm.Basis, _ outcome: inout WatchOutcome
    ) {
        for change in changes {
            switch change {
            case .began(let speeding):
                outcome.changes.append(.speeding(speeding))
                tell(.speedingStarted(speeding.start), at: time, received, basis, in: &outcome)
            case .ended(let end):
                outcome.changes.append(.speedingEnded(end))
                tell(.speedingEnded(end), at: time, received, basis, in: &outcome)
            }
        }
    }

    private mutating func tell(
        _ changes: [JournalChange], at time: Timestamp, _ received: Timestamp,
        _ basis: Alarm.Basis, _ settings: WatchSettings, _ outcome: inout WatchOutcome
    ) {
        for change in changes {
            switch change {
            case .stopBegan(let stop):
                outcome.changes.append(.stop(stop))
                if settings.tellsStops {
                    tell(.stopStarted(stop.start), at: time, received, basis, in: &outcome)
                }
            case .stopEnded(let end):
                outcome.changes.append(end.rowChange)
                if settings.tellsStops {
                    tell(.stopEnded(end), at: time, received, basis, in: &outcome)
                }
            case .driveBegan(let drive), .drove(let drive): outcome.changes.append(.drive(drive))
            case .driveEnded(let drive): outcome.changes.append(.driveEnded(drive))
            }
        }
    }
}

extension StopEnd {
    /// What becomes of the row: one of 0 s is not kept.
    fileprivate var rowChange: RowChange {
        duration > 0
            ? .stopEnded(beganAt: start.since, endedAt: until, idle: idle)
            : .stopWithdrawn(beganAt: start.since)
    }
}

/// How fast the vehicle is and whether it stands, for those who show it.
extension Watch {
    /// The speed limit at the newest usable fix, in metres per second; `nil` where none is known.
    public var speedLimit: Double? { speed.limit }
    /// Whether a speeding that was told goes on.
    public var isSpeeding: Bool { speed.isSpeeding }
    /// Since when the vehicle stands; `nil` while it drives, or where that is not known.
    public var stoppedSince: Timestamp? { journal.stoppedSince }
    /// Metres driven, for ever; the newest are added when they can no longer be part of a stop.
    public var odometer: Double { journal.odometer }
}
