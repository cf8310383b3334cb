import Geometry
import Store
import Telemetry
import Tracking
import Watching

/// How positions move the fleet.
extension Fleet {
    /// How many rows of one batch keep it.
    private static let keptCopies = 10

    func take(_ outcome: DecodeOutcome, of entry: Entry) {
        switch outcome {
        case .accepted(let reports, let rejected):
            tally.accepted += 1
            for report in reports.byTime { take(report, of: vehicle(report.vehicleID), entry) }
            rejectElements(rejected, of: entry)
        case .rejected(let reason, let items):
            guard items.isEmpty else {
                tally.rejected[reason.rawValue, default: 0] += 1
                complain(entry, reason.rawValue)
                return rejectElements(items, of: entry)
            }
            reject(entry, reason: reason.rawValue)
        case .ignored(let reason):
            tally.ignored[reason.rawValue, default: 0] += 1
        }
    }

    func reject(_ entry: Entry, reason: String) {
        tally.rejected[reason, default: 0] += 1
        complain(entry, reason)
        changes?.rejected.append(RejectedRow(entry, reason: reason))
    }

    private func rejectElements(_ items: [RejectedItem], of entry: Entry) {
        for (count, item) in items.enumerated() {
            tally.rejectedElements[item.reason.rawValue, default: 0] += 1
            var row = RejectedRow(entry, reason: item.reason.rawValue, element: item.index)
            // A batch of many thousand bad elements is one payload, and need not be kept as often.
            if count >= Self.keptCopies { row.payload = [] }
            changes?.rejected.append(row)
        }
    }

    private func complain(_ entry: Entry, _ reason: String) {
        guard isLive else { return }
        outbox.complaints.append(
            Outbox.Complaint(topic: String(decoding: entry.topic, as: UTF8.self), reason: reason))
    }

    private func take(_ report: PositionReport, of vehicle: Vehicle, _ entry: Entry) {
        let fix = report.fix
        vehicle.note(entry)
        vehicle.timer.heardAt = uptime
        let isNewest = vehicle.note(fix)
        var disposition = FixDisposition.history(.noTrip)
        let tripID = vehicle.trip?.id
        var watched = WatchedFix(fix, ignition: ignition.isOn(report.attributes))
        if let outcome = vehicle.trip?.handle(.fix(fix), at: entry.receivedAt, among: roads) {
            disposition = outcome.disposition ?? disposition
            watched.trip = vehicle.trip?.view(match: outcome.match)
            settle(outcome, of: vehicle, entry, commandID: nil)
        }
        count(disposition)
        store(report, disposition, tripID: tripID, of: vehicle, entry)
        tell(.fix(watched), to: vehicle, tripID: tripID, entry)
        // Also what is history only leaves its reception, or a spike, in the trip's memory.
        if isNewest || tripID != nil { markChanged(vehicle) }
        guard isNewest || disposition == .tracked else { return }
        // What a trip's last fix moved was published with the event that ended it.
        if vehicle.ended == nil { markMoved(vehicle) }
    }

    private func count(_ disposition: FixDisposition) {
        switch disposition {
        case .tracked: tally.tracked += 1
        case .history(let reason): tally.history[reason, default: 0] += 1
        }
    }

    private func store(
        _ report: PositionReport, _ disposition: FixDisposition, tripID: String?,
        of vehicle: Vehicle, _ entry: Entry
    ) {
        let fix = report.fix
        let belongs = disposition != .history(.beforeAssignment)
        changes?.positions.append(
            PositionRow(
                vehicleID: vehicle.id, fixTime: fix.time.microseconds,
                latitude: fix.coordinate.latitude, longitude: fix.coordinate.longitude,
                accuracy: report.accuracy, speed: fix.speed,
                course: fix.course, altitude: report.altitude, level: fix.level?.written,
                provider: report.provider, attributes: report.attributes,
                tripID: belongs ? tripID : nil, tracked: disposition == .tracked,
                receivedAt: entry.receivedAt.microseconds, entry: entry.position))
    }

    /// Notes that the dashboards should hear of the vehicle.
    func markMoved(_ vehicle: Vehicle) {
        guard isLive, !vehicle.announcement.isDue else { return }
        vehicle.announcement.isDue = true
        outbox.moved.append(vehicle)
    }
}

extension [PositionReport] {
    /// The reports in the order of their fixes' times; those of one time as they were sent.
    ///
    /// What is in one message is there together: several devices send their buffer with the newest first.
    fileprivate var byTime: [PositionReport] {
        let isInOrder = zip(self, dropFirst()).allSatisfy { $0.fix.time <= $1.fix.time }
        if isInOrder { return self }
        return enumerated()
            .sorted { ($0.element.fix.time, $0.offset) < ($1.element.fix.time, $1.offset) }
            .map(\.element)
    }
}

extension RejectedRow {
    /// The part of a payload that is kept.
    private static let keptPayload = 4096

    /// The row of a message that is not taken, or of an element of it.
    init(_ entry: Entry, reason: String, element: Int? = nil) {
        self.init(
            receivedAt: entry.receivedAt.microseconds,
            topic: String(decoding: entry.topic, as: UTF8.self),
            payload: Array(entry.payload.prefix(Self.keptPayload)),
            payloadBytes: entry.payloadLength, reason: reason, elementIndex: element)
    }
}
