import Geometry
import Store
import Telemetry
import Tracking
import Watching

/// How the vehicles' watches are driven, and what follows from what they return.
extension Fleet {
    /// Tells every watch of a place that was put, or is about to be deleted.
    func tellWatches(_ input: WatchInput, _ entry: Entry) {
        for vehicle in vehicles.values {
            tell(input, to: vehicle, tripID: vehicle.trip?.id, entry)
        }
    }

    /// The clock's word that a deadline may have come: of a vehicle, of its trip, or of the roadblocks.
    func ring(_ entry: Entry) {
        guard !entry.topic.isEmpty else { return changeRoads(entry) }
        guard let vehicle = vehicles[String(decoding: entry.topic, as: UTF8.self)] else { return }
        // What is said to the trip is by another time than the watch's: see `OwnEntry.tripClock`.
        guard entry.payload.isEmpty else { return tick(vehicle, entry) }
        let view = vehicle.trip?.view(match: nil)
        tell(.clock(trip: view), to: vehicle, tripID: vehicle.trip?.id, entry)
    }

    /// Hands an input to a vehicle's watch, and performs what comes of it, in order.
    ///
    /// - Parameter tripID: The trip that the vehicle was on when it came.
    func tell(_ input: WatchInput, to vehicle: Vehicle, tripID: String?, _ entry: Entry) {
        let outcome = vehicle.watch.handle(input, at: entry.receivedAt, in: book.surroundings)
        tally.note(outcome)
        if isLive { outbox.watched.append(vehicle) }
        guard !outcome.alarms.isEmpty || !outcome.changes.isEmpty else { return }
        markChanged(vehicle)
        for change in outcome.changes {
            changes?.note(change, of: vehicle.id, tripID: tripID)
        }
        for alarm in outcome.alarms { publish(alarm, of: vehicle, tripID: tripID, entry) }
        if !outcome.alarms.isEmpty { announce(vehicle, entry) }
    }

    private func publish(_ alarm: Alarm, of vehicle: Vehicle, tripID: String?, _ entry: Entry) {
        json.reset()
        AlarmEncoder.encode(alarm, vehicleID: vehicle.id, tripID: tripID, into: &json)
        let type = alarm.kind.type
        publish(
            EventRow(
                home: .alarms,
                eventID: EventID.alarm(vehicleID: vehicle.id, sequence: alarm.sequence),
                tripID: tripID, vehicleID: vehicle.id, placeID: alarm.kind.place?.id,
                sequence: Int(alarm.sequence), type: type, occurredAt: alarm.time.microseconds,
                body: json.text, entry: entry.position),
            of: .vehicle(vehicle.id), topic: "alarm/\(type)", entry)
    }

    /// Stores and publishes an event or alarm whose payload `json` holds.
    func publish(
        _ row: EventRow, of subject: Publication.Subject, topic name: String, _ entry: Entry
    ) {
        tally.events[row.type, default: 0] += 1
        changes?.events.append(row)
        guard isLive else { return }
        var event = Publication(
            .event(id: row.eventID, home: row.home), of: subject, topic: topic(subject, name),
            payload: json.bytes, position: entry.position + 1,
            receivedAt: entry.receivedAt.microseconds)
        event.lane = Publication.lane(of: row)
        outbox.publications.append(event)
    }
}

extension StoreChanges {
    /// Notes a row that a watch began or completed.
    mutating func note(_ change: RowChange, of vehicleID: String, tripID: String?) {
        switch change {
        case .visit(let visit): visits.append(VisitRow(visit, vehicleID, tripID))
        case .visitEnded(let end): visits.append(VisitRow(end, vehicleID))
        case .speeding(let speeding):
            speedings.append(SpeedingRow(speeding, vehicleID, tripID))
        case .speedingEnded(let end): speedings.append(SpeedingRow(end, vehicleID, tripID))
        case .stop(let stop): stops.append(StopRow(stop, vehicleID, tripID))
        case .stopEnded(let beganAt, let endedAt, let idle):
            stops.append(
                StopRow(
                    vehicleID: vehicleID, beganAt: beganAt.microseconds, beginning: nil,
                    endedAt: endedAt.microseconds, idle: idle))
        case .stopWithdrawn(let beganAt):
            stops.append(
                StopRow(
                    vehicleID: vehicleID, beganAt: beganAt.microseconds, beginning: nil,
                    isWithdrawn: true))
        case .drive(let drive), .driveEnded(let drive):
            drives.append(DriveRow(drive, vehicleID, tripID))
        }
    }
}

extension VisitRow {
    fileprivate init(_ visit: Visit, _ vehicleID: String, _ tripID: String?) {
        self.init(
            vehicleID: vehicleID, placeID: visit.placeID,
            enteredAt: visit.enteredAt.microseconds,
            beginning: Beginning(
                crossedInAt: visit.crossedInAt?.microseconds, enteredBy: visit.enteredBy.rawValue,
                passed: visit.isPass, tripID: tripID, placeRevision: visit.placeRevision),
            leftAt: visit.leftAt?.microseconds, crossedOutAt: visit.crossedOutAt?.microseconds,
            leftBy: visit.isPass ? PresenceReason.moved.rawValue : nil, distance: visit.distance,
            topSpeed: visit.topSpeed)
    }

    fileprivate init(_ end: VisitEnd, _ vehicleID: String) {
        self.init(
            vehicleID: vehicleID, placeID: end.placeID, enteredAt: end.enteredAt.microseconds,
            beginning: nil, leftAt: end.leftAt.microseconds,
            crossedOutAt: end.crossedOutAt?.microseconds, leftBy: end.leftBy.rawValue,
            distance: end.distance, topSpeed: end.topSpeed)
    }
}

extension SpeedingRow {
    fileprivate init(_ speeding: Speeding, _ vehicleID: String, _ tripID: String?) {
        let start = speeding.start
        self.init(
            vehicleID: vehicleID, beganAt: start.since.microseconds, limit: start.limit,
            limitFrom: start.limitFrom.rawValue, basis: start.basis.rawValue,
            placeID: start.place?.id, tripID: tripID, topSpeed: start.speed,
            topExcess: start.speed - start.limit, topLatitude: speeding.location.latitude,
            topLongitude: speeding.location.longitude)
    }

    fileprivate init(_ end: SpeedingEnd, _ vehicleID: String, _ tripID: String?) {
        let start = end.start
        self.init(
            vehicleID: vehicleID, beganAt: start.since.microseconds,
            endedAt: end.until.microseconds, limit: start.limit,
            limitFrom: start.limitFrom.rawValue, basis: start.basis.rawValue,
            placeID: start.place?.id, tripID: tripID, topSpeed: end.topSpeed,
            topExcess: end.topExcess, distance: end.distance,
            topLatitude: end.topLocation.latitude, topLongitude: end.topLocation.longitude)
    }
}

extension StopRow {
    fileprivate init(_ stop: Stop, _ vehicleID: String, _ tripID: String?) {
        self.init(
            vehicleID: vehicleID, beganAt: stop.start.since.microseconds,
            beginning: Beginning(
                latitude: stop.location.latitude, longitude: stop.location.longitude,
                placeID: stop.start.place?.id, waypointIndex: stop.start.waypointIndex,
                tripID: tripID, planned: stop.start.isPlanned))
    }
}

extension DriveRow {
    fileprivate init(_ drive: Drive, _ vehicleID: String, _ tripID: String?) {
        self.init(
            vehicleID: vehicleID, beganAt: drive.beganAt.microseconds,
            endedAt: drive.endedAt?.microseconds, distance: drive.distance,
            topSpeed: drive.topSpeed, tripID: tripID, estimated: drive.isEstimated,
            startLatitude: drive.start.latitude, startLongitude: drive.start.longitude,
            endLatitude: drive.end?.latitude, endLongitude: drive.end?.longitude,
            fixes: drive.fixes)
    }
}
